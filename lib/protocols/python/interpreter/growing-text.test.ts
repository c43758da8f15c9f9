// A text that grows by pieces is what its pieces are one after another.
import { expect } from 'chai';
import fc from 'fast-check';
import { GrowingText } from './growing-text.js';

describe('a growing text', () => {
  it('is its pieces in their order, however long and many', () => {
    const piece = fc.oneof(
      { weight: 5, arbitrary: fc.string({ maxLength: 4 }) },
      fc.integer({ min: 1000, max: 1100 }).map((length) => 'x'.repeat(length)),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 2000, size: 'max' }), (pieces) => {
        const text = new GrowingText();
        for (const one of pieces) text.add(one);
        expect(text.toString() === pieces.join('')).to.equal(true);
      }),
      { numRuns: 20 },
    );
  });
});
