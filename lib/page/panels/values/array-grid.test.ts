import { expect } from 'chai';
import { gridRows, MOST_CELLS } from './array-grid.js';

describe('a grid', () => {
  it('shows a vector as a column and a matrix as rows', () => {
    expect(gridRows([1, 2]).map((row) => row.map(({ index }) => index))).to.deep.equal([['[0]'], ['[1]']]);
    const nested = [
      [1, 2],
      [3, 4],
    ];
    for (const matrix of [gridRows(nested), gridRows(Float64Array.of(1, 2, 3, 4), [2, 2])]) {
      expect(matrix.map((row) => row.map(({ index, value }) => `${index}=${value}`))).to.deep.equal([
        ['[0][0]=1', '[0][1]=2'],
        ['[1][0]=3', '[1][1]=4'],
      ]);
    }
  });

  it('ends before a large array has filled the page', () => {
    const cells = gridRows(Array.from({ length: 100_000 }, (_, k) => k)).flat();
    expect(cells).to.have.length(MOST_CELLS);
    const wide = gridRows(Array.from({ length: 3 }, () => Array.from({ length: 700 }, () => 0))).flat();
    expect(wide).to.have.length(MOST_CELLS);
  });
});
