// What NASA's Trick answered, asked of an edge with varwire's fixture behind it: byte for byte, but for what
// docs/many-machines.md says does not pass.
import { expect } from 'chai';
import { edge, type RunningServer, serveSource } from '../lib/index.js';
import { replay } from './golden-replay.js';
import { ServerHere, showOutputOfFailure } from './launch.js';
import { goldenSessions } from './recorded.js';

describe('an edge, asked what a recorded Trick session was,', () => {
  let simulation: ServerHere;
  let served: RunningServer;
  before(async () => {
    simulation = await ServerHere.start('compat-tests/fixture/fixture.js', { options: ['--udp', 'off'] });
    const source = await edge({ port: simulation.port });
    served = await serveSource(source, { port: 0, udp: 'off', messages: 'off', brp: 'off', discovery: false });
  });
  afterEach(function () {
    showOutputOfFailure(this, simulation);
  });
  after(async () => {
    await served?.close();
    await simulation?.stop();
  });

  for (const session of goldenSessions())
    it(`answers as Trick did: ${session.name}, ${session.about}`, async () => {
      const differences = await replay(session, served.port, 0);
      expect(differences).to.deep.equal([]);
    });
});
