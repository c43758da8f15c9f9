import { expect } from 'chai';
import { historyRows } from './history-rows.js';

describe('the rows of a history', () => {
  it('have each time once, and values between a variable’s own points', () => {
    const rows = historyRows([
      { times: [0, 2], values: [0, 20] },
      { times: [0, 1, 2], values: [5, 6, 7] },
    ]);
    expect(rows.map(({ time, least }) => [time, ...least])).to.deep.equal([
      [0, 0, 5],
      [1, 10, 6],
      [2, 20, 7],
    ]);
  });

  it('have a gap where a variable could not be read, was not kept, or is unknown', () => {
    const rows = historyRows([
      { times: [0, 2, 4], values: [0, null, 4] },
      { times: [1, 3], values: ['Infinity', 3] },
      undefined,
    ]);
    expect(rows.map(({ least }) => least)).to.deep.equal([
      [0, Number.NaN, Number.NaN],
      [Number.NaN, Infinity, Number.NaN],
      [Number.NaN, Number.NaN, Number.NaN],
      [Number.NaN, 3, Number.NaN],
      [4, Number.NaN, Number.NaN],
    ]);
  });
});
