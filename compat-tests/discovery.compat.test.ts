// A simulation announces itself by multicast every two seconds, as Trick's clients expect it.
import { createSocket, type Socket } from 'node:dgram';
import { expect } from 'chai';
import { ServerHere, showOutputOfFailure } from './launch.js';
import { reference } from './recorded.js';

const GROUPS = ['239.3.14.15', '224.3.14.15'];
const PORT = 9265;
/** The recording writes tabs as two characters. */
const RECORDED_FIELDS = reference('broadcast.txt').split('\n', 1)[0]?.split('\\t').length;

interface Heard {
  readonly text: string;
  readonly atMillis: number;
}

/** Joins a group on loopback; rejects where there is no multicast. */
function join(group: string, heard: (message: Heard) => void): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createSocket({ type: 'udp4', reuseAddr: true });
    socket.once('error', reject);
    socket.on('message', (bytes) => heard({ text: bytes.toString(), atMillis: performance.now() }));
    socket.bind(PORT, group, () => {
      try {
        socket.addMembership(group, '127.0.0.1');
        resolve(socket);
      } catch (error) {
        socket.close();
        reject(error);
      }
    });
  });
}

describe('discovery', () => {
  let server: ServerHere | undefined;
  const sockets: Socket[] = [];
  afterEach(async function () {
    showOutputOfFailure(this, server);
    for (const socket of sockets.splice(0)) socket.close();
    await server?.stop();
  });

  it('goes to both groups every two seconds, on loopback only', async function () {
    const heard = new Map<string, Heard[]>(GROUPS.map((group) => [group, []]));
    let wake = (): void => undefined;
    try {
      for (const group of GROUPS) {
        const hear = (message: Heard): void => {
          heard.get(group)?.push(message);
          wake();
        };
        sockets.push(await join(group, hear));
      }
    } catch (error) {
      console.log(`      skipped: there is no multicast on loopback here (${(error as Error).message})`);
      this.skip();
    }
    const startMillis = performance.now();
    server = await ServerHere.start('sims/ball.js', { options: ['--udp', '127.0.0.1:0'] });
    const { port } = server;
    const own = (group: string): Heard[] =>
      heard.get(group)?.filter(({ text }) => text.split('\t')[1] === `${port}`) ?? [];
    while (GROUPS.some((group) => own(group).length < 2)) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    for (const group of GROUPS) {
      const [first, second] = own(group) as [Heard, Heard];
      // A timer may be late on a busy machine, but is never early.
      expect(second.atMillis - startMillis).to.be.at.least(1990);
      expect(first.text.endsWith('\t5\n')).to.equal(true);
      const fields = first.text.trimEnd().split('\t');
      expect(fields).to.have.length(RECORDED_FIELDS ?? 0);
      expect([fields[7], fields[8], fields[9], fields[10]]).to.deep.equal(['25.1.1-beta', '', `${port}`, '1']);
    }
  });
});
