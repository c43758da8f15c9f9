// Recordings as Parquet, read back by the reader of the library's author.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { type Column, Row, TIME_COLUMN } from '../../simulation/recording/row.js';
import { recordingsHere } from '../../testing/aids/recordings-here.js';
import { doubles, trkFile } from '../../testing/aids/trk-file.js';
import { convert } from './convert.js';
import { writeParquet } from './parquet-writer.js';

interface Metadata {
  readonly schema: readonly { readonly name: string; readonly type?: string; readonly converted_type?: string }[];
  readonly key_value_metadata: readonly { readonly key: string; readonly value: string }[];
  readonly row_groups: readonly { readonly num_rows: bigint }[];
}

interface Reader {
  parquetMetadata(file: ArrayBufferLike): Metadata;
  parquetReadObjects(options: { readonly file: ArrayBufferLike }): Promise<readonly Record<string, unknown>[]>;
}

describe('a recording that is converted to Parquet', () => {
  const here = recordingsHere();
  let reader: Reader;
  before(async () => {
    // It is a dependency of the writer, so it is found from there.
    const fromWriter = createRequire(createRequire(import.meta.url).resolve('hyparquet-writer'));
    reader = await import(pathToFileURL(fromWriter.resolve('hyparquet')).href);
  });
  const written = (): ArrayBuffer => new Uint8Array(readFileSync(here.path('a.parquet'))).buffer;

  it('has every type exactly, and units', async () => {
    const times = [-0.5, 0, 0.1, 0.1];
    const numbers = [-0, Number.NaN, Number.NEGATIVE_INFINITY, 5e-324];
    const integers = [
      ['char', 1, 1, [-128, 127, 0, 1]],
      ['uchar', 2, 1, [255, 0, 0, 1]],
      ['short', 4, 2, [-32768, 32767, 0, 1]],
      ['ushort', 5, 2, [65535, 0, 0, 1]],
      ['int', 6, 4, [-(2 ** 31), 2 ** 31 - 1, 0, 1]],
      ['uint', 7, 4, [2 ** 32 - 1, 0, 2 ** 31, 1]],
      ['long', 8, 8, [-(2n ** 63n), 2n ** 63n - 1n, 0n, 1n]],
      ['ulong', 9, 8, [2n ** 64n - 1n, 0n, 2n ** 63n, 1n]],
      ['bits', 13, 4, [2 ** 32 - 1, 0, 2 ** 31, 1]],
      ['mode', 21, 4, [-1, 0, 7, 1]],
      ['single', 10, 4, [Math.fround(0.1), -0, 2 ** 100, Number.NaN]],
    ] as const;
    const bools = { name: 'a.on', code: 17, sizeBytes: 1, values: [1, 0, 0, 1] };
    const recording = here.of(
      'a.trk',
      trkFile([
        doubles('sys.exec.out.time', times, 's'),
        doubles('a.x', numbers, 'm/s'),
        bools,
        ...integers.map(([name, code, sizeBytes, values]) => ({ name: `a.${name}`, code, sizeBytes, values })),
      ]),
    );
    expect(await convert(recording, here.path('a.parquet'))).to.deep.equal([]);
    expect(await reader.parquetReadObjects({ file: written() })).to.deep.equal(
      times.map((time, row) => ({
        'sys.exec.out.time': time,
        'a.x': numbers[row],
        'a.on': bools.values[row] === 1,
        ...Object.fromEntries(integers.map(([name, , , values]) => [`a.${name}`, values[row]])),
      })),
    );
    const { schema, key_value_metadata } = reader.parquetMetadata(written());
    const types = schema.map(({ name, type, converted_type = '' }) => `${name} ${type} ${converted_type}`.trim());
    expect(types).to.include.members(['a.x DOUBLE', 'a.single FLOAT', 'a.on BOOLEAN', 'a.uchar INT32 UINT_8']);
    expect(types).to.include.members(['a.uint INT32 UINT_32', 'a.long INT64 INT_64', 'a.ulong INT64 UINT_64']);
    const units = key_value_metadata.find(({ key }) => key === 'units')?.value ?? '';
    expect(JSON.parse(units)).to.include({ 'sys.exec.out.time': 's', 'a.x': 'm/s', 'a.on': '--' });
  });

  it('has texts, and only what was chosen', async () => {
    const recording = here.of('a.csv', 'time,note,x\n0,up,1\n1,é,2\n2,,3\n');
    const chosen = { toSeconds: 1, isWanted: ({ name }: { name: string }) => name === 'note' };
    expect(await convert(recording, here.path('a.parquet'), {}, chosen)).to.deep.equal([]);
    expect(await reader.parquetReadObjects({ file: written() })).to.deep.equal([
      { 'sys.exec.out.time': 0, note: 'up' },
      { 'sys.exec.out.time': 1, note: 'é' },
    ]);
    await convert(recording, here.path('a.parquet'), {}, { fromSeconds: 10 });
    expect(await reader.parquetReadObjects({ file: written() })).to.deep.equal([]);
  });

  it('is written in groups of rows, so that a long one needs little memory', async () => {
    const x: Column = { name: 'x', units: 'm', type: { kind: 'number', name: 'double' }, offsetBytes: 8 };
    const row = new Row([TIME_COLUMN, x]);
    function* rows() {
      for (let index = 0; index < 10; index++) {
        row.setTime(index);
        yield row;
      }
    }
    const pieces: Buffer[] = [];
    writeParquet([TIME_COLUMN, x], rows(), (bytes) => void pieces.push(Buffer.from(bytes)), 4 * 16);
    const { buffer } = new Uint8Array(Buffer.concat(pieces));
    expect(reader.parquetMetadata(buffer).row_groups.map((group) => Number(group.num_rows))).to.deep.equal([4, 4, 2]);
    const read = await reader.parquetReadObjects({ file: buffer });
    expect(read.map((each) => each[TIME_COLUMN.name])).to.deep.equal([...Array(10).keys()]);
    expect(pieces).to.have.length(4);
  });

  it('is refused when two variables have one name', async () => {
    const recording = here.of('a.trk', trkFile([doubles('t', [0]), doubles('x', [1]), doubles('x', [2])]));
    const refusal = await convert(recording, here.path('a.parquet')).catch((error: Error) => error.message);
    expect(refusal).to.match(/a\.parquet cannot be written: two of its variables are called x$/);
  });
});
