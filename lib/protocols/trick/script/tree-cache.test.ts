// How many trees are kept, and which.
import { expect } from 'chai';
import { parseText } from './block-text.js';
import { TreeCache } from './tree-cache.js';

describe('the trees of texts that run again', () => {
  const tree = parseText('True');

  it('are those that were set, of short texts', () => {
    const cache = new TreeCache();
    cache.set('True', tree);
    cache.set('x'.repeat(1001), tree);
    expect(cache.get('True')).to.equal(tree);
    expect(cache.get('x'.repeat(1001))).to.equal(undefined);
  });

  it('are given up when there are too many, the one that was not used for longest first', () => {
    const cache = new TreeCache();
    const text = (index: number): string => `${index}`.padStart(1000, 'x');
    for (let index = 0; index < 200; index++) cache.set(text(index), tree);
    cache.get(text(0));
    cache.set(text(200), tree);
    expect([0, 1, 2, 200].map((index) => cache.get(text(index)) !== undefined)).to.deep.equal([
      true,
      false,
      true,
      true,
    ]);
  });
});
