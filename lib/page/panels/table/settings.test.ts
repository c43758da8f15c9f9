import { expect } from 'chai';
import type { VariableFacts } from '../../data/server.js';
import { MOST_ROWS, moved, tableSettings, withRow } from './settings.js';

const FACTS: VariableFacts = {
  ...{ alias: 'ball.height', type_path: 'double', unit: 'm', dim: [], about: '' },
  ...{ access: 'read-write', kind: 'number' },
};
const rowsOf = (...aliases: string[]) => aliases.map((alias) => ({ alias }));

describe('settings of a table', () => {
  it('are made of anything', () => {
    for (const given of [undefined, null, 'x', { rows: 'x', digits: 'many' }, { rows: [null, 7, {}], digits: -1 }]) {
      expect(tableSettings(given)).to.deep.equal({ rows: [], digits: 6 });
    }
    expect(tableSettings({ rows: ['a', { alias: 'b', units: 'ft' }, 'a'], digits: 9.9 })).to.deep.equal({
      rows: [
        { alias: 'a', units: undefined },
        { alias: 'b', units: 'ft' },
      ],
      digits: 9,
    });
  });

  it('take a variable once, and the members of a structure', () => {
    expect(withRow({ rows: rowsOf('a') }, FACTS)).to.deep.equal({ rows: rowsOf('a', 'ball.height') });
    expect(withRow({ rows: rowsOf('ball.height') }, FACTS)).to.deep.equal({ rows: rowsOf('ball.height') });
    const { kind: _, ...member } = FACTS;
    const struct: VariableFacts = { ...FACTS, alias: 'ball', kind: 'struct', members: [member] };
    expect(withRow({ rows: [] }, struct)).to.deep.equal({ rows: rowsOf('ball.height') });
  });

  it('say why they take no more', () => {
    const full = rowsOf(...Array.from({ length: MOST_ROWS }, (_, k) => `v${k}`));
    expect(withRow({ rows: full }, FACTS)).to.equal(`a table has at most ${MOST_ROWS} rows`);
    expect(withRow({ rows: [] }, { ...FACTS, access: 'write-only' })).to.equal('ball.height is write-only');
  });

  it('move a row, and not beyond the ends', () => {
    const rows = rowsOf('a', 'b', 'c');
    expect(moved(rows, 'b', -1)).to.deep.equal(rowsOf('b', 'a', 'c'));
    expect(moved(rows, 'b', 1)).to.deep.equal(rowsOf('a', 'c', 'b'));
    expect(moved(rows, 'c', 1)).to.equal(rows);
    expect(moved(rows, 'x', 1)).to.equal(rows);
  });
});
