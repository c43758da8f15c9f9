// What NASA's Trick answered to readers, asked of a bridge with varwire's fixture behind it: byte for byte, but for what
// docs/bridge.md says does not pass.
import { expect } from 'chai';
import { bridge, type RunningServer, serveSource } from '../lib/index.js';
import { replay } from './golden-replay.js';
import { ServerHere, showOutputOfFailure } from './launch.js';
import { goldenSessions } from './recorded.js';

/** The others are about the language and its transports, which have the same code whatever is served. */
const READERS = /^(0\d|1[0-4]|23|24)-/;

/** Bit fields as what they are declared as, a null pointer as empty text, and long text. */
const NOT_PASSED = /fx\.all\.(flags|cp_null|text)\b|terminate_time/;

describe('a bridge, asked what a recorded Trick session was,', () => {
  let simulation: ServerHere;
  let served: RunningServer;
  before(async () => {
    simulation = await ServerHere.start('compat-tests/fixture/fixture.js', { options: ['--udp', 'off'] });
    const source = await bridge({ port: simulation.port });
    served = await serveSource(source, { port: 0, udp: 'off', messages: 'off', brp: 'off', discovery: false });
  });
  afterEach(function () {
    showOutputOfFailure(this, simulation);
  });
  after(async () => {
    await served?.close();
    await simulation?.stop();
  });

  for (const session of goldenSessions().filter(({ name }) => READERS.test(name)))
    it(`answers as Trick did: ${session.name}, ${session.about}`, async () => {
      const differences = await replay(session, served.port, 0);
      expect(differences.filter(({ send }) => !NOT_PASSED.test(send))).to.deep.equal([]);
      expect(differences.length).to.be.below(session.steps.length);
    });
});
