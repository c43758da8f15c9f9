// What the block cache keeps and what it drops.
import { expect } from 'chai';
import { BlockCache } from './block-cache.js';
import { parseBlock } from './index.js';

describe('the block cache', () => {
  it('gives back what was kept under the same text', () => {
    const cache = new BlockCache<number>(4);
    cache.set('a', 1);
    expect(cache.get('a')).to.equal(1);
    expect(cache.get('b')).to.equal(undefined);
  });

  it('never holds more than its capacity, and keeps what is in use', () => {
    const cache = new BlockCache<number>(8);
    cache.set('used', -1);
    for (let count = 0; count < 100; count++) {
      cache.set(`block ${count}`, count);
      expect(cache.get('used')).to.equal(-1);
      expect(cache.size).to.be.at.most(8);
    }
    expect(cache.get('block 0')).to.equal(undefined);
    expect(cache.get('block 99')).to.equal(99);
  });

  it('does not keep long texts', () => {
    const cache = new BlockCache<number>(8);
    cache.set('x'.repeat(4096), 1);
    expect(cache.size).to.equal(0);
  });

  it('lets a repeated block share its tree, and its error', () => {
    for (const text of ['trick.var_send()\n', 'a b\n']) expect(parseBlock(text)).to.equal(parseBlock(text));
  });
});
