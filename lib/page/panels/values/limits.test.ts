import { expect } from 'chai';
import { gridRows, MOST_CELLS } from './array-grid.js';
import { limitState, limitsFault } from './limits.js';
import { CHANGE_MILLIS, ChangeMarks, staleAfterMillis } from './staleness.js';

describe('limits', () => {
  const limits = { lowAlarm: -10, lowWarning: -5, highWarning: 5, highAlarm: 10 };
  it('are broken beyond their bound, the alarm before the warning', () => {
    const states = [0, 5, 5.1, 10, 10.1, -5.1, -11].map((value) => limitState(value, limits));
    expect(states).to.deep.equal(['normal', 'normal', 'warning', 'warning', 'alarm', 'warning', 'alarm']);
  });

  it('are broken by NaN, and none by none', () => {
    expect(limitState(Number.NaN, { highWarning: 1 })).to.equal('warning');
    expect(limitState(Number.NaN, {})).to.equal('normal');
    expect(limitState(Infinity, { lowAlarm: 0 })).to.equal('normal');
  });

  it('out of order are refused', () => {
    expect(limitsFault({ lowWarning: 5, highWarning: 1 })).to.equal('low warning (5) is above high warning (1)');
    expect(limitsFault({ highAlarm: Number.NaN })).to.equal('high alarm must be a number');
    expect(limitsFault(limits)).to.equal(undefined);
  });
});

describe('a grid', () => {
  it('shows a vector as a column and a matrix as rows', () => {
    expect(gridRows([1, 2]).map((row) => row.map(({ index }) => index))).to.deep.equal([['[0]'], ['[1]']]);
    const matrix = gridRows([
      [1, 2],
      [3, 4],
    ]);
    expect(matrix.map((row) => row.map(({ index, value }) => `${index}=${value}`))).to.deep.equal([
      ['[0][0]=1', '[0][1]=2'],
      ['[1][0]=3', '[1][1]=4'],
    ]);
  });

  it('ends before a large array has filled the page', () => {
    const cells = gridRows(Array.from({ length: 100_000 }, (_, k) => k)).flat();
    expect(cells).to.have.length(MOST_CELLS);
    const wide = gridRows(Array.from({ length: 3 }, () => Array.from({ length: 1500 }, () => 0))).flat();
    expect(wide).to.have.length(MOST_CELLS);
  });
});

describe('a row that changes', () => {
  it('is marked for a while, but not when it is shown first', () => {
    let now = 0;
    const marks = new ChangeMarks(() => now);
    marks.note('ball.mass', '1');
    expect(marks.isFresh('ball.mass')).to.equal(false);
    marks.note('ball.mass', '2');
    expect(marks.isFresh('ball.mass')).to.equal(true);
    now += CHANGE_MILLIS;
    expect(marks.isFresh('ball.mass')).to.equal(false);
    marks.note('ball.mass', '3');
    marks.forget('ball.mass');
    expect(marks.isFresh('ball.mass')).to.equal(false);
  });

  it('is stale after some cycles, and never within a pause of the browser', () => {
    expect(staleAfterMillis(100)).to.equal(2000);
    expect(staleAfterMillis(1000)).to.equal(5000);
  });
});
