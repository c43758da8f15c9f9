import { expect } from 'chai';
import { Trail } from './trail.js';

describe('a trail', () => {
  it('takes the past of before its first sample, and of a cut, and has a gap until then', () => {
    const trail = new Trail(2);
    trail.add(1, [10, 1], 0);
    trail.interrupt();
    trail.add(4, [40, 4], 0);
    trail.add(5, [50, 5], 0);
    expect(trail.column(0)).to.deep.equal([10, null, 40, 50]);
    const rows = [0, 1, 2, 3, 4].map((time) => ({ time, values: [10 * time, time] }));
    const joined = trail.with(rows);
    expect(joined.times).to.deep.equal([0, 1, 2, 3, 4, 5]);
    expect(joined.column(0)).to.deep.equal([0, 10, 20, 30, 40, 50]);
    expect(trail.with([]).column(0)).to.deep.equal([10, null, 40, 50]);
  });

  it('keeps whole samples, thins what is too long, and ends at the latest', () => {
    const trail = new Trail(2, 100);
    for (let k = 0; k < 10_000; k++) trail.add(k, [k, -k], -Infinity);
    expect(trail.count).to.be.within(40, 101);
    expect(trail.times.at(-1)).to.equal(9999);
    const [x, y] = [trail.column(0), trail.column(1)];
    expect(x).to.have.length(trail.times.length);
    expect(x.every((value, k) => value === trail.times[k] && y[k] === -(value as number) + 0)).to.equal(true);
  });

  it('keeps its gaps when it is thinned, and of a long one only the beginning', () => {
    const trail = new Trail(1, 100);
    const add = (from: number, to: number, value: number): void => {
      for (let k = from; k < to; k++) trail.add(k, [value], -Infinity);
    };
    add(0, 50, 1);
    trail.interrupt();
    add(60, 2000, 2);
    add(2000, 9000, Number.NaN);
    add(9000, 12_000, 3);
    const kept = trail.column(0).filter((value, k, all) => value !== all[k - 1]);
    expect(kept).to.deep.equal([1, null, 2, null, 3]);
    expect(trail.count).to.be.below(102);
  });

  it('is bounded also where there are more gaps than points', () => {
    const trail = new Trail(1, 100);
    for (let k = 0; k < 10_000; k++) {
      trail.add(k, [k], -Infinity);
      trail.interrupt();
    }
    expect(trail.count).to.be.below(102);
  });

  it('forgets what is older than wanted', () => {
    const trail = new Trail(1, 10_000);
    for (let k = 0; k < 5000; k++) trail.add(k, [k], k - 1000);
    expect(trail.count).to.be.within(1000, 1102);
  });

  it('begins again when time goes back', () => {
    const trail = new Trail(1);
    for (const time of [5, 6, 2]) trail.add(time, [time], -Infinity);
    expect(trail.times).to.deep.equal([2]);
  });

  it('has a gap where there is no number', () => {
    const trail = new Trail(1);
    trail.add(0, [Number.NaN], -Infinity);
    trail.add(1, [1], -Infinity);
    expect(trail.column(0)).to.deep.equal([null, 1]);
  });
});
