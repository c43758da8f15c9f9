// Percentiles and histograms of results.
import { expect } from 'chai';
import fc from 'fast-check';
import { histogramOf, percentile, summaryOf } from './statistics.js';

describe('the results of many runs', () => {
  it('have a mean, a deviation and percentiles, without what is no number', () => {
    const found = summaryOf([4, Number.NaN, 1, 3, 2, Number.POSITIVE_INFINITY])!;
    expect([found.count, found.mean]).to.deep.equal([4, 2.5]);
    expect(found.deviation).to.be.closeTo(Math.sqrt(5 / 3), 1e-12);
    expect(Object.fromEntries(found.percentiles)).to.include({ 0: 1, 50: 2.5, 100: 4 });
    expect(percentile([10, 20], 25)).to.equal(12.5);
    expect(summaryOf([Number.NaN])).to.equal(undefined);
    expect(summaryOf([7])!.deviation).to.be.NaN;
  });

  it('are counted once each in ranges that join', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), { minLength: 1 }), (values) => {
        const bins = histogramOf(values);
        expect(bins.reduce((sum, { count }) => sum + count, 0)).to.equal(values.length);
        for (const [k, { from, to }] of bins.entries()) {
          expect(to).to.be.above(from);
          if (k > 0) expect(from).to.equal(bins[k - 1]!.to);
        }
      }),
      { numRuns: 50, examples: [[[5]], [[1, 1, 1, 2]]] },
    );
    expect(histogramOf([])).to.deep.equal([]);
  });
});
