// Monte Carlo tables as Parquet, read back by the reader of the library's author.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { tableOf } from './monte-carlo-table.js';

interface Reader {
  parquetMetadata(file: ArrayBufferLike): {
    readonly schema: readonly { readonly name: string; readonly type?: string }[];
  };
  parquetReadObjects(options: { readonly file: ArrayBufferLike }): Promise<readonly object[]>;
}

/** It is a dependency of the writer, so it is found from there. */
async function reader(): Promise<Reader> {
  const fromHere = createRequire(import.meta.url);
  const fromWriter = createRequire(fromHere.resolve('hyparquet-writer'));
  return (await import(pathToFileURL(fromWriter.resolve('hyparquet')).href)) as Reader;
}

describe('a table as Parquet', () => {
  it('has the columns of the .csv, with types, and nulls where a run has none', async () => {
    const big = 2n ** 62n;
    const rows = [
      { run: 0, seed: 7, set: { 'a.x': 1.5 }, timeSeconds: 2, values: { 'a.v': [1, 2], 'a.n': big, 'a.on': true } },
      { run: 2, seed: 8, set: { 'a.x': 'é' }, values: {}, error: 'fell, over "it"' },
    ];
    const table = tableOf({ rows: rows, asked: [] }, 3);
    const { buffer } = await table.parquet();
    const { parquetMetadata, parquetReadObjects } = await reader();
    expect(await parquetReadObjects({ file: buffer })).to.deep.equal([
      { run: 0, seed: 7, 'a.x': '1.5', time: 2, 'a.v[0]': 1, 'a.v[1]': 2, 'a.n': big, 'a.on': true, error: null },
      {
        run: 2,
        seed: 8,
        'a.x': 'é',
        time: null,
        'a.v[0]': null,
        'a.v[1]': null,
        'a.n': null,
        'a.on': null,
        error: 'fell, over "it"',
      },
    ]);
    const types = parquetMetadata(buffer).schema.flatMap(({ name, type }) => (type ? [`${name} ${type}`] : []));
    expect(types).to.include.members(['run DOUBLE', 'a.v[0] DOUBLE', 'a.n INT64', 'a.on BOOLEAN', 'a.x BYTE_ARRAY']);
    expect([table.missing, table.failed]).to.deep.equal([1, 1]);
  });

  it('can be empty', async () => {
    const { buffer } = await tableOf({ rows: [], asked: [] }, 3).parquet();
    expect(await (await reader()).parquetReadObjects({ file: buffer })).to.deep.equal([]);
    expect(tableOf({ rows: [], asked: [] }, 3).csv()).to.equal('run,seed,time,error\n');
  });

  it('takes a column of 64-bit integers that INT64 cannot hold as text', async () => {
    const rows = [{ run: 0, seed: 1, set: {}, timeSeconds: 0, values: { 'a.u': 2n ** 64n - 1n } }];
    const { buffer } = await tableOf({ rows: rows, asked: [] }, 1).parquet();
    const [row] = await (await reader()).parquetReadObjects({ file: buffer });
    expect(row).to.have.property('a.u', '18446744073709551615');
  });
});
