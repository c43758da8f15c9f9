import { expect } from 'chai';
import { Change, Integral, LowPass, MovingMean, type OverRows } from './rows.js';

/** What comes of rows of x = time², every 0.1 s. */
const squares = (over: OverRows, count = 11): number[] =>
  Array.from({ length: count }, (_, k) => over.take(k / 10, (k / 10) ** 2));

describe('functions over rows', () => {
  it('are the rate and the change since the row before, and nothing at the first', () => {
    const rates = squares(new Change(true));
    expect(rates[0]).to.be.NaN;
    expect(rates[10]).to.be.closeTo(1.9, 1e-9);
    expect(squares(new Change(false))[10]).to.be.closeTo(0.19, 1e-9);
  });

  it('keep their rate while time stands still', () => {
    const rate = new Change(true);
    rate.take(0, 0);
    expect([rate.take(1, 3), rate.take(1, 9), rate.take(2, 4)]).to.deep.equal([3, 3, 1]);
  });

  it('are the area, by trapezoids', () => {
    expect(squares(new Integral(), 1001).at(-1)).to.be.closeTo(100 ** 3 / 3, 1);
  });

  it('follow with a time constant', () => {
    const low = new LowPass(2);
    low.take(0, 0);
    expect(low.take(2, 1)).to.be.closeTo(1 - 1 / Math.E, 1e-9);
  });

  it('are the mean of the last seconds, however many rows these have', () => {
    expect(squares(new MovingMean(0.25)).at(-1)).to.be.closeTo((1 + 0.81 + 0.64) / 3, 1e-9);
    const mean = new MovingMean(10);
    let latest = 0;
    for (let k = 0; k <= 20_000; k++) latest = mean.take(k / 1000, k / 1000);
    expect(latest).to.be.closeTo(15, 0.05);
  });

  it('begin anew after a jump of time', () => {
    for (const over of [new Change(true), new Change(false)]) {
      squares(over);
      over.reset();
      expect(over.take(0, 5)).to.be.NaN;
    }
  });
});
