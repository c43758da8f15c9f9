import { expect } from 'chai';
import fc from 'fast-check';
import { statisticsOf } from './statistics.js';

describe('statistics of samples', () => {
  it('are those of the numbers among them, with the places of the first of the least and of the greatest', () => {
    expect(statisticsOf([null, 3, null, 4, Number.NaN, -1, -1, 4, 3, null])).to.deep.equal({
      ...{ count: 6, first: 1, last: 8, least: 5, greatest: 3, mean: 2, rms: Math.sqrt(52 / 6) },
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
        const { mean, rms, ...places } = statisticsOf(values)!;
        const [least, greatest] = [values[places.least]!, values[places.greatest]!];
        expect(least === Math.min(...values) && greatest === Math.max(...values)).to.equal(true);
        const room = 1e-9 * Math.max(Math.abs(least), Math.abs(greatest), 1);
        expect(mean).to.be.within(least - room, greatest + room);
        expect(rms).to.be.at.least(Math.abs(mean) - room);
      }),
    );
  });
});
