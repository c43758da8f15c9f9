// Feeds: frames encoded once for all equal subscriptions.
import { expect } from 'chai';
import { Frame } from '../frame/reader.js';
import { headerOf } from '../testing/aids/frames.js';
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
        return encode;
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

  it('is not disturbed by a release too many', () => {
    const table = new FeedTable();
    const old = table.hold('a', () => encode);
    table.release(old);
    const present = table.hold('a', () => encode);
    table.release(old);
    expect(table.hold('a', () => encode)).to.equal(present);
  });
});
