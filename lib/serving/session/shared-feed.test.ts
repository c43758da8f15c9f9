// Feeds: frames encoded once for all equal subscriptions.
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { Frame } from '../../model/frame/reader.js';
import { headerOf } from '../../testing/aids/frames.js';
import { FeedTable, SharedFeed } from './shared-feed.js';

const frameOf = (number: number): Frame => new Frame(0, headerOf({ number }));

describe('a feed', () => {
  it('encodes once a frame, however often it is asked', () => {
    const encoded: number[] = [];
    const feed = new SharedFeed('key', (frame) => {
      encoded.push(frame.header.number);
      return Buffer.from(`frame ${frame.header.number}`);
    });
    const [first, second] = [frameOf(7), frameOf(8)];
    const message = feed.message(first);
    expect(feed.message(first)).to.equal(message);
    expect(feed.message(frameOf(7))).to.equal(message);
    expect(`${feed.message(second)}`).to.equal('frame 8');
    expect(`${message}`).to.equal('frame 7');
    expect(encoded).to.deep.equal([7, 8]);
  });

  it('makes messages without a look as long as the catalog is the one in which every frame shows the values', () => {
    const feed = new SharedFeed('key', ({ header }) => {
      if (header.number === 10) throw new RangeError('cannot be made');
      return Buffer.from(`${header.number}`);
    });
    const inCatalog = (number: number, catalogVersion: number): Frame =>
      new Frame(0, headerOf({ number, catalogVersion }));
    const plain = (number: number, catalogVersion: number): string =>
      `${feed.plainMessage(inCatalog(number, catalogVersion))}`;
    expect(plain(7, 1)).to.equal('undefined');
    expect(feed.ofAll).to.equal(undefined);
    feed.messageOf(inCatalog(7, 1), true);
    expect(feed.ofAll).to.equal(feed);
    expect([plain(7, 1), plain(8, 1), plain(9, 2)]).to.deep.equal(['7', '8', 'undefined']);
    feed.messageOf(inCatalog(9, 2), false);
    expect([plain(9, 1), plain(9, 2)]).to.deep.equal(['undefined', 'undefined']);
    expect(() => feed.messageOf(inCatalog(10, 2), true)).to.throw('cannot be made');
    expect(plain(11, 2)).to.equal('undefined');
  });

  it('keeps no long message, which others may share as long as somebody has it', async () => {
    const frame = frameOf(7);
    const kept = (feed: SharedFeed): unknown[] => Object.values(feed).filter((value) => ArrayBuffer.isView(value));
    const encoded: number[] = [];
    const feed = new SharedFeed('key', ({ header }) => {
      encoded.push(header.number);
      return new Uint8Array(100_000);
    });
    const message = feed.message(frame);
    expect(feed.message(frame)).to.equal(message);
    expect([kept(feed), encoded]).to.deep.equal([[], [7]]);
    expect(await feed.begun(frame, async () => new Uint8Array(1))).to.equal(message);
    const later = frameOf(8);
    let count = 0;
    const make = async (): Promise<Uint8Array> => new Uint8Array(++count);
    const [made, same] = [feed.begun(later, make), feed.begun(later, make)];
    expect(feed.isBegun(later)).to.equal(true);
    const bytes = await made;
    expect([await same, count]).to.deep.equal([bytes, 1]);
    expect(kept(feed)).to.deep.equal([]);
    expect([await feed.begun(later, make), count]).to.deep.equal([bytes, 1]);
    expect([feed.isBegun(later), feed.isBegun(frameOf(9))]).to.deep.equal([true, false]);
    expect(await feed.begun(frameOf(9), make)).to.have.length(2);
  });

  it('makes a message anew that could not be made', async () => {
    const feed = new SharedFeed('key', () => new Uint8Array());
    const failed = await feed
      .begun(frameOf(7), () => Promise.reject(new Error('broken')))
      .catch(({ message }) => message);
    await turn();
    expect([failed, feed.isBegun(frameOf(7))]).to.deep.equal(['broken', false]);
    expect(await feed.begun(frameOf(7), async () => Buffer.from('whole'))).to.have.length(5);
  });

  it('tries again after an encoder has thrown', () => {
    let isBroken = true;
    const feed = new SharedFeed('key', () => {
      if (isBroken) throw new Error('broken');
      return Buffer.from('whole');
    });
    expect(() => feed.message(frameOf(1))).to.throw('broken');
    isBroken = false;
    expect(`${feed.message(frameOf(1))}`).to.equal('whole');
  });
});

describe('the table of feeds', () => {
  const encode = () => Buffer.from('x');

  it('shares a feed among those with the same key until the last lets go', () => {
    const table = new FeedTable();
    let made = 0;
    const hold = (key: string) =>
      table.hold(key, () => {
        made++;
        return { encode };
      });
    const [a, same, other] = [hold('a'), hold('a'), hold('b')];
    expect([same === a, other === a, made, table.size]).to.deep.equal([true, false, 2, 2]);
    table.release(a);
    expect(table.size).to.equal(2);
    table.release(a);
    table.release(other);
    expect(table.size).to.equal(0);
    expect(hold('a')).to.not.equal(a);
  });

  it('tells a feed once that nobody holds it, which may then let go of others', () => {
    const table = new FeedTable();
    const ends: string[] = [];
    const hold = () =>
      table.hold('whole', () => {
        const part = table.hold('part', () => ({ encode, ended: () => ends.push('part') }));
        return { encode, ended: () => ends.push('whole') && table.release(part) };
      });
    const whole = hold();
    hold();
    table.release(whole);
    expect([table.size, ends]).to.deep.equal([2, []]);
    table.release(whole);
    table.release(whole);
    expect([table.size, ends]).to.deep.equal([0, ['whole', 'part']]);
  });

  it('is not disturbed by a release too many', () => {
    const table = new FeedTable();
    const old = table.hold('a', () => ({ encode }));
    table.release(old);
    const present = table.hold('a', () => ({ encode }));
    table.release(old);
    expect(table.hold('a', () => ({ encode }))).to.equal(present);
  });
});
