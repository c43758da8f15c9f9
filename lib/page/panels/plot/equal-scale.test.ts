import { expect } from 'chai';
import fc from 'fast-check';
import { equalRanges, extentOf } from './equal-scale.js';

describe('the axes of a trajectory', () => {
  it('are equal: a pixel is as long to the right as upward, and nothing is cut off', () => {
    const length = fc.double({ min: 1e-6, max: 1e6, noNaN: true });
    const pixels = fc.integer({ min: 1, max: 4000 });
    fc.assert(
      fc.property(length, length, pixels, pixels, (x, y, width, height) => {
        const ranges = equalRanges({ min: 0, max: x }, { min: -y, max: 0 }, width, height);
        const [xPerPixel, yPerPixel] = [(ranges.x.max - ranges.x.min) / width, (ranges.y.max - ranges.y.min) / height];
        expect(xPerPixel / yPerPixel).to.be.closeTo(1, 1e-6);
        expect(ranges.x.max - ranges.x.min).to.be.at.least(x * (1 - 1e-9));
        expect(ranges.y.max - ranges.y.min).to.be.at.least(y * (1 - 1e-9));
      }),
    );
  });

  it('are left alone while the plot has no size', () => {
    const x = { min: 0, max: 1 };
    expect(equalRanges(x, x, 0, 100)).to.deep.equal({ x, y: x });
  });

  it('have room around the values, also around a single one or none', () => {
    expect(extentOf([0, 100, null])).to.deep.equal({ min: -8, max: 108 });
    expect(extentOf([10])).to.deep.equal({ min: 9, max: 11 });
    expect(extentOf([])).to.deep.equal({ min: -1, max: 1 });
  });
});
