import { expect } from 'chai';
import { heightOfBands, segmentsOf } from './bands.js';

describe('bands of a chart', () => {
  it('last as long as their value, and have holes where there is none', () => {
    expect(segmentsOf([0, 1, 2, 3, 4, 5], [7, 7, 8, null, 8, 8])).to.deep.equal([
      { from: 0, to: 2, value: 7 },
      { from: 2, to: 3, value: 8 },
      { from: 4, to: 5, value: 8 },
    ]);
    expect(segmentsOf([], [])).to.deep.equal([]);
    expect(segmentsOf([3], [1])).to.deep.equal([{ from: 3, to: 3, value: 1 }]);
  });

  it('leave room for lines, however many there are', () => {
    expect(heightOfBands(2, 400)).to.equal(42);
    expect(heightOfBands(32, 100)).to.equal(60);
  });
});
