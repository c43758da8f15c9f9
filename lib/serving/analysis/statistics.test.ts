import { expect } from 'chai';
import fc from 'fast-check';
import { statisticsOf } from './statistics.js';

describe('statistics of samples', () => {
  it('are those of the numbers among them', () => {
    expect(statisticsOf([3, null, 4, Number.NaN, -1])).to.deep.equal({
      ...{ count: 3, least: -1, greatest: 4, mean: 2, rms: Math.sqrt(26 / 3) },
    });
    expect(statisticsOf([])).to.equal(undefined);
    expect(statisticsOf([null, Number.NaN])).to.equal(undefined);
  });

  it('keep the digits of large values that are close to each other', () => {
    const values = Array.from({ length: 10_000 }, (_, k) => 1e12 + (k % 2));
    expect(statisticsOf(values)?.mean).to.equal(1e12 + 0.5);
  });

  it('lie in their order', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -1e9, max: 1e9, noNaN: true }), { minLength: 1 }), (values) => {
        const { least, mean, greatest, rms } = statisticsOf(values)!;
        const room = 1e-9 * Math.max(Math.abs(least), Math.abs(greatest), 1);
        expect(mean).to.be.within(least - room, greatest + room);
        expect(rms).to.be.at.least(Math.abs(mean) - room);
      }),
    );
  });
});
