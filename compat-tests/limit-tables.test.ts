// What is found in tables of bounds that do not say everything.
import { expect } from 'chai';
import { misshapen } from './limit-tables.js';

const HEAD = ['| bound | default | what happens at it | option | metric |', '|---|---|---|---|---|'];

describe('the tables of bounds', () => {
  it('may have rows without an option, and texts with a bar', () => {
    expect(
      misshapen([...HEAD, '| a | 1 | refused | | `m` |', '| b | `x\\|y` | cut | `--b` | the same |', '']),
    ).to.deep.equal([]);
  });

  it('have all columns, and a field in each', () => {
    const rows = ['| a | 1 | refused | `m` |', '| b | | refused | | `m` |', '| c | 1 | | | |'];
    expect(misshapen(['text', ...HEAD, ...rows, '', '| bound | default |', '|---|---|', '| d | 1 |'])).to.deep.equal([
      '4: a: 4 fields of 5',
      '5: b: nothing under default',
      '6: c: nothing under what happens at it, metric',
      '8: bound: the table has no column what happens at it, option, metric',
    ]);
  });
});
