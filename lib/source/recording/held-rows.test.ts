import { expect } from 'chai';
import { tableOf } from '../../testing/aids/recordings-here.js';
import { HeldRows } from './held-rows.js';

describe('a recording in memory', () => {
  it('has a row at each time of a series, and holds values until the next one', () => {
    const rows = new HeldRows('here', 'of a test', [
      { name: 'a', units: 'm', times: [-1, 1, 2], values: [10, 11, 12] },
      { name: 'b', units: '--', times: [0, 2], values: [20, Number.NaN] },
    ]);
    expect(tableOf(rows)).to.deep.equal({
      'sys.exec.out.time': [-1, 0, 1, 2],
      a: [10, 10, 11, 12],
      b: [Number.NaN, 20, 20, Number.NaN],
    });
    expect([rows.rows, rows.columns[1]?.units, rows.rowAt(1.5)]).to.deep.equal([4, 'm', 2]);
  });

  it('is refused when it would not fit', () => {
    const times = Array.from({ length: 200_000 }, (_, row) => row);
    const series = Array.from({ length: 400 }, (_, k) => ({ name: `v${k}`, units: 'm', times, values: times })).slice(
      1,
    );
    const few = series.map((one, k) => (k === 0 ? one : { ...one, times: [], values: [] }));
    expect(() => new HeldRows('here', 'of a test', few)).to.throw(/^here has 200000 rows of 399 variables, too many/);
  });
});
