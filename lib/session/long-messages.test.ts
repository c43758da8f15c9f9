// Long messages: how many are carried out at a time, whose wait, and in which order those of one client begin.
import { expect } from 'chai';
import { ManualClock } from '../testing/aids/manual-clock.js';
import { type Account, Ledger } from './account.js';
import { LongMessages } from './long-messages.js';
import { MessageRoom } from './message-room.js';

const KIB = 1024;
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('long messages', () => {
  function setUp() {
    const ledger = new Ledger(new ManualClock());
    const all = new LongMessages();
    const begun: string[] = [];
    /** A client that has used much computing time, unless told otherwise. */
    const client = (name: string, address: string, usedMillis = 100) => {
      const account: Account = ledger.open(`${address}:${name}`);
      // In pieces, so that it is not new any more.
      for (let piece = 0; piece < 8; piece++) account.spend(usedMillis / 8);
      const gone = new AbortController();
      const room = new MessageRoom(all, account, gone.signal);
      const send = async (message: string, kib: number) => {
        let end = () => {};
        const over = room.during(kib * KIB, () => {
          begun.push(message);
          return new Promise<void>((resolve) => {
            end = resolve;
          });
        });
        await settled();
        return { end: () => end(), over };
      };
      return { account, room, send, leave: () => gone.abort() };
    };
    return { client, begun };
  }

  it('of one address wait for each other beyond 1 MB, short ones and those of others do not', async () => {
    const { client, begun } = setUp();
    const [one, two, other] = [client('1', 'a'), client('2', 'a'), client('1', 'b')];
    const first = await one.send('first', 1024);
    await two.send('second', 200);
    await two.send('short, behind the second', 1);
    await other.send('other', 1024);
    await client('3', 'a').send('short', 16);
    expect(begun).to.deep.equal(['first', 'other', 'short']);
    first.end();
    await settled();
    expect(begun.slice(3)).to.deep.equal(['second', 'short, behind the second']);
  });

  it('may have 2 MB when their client has used little time', async () => {
    const { client, begun } = setUp();
    await client('1', 'a').send('of 1.5 MB', 1500);
    await client('2', 'a').send('waits', 17);
    await client('3', 'a', 1).send('of a client who asks little', 1000);
    await client('4', 'a', 1).send('waits too', 1000);
    expect(begun).to.deep.equal(['of 1.5 MB', 'of a client who asks little']);
  });

  it('have 8 MB in all', async () => {
    const { client, begun } = setUp();
    const ends: (() => void)[] = [];
    for (let k = 0; k < 12; k++) ends.push((await client(`${k}`, `address-${k}`).send(`${k}`, 1024)).end);
    expect(begun).to.have.lengthOf(8);
    for (const end of ends.slice(0, 8)) end();
    await settled();
    expect(begun).to.have.lengthOf(12);
  });

  it('that wait end when their client goes, and keep nobody out', async () => {
    const { client, begun } = setUp();
    const first = await client('1', 'a').send('first', 1024);
    const gone = client('2', 'a');
    const { over, end } = await gone.send('of one who goes', 1024);
    gone.leave();
    await settled();
    end();
    await over;
    await client('3', 'a').send('third', 1000);
    expect(begun).to.deep.equal(['first', 'of one who goes']);
    first.end();
    await settled();
    expect(begun.at(-1)).to.equal('third');
  });

  it('make room when they wait for something, and their memory is counted then', async () => {
    const { client, begun } = setUp();
    const one = client('1', 'a');
    const { end, over } = await one.send('first', 1024);
    const unpark = one.room.park();
    await client('2', 'a').send('second', 1024);
    expect(begun).to.deep.equal(['first', 'second']);
    const held = () => [one.account.holds('parked'), one.account.holds('keptBytes')];
    expect(held()).to.deep.equal([1, 8 * 1024 * KIB]);
    unpark();
    end();
    await over;
    expect(held()).to.deep.equal([0, 0]);
    await client('3', 'a').send('third', 500);
    expect(begun).to.have.lengthOf(2);
  });

  it('cannot wait for something with more memory than their client may hold', async () => {
    const { client } = setUp();
    const one = client('1', 'a', 1);
    await one.send('of 2.5 MB', 2500);
    expect(() => one.room.park()).to.throw('bytes of names, lists, events and reads');
    expect(one.account.holds('parked')).to.equal(0);
  });
});
