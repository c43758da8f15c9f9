// Clients that send costly blocks, leave and come again, without end: what an honest client of another address sends and then closes its side of, as `nc -N` does, is answered.
import { setMaxListeners } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { randomOf } from '../lib/testing/aids/fuzz-seed.js';
import { SHARE } from '../lib/testing/aids/run-counts.js';
import type { Attack } from './attacks/attack.js';
import { ATTACKS } from './attacks/index.js';
import { lines } from './attacks/peer.js';
import { endAfterFailure, LaunchedServer } from './launch.js';

const TARGET = new URL('./attacks/target.js', import.meta.url);
/** So that the attack is well under way. */
const PAUSE_MILLIS = 1000;
const QUESTION = 'trick.var_send_once("target.label")';
const ANSWER = '5\tas it was\n';

/** Addresses of this machine other than the attacker's; not every system has them. */
const OTHERS = process.platform === 'linux' ? ['127.0.0.2', '127.0.0.3'] : [];

/** All that comes back for a script, until the server closes the connection. */
function answerOf(port: number, from: string, script: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from });
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('error', reject).on('close', () => resolve(text));
    socket.end(script);
  });
}

const chance = randomOf('leavers');
/** One always; the soak tries all three. */
const isTried = ({ name }: Attack): boolean =>
  name === 'O-loops-leave' || (/^O-(?:memory|names)-leave$/.test(name) && chance.uniform() < SHARE);

const pause = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis));

describe('beside clients that leave and come again', () => {
  let server: LaunchedServer;
  before(async () => {
    server = await LaunchedServer.start(TARGET, { options: ['--no-discovery', '--udp', '127.0.0.1:0'] });
  });
  afterEach(async function () {
    await endAfterFailure(this, server);
  });
  after(() => server.stop());

  for (const { name, sends, run } of ATTACKS.filter(isTried)) {
    it(`a script of 150 KB of another address is answered: ${name}, ${sends}`, async function () {
      if (OTHERS.length === 0) this.skip();
      const { port, udpPort } = server;
      const end = new AbortController();
      setMaxListeners(0, end.signal);
      const attacking = run({ port, udpPort }, end.signal);
      try {
        await pause(PAUSE_MILLIS);
        const script = lines(...Array<string>(10_000).fill('x = 17 * 2 + 3'), QUESTION);
        const answers = await Promise.all(OTHERS.map((from) => answerOf(port, from, script)));
        expect(answers).to.deep.equal(OTHERS.map(() => ANSWER));
      } finally {
        end.abort();
        await Promise.race([attacking, pause(1000)]);
      }
    });
  }
});
