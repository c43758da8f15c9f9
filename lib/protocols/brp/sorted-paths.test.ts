// The difference of sorted lists of type paths.
import { expect } from 'chai';
import fc from 'fast-check';
import { differenceOf } from './sorted-paths.js';

const sortedPaths = fc.uniqueArray(fc.string({ maxLength: 3 })).map((paths) => [...paths].sort());

describe('sorted type paths', () => {
  it('tell what has come and gone, and keep their order', () => {
    fc.assert(
      fc.property(sortedPaths, sortedPaths, (before, after) => {
        expect(differenceOf(before, after)).to.deep.include({
          added: after.filter((path) => !before.includes(path)),
          removed: before.filter((path) => !after.includes(path)),
        });
      }),
    );
  });

  it('are compared once for all who watch them', () => {
    const [before, after] = [['a'], ['b']];
    expect(differenceOf(before, after)).to.equal(differenceOf(before, after));
  });
});
