// What the end of a Parquet file tells: its columns of numbers, and where their values are. Parquet: parquet.thrift
import type { FileMetaData, SchemaElement } from 'hyparquet';
import type { LeafType, NumberName } from '../../model/state/type.js';
import { parquetLibrary } from './parquet-library.js';
import type { ColumnChunk } from './parquet-pages.js';
import type { RecordingFile } from './recording-file.js';

/** With what a file begins, and ends. */
export const PARQUET_MARK = 'PAR1';
/** It takes many times as much in memory. */
const LONGEST_BYTES = 16 * 1024 * 1024;
const MOST_COLUMNS = 100_000;
/** Constant values take this part of a byte, at the least. */
const MOST_ROWS_OF_A_BYTE = 10_000;
/** Behind the head: its length, and the mark. */
const END_BYTES = 8;

export interface ParquetColumn {
  readonly name: string;
  readonly units: string;
  readonly type: LeafType;
  /** Of a moment: how many of its numbers are a second. */
  readonly perSecond: bigint | undefined;
  /** In each group of rows. */
  readonly chunks: readonly ColumnChunk[];
}

export interface ParquetHead {
  readonly columns: readonly ParquetColumn[];
  /** Of each group. */
  readonly rows: readonly number[];
  /** Why others are left out, one sentence each. */
  readonly leftOut: readonly string[];
}

/** Throws an Error with one sentence for a file that is not finished, or damaged. */
export function parquetHead(file: RecordingFile): ParquetHead {
  const end = file.read(Math.max(0, file.sizeBytes - END_BYTES), END_BYTES);
  const length = end.length < END_BYTES ? 0 : end.readUInt32LE(0);
  if (length === 0 || end.toString('latin1', 4) !== PARQUET_MARK)
    throw new Error(`${file.path} is not finished, or cut: a Parquet file is known by its end`);
  if (length > LONGEST_BYTES || length + END_BYTES > file.sizeBytes)
    throw new Error(`${file.path} is damaged: its list of columns would have ${length} bytes`);
  let metadata: FileMetaData;
  try {
    const bytes = file.read(file.sizeBytes - END_BYTES - length, length + END_BYTES);
    metadata = parquetLibrary().parquetMetadata(bytes, { geoparquet: false });
  } catch {
    throw new Error(`${file.path} is damaged: its list of columns cannot be read`);
  }
  return headOf(file, metadata);
}

function headOf({ path, sizeBytes }: RecordingFile, metadata: FileMetaData): ParquetHead {
  const { schema, row_groups: groups, key_value_metadata: notes = [] } = metadata;
  const rows = groups.map(({ num_rows }) => Number(num_rows));
  const all = rows.reduce((sum, count) => sum + count, 0);
  if (rows.some((count) => !(count >= 0)) || all > MOST_ROWS_OF_A_BYTE * sizeBytes)
    throw new Error(`${path} announces ${all} rows, too many for it`);
  const units = unitsIn(notes.find(({ key }) => key === 'units')?.value);
  const stored = groups.map(storedIn);
  const columns: ParquetColumn[] = [];
  const leftOut: string[] = [];
  for (const element of childrenOf(schema)) {
    const { name } = element;
    const type = element.num_children ? undefined : typeOf(element);
    if (!type) {
      if (leftOut.length < MOST_COLUMNS) leftOut.push(`${name} is left out: it is no column of numbers`);
      continue;
    }
    if (columns.length === MOST_COLUMNS) throw new Error(`${path} has more than ${MOST_COLUMNS} variables`);
    const chunks = stored.map((columns) => chunkOf(path, columns.get(name), element, sizeBytes));
    const perSecond = perSecondOf(element);
    const found = { name, units: perSecond ? 's' : (units.get(name) ?? '--'), chunks, perSecond };
    columns.push({ ...found, type: perSecond ? { kind: 'number', name: 'double' } : type });
  }
  return { columns, rows, leftOut };
}

/** The columns, and what has columns of its own. */
function childrenOf([, ...elements]: readonly SchemaElement[]): SchemaElement[] {
  const children: SchemaElement[] = [];
  let inner = 0;
  for (const element of elements) {
    if (inner === 0) children.push(element);
    inner = Math.max(0, inner - 1) + (element.num_children ?? 0);
  }
  return children;
}

type Stored = FileMetaData['row_groups'][number]['columns'][number]['meta_data'];

/** The columns of a group by their names. */
const storedIn = ({ columns }: FileMetaData['row_groups'][number]): ReadonlyMap<string, Stored> =>
  new Map(
    columns.flatMap(({ meta_data }): [string, Stored][] => {
      const [name, ...inner] = meta_data?.path_in_schema ?? [];
      return name === undefined || inner.length > 0 ? [] : [[name, meta_data]];
    }),
  );

function chunkOf(
  path: string,
  found: Stored,
  { name, type, repetition_type }: SchemaElement,
  sizeBytes: number,
): ColumnChunk {
  const start = Number(found?.dictionary_page_offset || found?.data_page_offset);
  const end = start + Number(found?.total_compressed_size);
  if (!(found && found.type === type && type && start > 0 && end >= start && end <= sizeBytes))
    throw new Error(`${path} is damaged: the values of ${name} are not in it`);
  return { start, end, codec: found.codec, type, isOptional: repetition_type !== 'REQUIRED' };
}

/** The type of a column; undefined for one that is no list of numbers. */
function typeOf(element: SchemaElement): LeafType | undefined {
  const { type, repetition_type, logical_type: logical } = element;
  const converted: string = element.converted_type ?? '';
  if (repetition_type === 'REPEATED' || converted === 'DECIMAL' || logical?.type === 'DECIMAL') return undefined;
  const integer = logical?.type === 'INTEGER' ? logical : undefined;
  const isUnsigned = converted.startsWith('UINT') || integer?.isSigned === false;
  const bits = integer?.bitWidth ?? Number(/^U?INT_(\d+)$/.exec(converted)?.[1] ?? (type === 'INT64' ? 64 : 32));
  const name =
    type === 'INT32' || type === 'INT64' ? INTEGERS[`${isUnsigned ? 'unsigned ' : ''}${bits}`] : OTHERS[`${type}`];
  return name && { kind: 'number', name };
}

const OTHERS: Readonly<Record<string, NumberName>> = { DOUBLE: 'double', FLOAT: 'float', BOOLEAN: 'bool' };
const INTEGERS: Readonly<Record<string, NumberName>> = {
  8: 'char',
  16: 'short',
  32: 'int',
  64: 'long long',
  'unsigned 8': 'unsigned char',
  'unsigned 16': 'unsigned short',
  'unsigned 32': 'unsigned int',
  'unsigned 64': 'unsigned long long',
};

const PER_SECOND: Readonly<Record<string, bigint>> = { MILLIS: 1000n, MICROS: 1_000_000n, NANOS: 1_000_000_000n };

function perSecondOf({ type, converted_type: converted, logical_type: logical }: SchemaElement) {
  if (type !== 'INT64') return undefined;
  if (logical?.type === 'TIMESTAMP') return PER_SECOND[logical.unit];
  return PER_SECOND[/^TIMESTAMP_(\w+)$/.exec(converted ?? '')?.[1] ?? ''];
}

/** As varwire writes them: JSON by the names of columns. */
function unitsIn(text: string | undefined): ReadonlyMap<string, string> {
  try {
    const found: unknown = JSON.parse(text ?? '{}');
    const entries = Object.entries(typeof found === 'object' && found !== null ? found : {});
    return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  } catch {
    return new Map();
  }
}
