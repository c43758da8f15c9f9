// Announcements of simulations, as NASA Trick was recorded to send them.
import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { type Discovered, discover, parseAnnouncement } from './discover.js';

const RECORDED = readFileSync(new URL('../../../../compat-tests/reference/broadcast.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => line.replaceAll('\\t', '\t').replaceAll('\\n', '\n'));

const FIXTURE: Discovered = {
  host: 'vm',
  port: 41000,
  user: 'root',
  processId: 18115,
  directory: '/path/to/SIM_fixture',
  program: 'S_main_Linux_12.2_x86_64.exe',
  inputFile: 'RUN_golden/record.py',
  version: '25.1.1-beta',
  tag: '',
  isEnabled: true,
  mode: 5,
};

describe('parseAnnouncement', () => {
  it('reads the twelve fields of a recorded datagram', () => {
    expect(parseAnnouncement(RECORDED[0] as string)).to.deep.equal(FIXTURE);
  });

  it('reads the nine fields of an older Trick, whose port is the second', () => {
    const old = `${(RECORDED[0] as string).split('\t').slice(0, 9).join('\t')}\n`;
    expect(parseAnnouncement(old)).to.deep.equal({ ...FIXTURE, mode: undefined });
  });

  it('takes nothing else for one', () => {
    for (const text of [
      '',
      'hello\n',
      '\t'.repeat(12),
      `${'\t'.repeat(11)}\n`,
      (RECORDED[0] as string).replaceAll('41000', '99999'),
    ])
      expect(parseAnnouncement(text), text).to.equal(undefined);
  });
});

describe('discover', () => {
  it('yields each simulation once, and ends when its time is over', async () => {
    const clock = new ManualClock();
    const port = await freePort();
    const iterator = discover({ seconds: 3, interface: '127.0.0.1', port, clock });
    const first = iterator.next();
    const sender = createSocket('udp4');
    const [mine, other] = [RECORDED[0] as string, (RECORDED[0] as string).replace('18115', '7')];
    let isHeard = false;
    const send = () => {
      if (isHeard) return;
      for (const text of [mine, mine, 'noise', other]) sender.send(text, port, '127.0.0.1');
      // Nobody tells when the port is bound, so what is not heard is sent again.
      setImmediate(send);
    };
    send();
    expect((await first).value).to.deep.equal(FIXTURE);
    isHeard = true;
    expect((await iterator.next()).value).to.deep.equal({ ...FIXTURE, processId: 7 });
    const last = iterator.next();
    clock.advance(3000);
    expect((await last).done).to.equal(true);
    sender.close();
  });
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4').bind(0, () => {
      const { port } = socket.address();
      socket.close(() => resolve(port));
    });
  });
}
