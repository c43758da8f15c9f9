// Parquet files that are read: of every encoding and compression that others write, and damaged.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import zlib from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import { recordingsHere, tableOf } from '../../testing/aids/recordings-here.js';
import { doubles, trkFile } from '../../testing/aids/trk-file.js';
import { convert } from './convert.js';
import { openRecording } from './open.js';
import type { Recording } from './recording.js';
import { survey } from './survey.js';
import { zstd } from './zstd.js';

const ROWS = 3000;
const rising = Array.from({ length: ROWS }, (_, row) => row);
const time: ColumnSource = { name: 'time', data: rising.map((row) => row / 100), type: 'DOUBLE' };
const TYPES: readonly ColumnSource[] = [
  { name: 'd', data: rising.map((row) => (row === 7 ? Number.NaN : Math.sqrt(row))), type: 'DOUBLE' },
  { name: 'f', data: rising.map((row) => Math.fround(row / 3)), type: 'FLOAT' },
  { name: 'i', data: rising.map((row) => row - 1500), type: 'INT32' },
  { name: 'l', data: rising.map((row) => BigInt(row) * -(2n ** 40n)), type: 'INT64' },
  { name: 'b', data: rising.map((row) => row % 3 === 0), type: 'BOOLEAN' },
  { name: 'few', data: rising.map((row) => (row % 7) / 8), type: 'DOUBLE' },
];

describe('a Parquet file', () => {
  const here = recordingsHere();
  const fileOf = (columns: readonly ColumnSource[], options: object = {}): Buffer =>
    Buffer.from(parquetWriteBuffer({ columnData: [...columns], pageSize: 2500, rowGroupSize: 1024, ...options }));
  const tableIn = (columns: readonly ColumnSource[]) =>
    Object.fromEntries(columns.map(({ name, data }) => [name, Array.from(data as ArrayLike<unknown>)]));

  it('of several pages in several groups is read from any row', () => {
    const columns = [time, ...TYPES];
    const recording = here.of('a.parquet', fileOf(columns, { codec: 'UNCOMPRESSED' }));
    expect([recording.format, recording.rows, recording.faults, recording.time.name]).to.deep.equal([
      'Parquet',
      ROWS,
      [],
      'time',
    ]);
    expect(tableOf(recording)).to.deep.equal(tableIn(columns));
    const [d, l] = ['d', 'l'].map((name) => recording.columns.find((column) => column.name === name));
    for (const row of [ROWS - 1, 0, 1024, 1023, 2048, 1234]) {
      expect(recording.value(d as Recording['time'], row)).to.equal(Math.sqrt(row));
      expect(recording.peek(l as Recording['time'], row)).to.equal(BigInt(row) * -(2n ** 40n));
    }
    expect(recording.rowAt(20.005)).to.equal(2000);
    expect(survey(recording)).to.include({ rows: ROWS, stepSeconds: 0.01, gaps: 0, lastSeconds: 29.99 });
  });

  it('may be compressed in every way, and encoded', async () => {
    const compress = await zstd();
    const compressors = { GZIP: zlib.gzipSync, BROTLI: zlib.brotliCompressSync, ZSTD: compress };
    const encoded = [
      ...TYPES,
      ...TYPES.filter(({ name }) => 'dfil'.includes(name)).map((column) => split(column, 'BYTE_STREAM_SPLIT')),
      ...TYPES.filter(({ name }) => 'il'.includes(name)).map((column) => split(column, 'DELTA_BINARY_PACKED')),
      split(TYPES[4] as ColumnSource, 'RLE'),
      split(TYPES[5] as ColumnSource, 'RLE_DICTIONARY'),
    ];
    for (const codec of ['SNAPPY', 'GZIP', 'BROTLI', 'ZSTD']) {
      const recording = here.of('a.parquet', fileOf([time, ...encoded], { codec, compressors }));
      expect(tableOf(recording), codec).to.deep.equal(tableIn([time, ...encoded]));
    }
  });
  const split = (column: ColumnSource, encoding: NonNullable<ColumnSource['encoding']>): ColumnSource => ({
    ...column,
    name: `${column.name} ${encoding}`,
    encoding,
  });

  it('has NaN and 0 where there is no value, and seconds of moments', () => {
    const moments = rising.map((row) => new Date(1_700_000_000_000 + row * 250));
    const holes = <T>(values: ColumnSource['data'], none: T) =>
      Array.from(values as ArrayLike<T>, (value, row) => (row % 5 === 0 ? none : value));
    const given = TYPES.map((column): ColumnSource => ({ ...column, data: holes(column.data, null), nullable: true }));
    const word: ColumnSource = { name: 'word', data: rising.map(String), type: 'STRING' };
    const at: ColumnSource = { name: 'at', data: moments, type: 'TIMESTAMP' };
    const recording = here.of('a.parquet', fileOf([word, ...given, at]));
    expect(recording.time.name).to.equal('at');
    const none: Readonly<Record<string, unknown>> = { i: 0, l: 0n, b: false };
    expect(tableOf(recording)).to.deep.equal({
      ...Object.fromEntries(TYPES.map(({ name, data }) => [name, holes(data, none[name] ?? Number.NaN)])),
      at: moments.map((moment) => moment.getTime() / 1000),
    });
    expect(recording.faults).to.deep.equal(['word is left out: it is no column of numbers']);
    const other = openRecording(here.path('a.parquet'), { time: 'i' });
    expect(other.time.name).to.equal('i');
    other.close();
    const refused = (name: string) => openRecording(here.path('a.parquet'), { time: name });
    expect(() => refused('word')).to.throw(/a\.parquet has no column of numbers word$/);
    writeFileSync(here.path('b.parquet'), fileOf([{ ...(TYPES[0] as ColumnSource) }]));
    expect(() => here.open(here.path('b.parquet'))).to.throw(/b\.parquet has no times: no column sys\.exec\.out\.time/);
  });

  it('of varwire has its units again, is a run with others, and becomes another file', async () => {
    const times = doubles('sys.exec.out.time', [0, 1, 2], 's');
    const unsigned = { name: 'n', code: 9, sizeBytes: 8, values: [2n ** 64n - 1n, 0n, 1n] };
    const small = { name: 'u', code: 7, sizeBytes: 4, values: [2 ** 32 - 1, 0, 1] };
    const given = here.of('a.trk', trkFile([times, doubles('x', [1, 2, 3], 'm/s'), unsigned, small]));
    await convert(given, here.path('a.parquet'));
    const recording = here.open(here.path('a.parquet'));
    expect(tableOf(recording)).to.deep.equal(tableOf(given));
    expect(recording.columns.map(({ units }) => units)).to.deep.equal(['s', 'm/s', '--', '--']);
    const source = here.source(here.path('a.parquet'));
    const points = await source.recorded?.points('recording.x', 0, 2, 100);
    expect([points?.times, points?.values]).to.deep.equal([
      [0, 1, 2],
      [1, 2, 3],
    ]);
    await source.close();
    const both = here.open([here.path('a.trk'), here.path('a.parquet')]);
    expect(tableOf(both)['run2.x']).to.deep.equal([1, 2, 3]);
    const more = here.of(
      'b.trk',
      trkFile([doubles('sys.exec.out.time', [0, 1, 2, 3]), doubles('x', [1, 2, 3, 4]), unsigned, small]),
    );
    await convert(more, here.path('b.parquet'));
    writeFileSync(here.path('a.parquet'), readFileSync(here.path('b.parquet')));
    recording.refresh();
    expect([recording.rows, recording.seconds(3), recording.faults]).to.deep.equal([4, 3, []]);
    appendFileSync(here.path('a.parquet'), 'x');
    recording.refresh();
    expect([recording.rows, recording.faults.length]).to.deep.equal([0, 1]);
    expect(recording.faults[0]).to.match(/a\.parquet is not finished, or cut: a Parquet file is known by its end$/);
  });

  it('that announces too much is refused', () => {
    const whole = fileOf([time, ...TYPES], { rowGroupSize: ROWS });
    // Rows of the file, and of its only group, as numbers of two bytes in zigzag.
    const rows = Buffer.from([0xf0, 0x2e]);
    let at = whole.lastIndexOf(rows);
    const bytes = Buffer.from(whole);
    for (; at > whole.length / 2; at = whole.lastIndexOf(rows, at - 1)) bytes.set([0xf2, 0x2e], at);
    expect(() => tableOf(here.of('a.parquet', bytes))).to.throw(
      /a\.parquet is damaged in time: a column has 3000 values for 3001 rows$/,
    );
  });

  it('of any bytes is read or refused in one sentence', async () => {
    const compressors = { ZSTD: await zstd() };
    const few = (columns: readonly ColumnSource[]) =>
      columns.map((column) => ({
        ...column,
        data: Array.from(column.data as ArrayLike<unknown>).slice(0, 60),
        nullable: true,
      }));
    const columns = few([
      time,
      ...TYPES,
      split(TYPES[2] as ColumnSource, 'DELTA_BINARY_PACKED'),
      split(TYPES[5] as ColumnSource, 'RLE_DICTIONARY'),
    ]);
    const files = ['SNAPPY', 'ZSTD', 'UNCOMPRESSED'].map((codec) => fileOf(columns, { codec, compressors }));
    fc.assert(
      fc.property(
        fc.constantFrom(...files),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.uint8Array({ minLength: 1, maxLength: 8 }),
        fc.boolean(),
        (whole, place, damage, isCut) => {
          const offset = Math.floor(place * whole.length);
          const bytes = Buffer.from(whole);
          bytes.set(damage.subarray(0, bytes.length - offset), offset);
          let recording: Recording | undefined;
          try {
            writeFileSync(here.path('any.parquet'), isCut ? bytes.subarray(0, offset) : bytes);
            recording = openRecording(here.path('any.parquet'));
            for (const column of recording.columns) recording.values(column, 0, Math.min(recording.rows, 100));
          } catch (error) {
            expect((error as Error).message)
              .to.match(/any\.parquet/)
              .and.not.match(/\n/);
          } finally {
            recording?.close();
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
