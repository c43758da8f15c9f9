import { expect } from 'chai';
import { historyRows, seriesOf } from './history-rows.js';

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

  it('hold the last value of a switch, and of what is sampled less often than another', () => {
    const rows = historyRows(
      [
        { times: [0, 2], values: [0, 1] },
        { times: [0, 0.9, 1, 2, 2.5], values: [5, 6, 7, 8, 9] },
      ],
      [true, false],
    );
    expect(rows.map(({ least }) => least[0])).to.deep.equal([0, 0, 0, 1, 1]);
  });

  it('have the first value of a variable that was kept before its first point here', () => {
    const [first] = historyRows([
      { times: [2], values: [5], since: 0 },
      { times: [1], values: [6], since: 0 },
    ]);
    expect(first).to.deep.equal({ time: 1, least: [5, 6], most: [5, 6] });
  });

  it('are those of the variables asked for, also of one that is called constructor', () => {
    const series = { a: { times: [0], values: [1] } };
    expect(seriesOf(series, ['a', 'constructor', '__proto__'])).to.deep.equal([series.a, undefined, undefined]);
  });

  it('interrupt all lines where time was set to another, though variables were sampled at different times', () => {
    const rows = historyRows(
      [
        { times: [8, 8.5, 40], values: [1, null, 2] },
        { times: [8, 9, 9.5, 40], values: [3, 4, null, 5] },
      ],
      [true, false],
    );
    const texts = rows.map(({ time, least, isBreak = false }) => `${time}: ${least.join(' ')} ${isBreak}`);
    expect(texts).to.deep.equal([
      '8: 1 3 false',
      '8.5: NaN 3.5 false',
      '9: NaN 4 false',
      '9.5: NaN NaN true',
      '40: 2 5 false',
    ]);
  });

  it('have a gap where a variable could not be read, was not kept, or is unknown', () => {
    const rows = historyRows([
      { times: [0, 2, 4], values: [0, null, 4] },
      { times: [0.5, 1, 1.5], values: [0, 'Infinity', 3] },
      undefined,
    ]);
    expect(rows.map(({ time, least }) => [time, ...least])).to.deep.equal([
      [0, 0, Number.NaN, Number.NaN],
      [0.5, Number.NaN, 0, Number.NaN],
      [1, Number.NaN, Infinity, Number.NaN],
      [1.5, Number.NaN, 3, Number.NaN],
      [2, Number.NaN, 3, Number.NaN],
      [4, 4, Number.NaN, Number.NaN],
    ]);
  });
});
