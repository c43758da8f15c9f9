// What `varwire find` shows of a server.
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { expect } from 'chai';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { discover } from '../trick/index.js';
import { findOnlyTrick, onlyTrick, rowOf } from './find.js';

const GROUP = '239.3.14.15';
const LOOPBACK = '127.0.0.1';

const FOUND = {
  host: 'vm',
  port: 7000,
  user: 'ada',
  processId: 12,
  directory: '/sims',
  program: 'S_main_Linux.exe',
  inputFile: 'RUN_test/input.py',
  version: '25.1.1',
  tag: '',
  isEnabled: true,
  mode: 5,
};

describe('varwire find', () => {
  it("shows the version of Trick, and of varwire its own, not that of Trick's wire", () => {
    expect(rowOf(FOUND)).to.match(
      /^vm:7000 +run +ada +12 +Trick 25\.1\.1 +\/sims\/S_main_Linux\.exe RUN_test\/input\.py/,
    );
    expect(rowOf({ ...FOUND, program: 'varwire-0.1.0' })).to.match(
      / varwire 0\.1\.0 +\/sims\/varwire RUN_test\/input\.py/,
    );
  });

  it('finds the only simulation of Trick for a bridge, whatever servers of varwire there are', () => {
    const own = { ...FOUND, program: 'varwire-0.1.0' };
    expect(onlyTrick([own, FOUND])).to.equal(FOUND);
    expect(() => onlyTrick([own])).to.throw(/^no simulation of Trick has announced itself; name its server, /);
    const other = { ...FOUND, port: 7001 };
    expect(() => onlyTrick([FOUND, other])).to.throw(/; name one\nSERVER .*\nvm:7000 .*\nvm:7001 /);
  });

  describe('with real announcements', () => {
    let sender: Socket;
    before(async function () {
      sender = createSocket('udp4').bind(0, LOOPBACK);
      await once(sender, 'listening');
      try {
        sender.setMulticastInterface(LOOPBACK);
        sender.addMembership(GROUP, LOOPBACK);
      } catch (error) {
        console.log(`      skipped: there is no multicast on loopback here (${(error as Error).message})`);
        this.skip();
      }
    });
    after(() => sender.close());

    /** What a bridge finds while these simulations of `vm` announce themselves from their ports. */
    async function found(...ports: readonly number[]): Promise<number | string> {
      const { port } = sender.address();
      const clock = new ManualClock();
      const listen = { seconds: 3, interface: LOOPBACK, port: port + 1, clock };
      const asked = findOnlyTrick(listen).then(
        (simulation) => simulation.port,
        (error: Error) => error.message,
      );
      const heard = new Set<number>();
      const witness = (async () => {
        for await (const simulation of discover(listen))
          if (heard.add(simulation.port).size === ports.length + 1) break;
      })();
      // The last one is varwire's own, which no bridge takes.
      const send = (): void => {
        for (const at of [...ports, 1])
          sender.send(announcement(at, at === 1 ? 'varwire-0.1.0' : 'S_main_Linux.exe'), port + 1, GROUP);
      };
      const timer = setInterval(send, 5);
      await witness;
      clearInterval(timer);
      // What one socket has got, all have.
      for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
      clock.advance(3000);
      return asked;
    }

    it('takes the only one of Trick, and says of none or several what to do, in a sentence', async () => {
      expect(await found(7000)).to.equal(7000);
      expect(await found()).to.match(/^no simulation of Trick has announced itself; name its server, /);
      expect(await found(7000, 7001)).to.match(
        /^several have announced themselves; name one\nSERVER .*\nvm:7000 .*\nvm:7001 /,
      );
    });
  });
});

function announcement(port: number, program: string): string {
  const fields = ['vm', port, 'ada', 12, '/sims', program, 'RUN_test/input.py', '25.1.1', '', port, 1, 5];
  return `${fields.join('\t')}\n`;
}
