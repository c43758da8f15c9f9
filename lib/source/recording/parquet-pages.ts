// Pages of a column of a Parquet file: pieces of its values, each compressed and encoded by itself. Parquet: README.md, Encodings.md
import zlib from 'node:zlib';
import type { PageHeader, ParquetType } from 'hyparquet';
import { unlz4Block } from './lz4.js';
import { hybridIn, joinedBytes } from './parquet-bits.js';
import { deltaLibrary, pageLibrary, parquetLibrary } from './parquet-library.js';
import type { RecordingFile } from './recording-file.js';
import { unzipped } from './zstd.js';

/** Of a page as it is in memory. */
const [MOST_BYTES, MOST_VALUES] = [64 * 1024 * 1024, 8 * 1024 * 1024];
/** Of the head of a page; it may have texts in it. */
const [SHORT_HEAD_BYTES, LONGEST_HEAD_BYTES] = [1024, 1024 * 1024];

export type Numbers = Float64Array | BigInt64Array;

/** A column in a group of rows: a stretch of the file with pages. */
export interface ColumnChunk {
  readonly start: number;
  readonly end: number;
  readonly codec: string;
  readonly type: ParquetType;
  /** Whether rows may have no value. */
  readonly isOptional: boolean;
}

/** Where a page stands, and which rows of its group it has. */
export interface Page {
  readonly from: number;
  readonly count: number;
  readonly start: number;
  readonly header: PageHeader;
}

interface Pages {
  readonly dictionary: Page | undefined;
  readonly data: readonly Page[];
}

/** The pages of a chunk. Throws an Error for those that have another number of rows than their group. */
export function pagesOf(file: RecordingFile, { start, end }: ColumnChunk, rows: number): Pages {
  let dictionary: Page | undefined;
  const data: Page[] = [];
  let from = 0;
  for (let at = start; at < end && from < rows; ) {
    const { header, bytes } = headAt(file, at, end);
    const body = at + bytes;
    const { type, compressed_page_size: size } = header;
    if (!(size >= 0 && body + size <= end)) throw new Error('a page is longer than its column');
    if (!(header.uncompressed_page_size >= 0 && header.uncompressed_page_size <= MOST_BYTES))
      throw new Error(`a page would have ${header.uncompressed_page_size} bytes`);
    const count = countOf(header);
    if (!(count >= 0 && count <= MOST_VALUES)) throw new Error(`a page announces ${count} values`);
    if (type === 'DICTIONARY_PAGE') dictionary = { from: 0, count, start: body, header };
    else if (count > 0) data.push({ from, count, start: body, header });
    if (type !== 'DICTIONARY_PAGE') from += count;
    at = body + size;
  }
  if (from !== rows) throw new Error(`a column has ${from} values for ${rows} rows`);
  return { dictionary, data };
}

/** Values of a data page; of another kind of page none. */
const countOf = ({ data_page_header: first, data_page_header_v2: second, dictionary_page_header: words }: PageHeader) =>
  (first ?? second ?? words)?.num_values ?? 0;

function headAt(file: RecordingFile, at: number, end: number): { readonly header: PageHeader; readonly bytes: number } {
  for (let length = SHORT_HEAD_BYTES; ; length = LONGEST_HEAD_BYTES)
    try {
      const read = file.read(at, Math.min(length, end - at));
      const reader = { view: new DataView(read.buffer, read.byteOffset, read.length), offset: 0 };
      return { header: pageLibrary().parquetHeader(reader), bytes: reader.offset };
    } catch {
      if (length === LONGEST_HEAD_BYTES || length >= end - at) throw new Error('a page has no head');
    }
}

/** The values of a dictionary, which pages refer to by their numbers. */
export function dictionaryIn(file: RecordingFile, { codec, type }: ColumnChunk, page: Page): Numbers {
  const { compressed_page_size: stored, uncompressed_page_size: length } = page.header;
  return plainIn(decompressed(file.read(page.start, stored), codec, length), type, page.count);
}

/** The values of a page; where there is none, NaN or 0. */
export function valuesIn(
  file: RecordingFile,
  { codec, type, isOptional }: ColumnChunk,
  { start, count, header }: Page,
  dictionary: Numbers | undefined,
): Numbers {
  const stored = file.read(start, header.compressed_page_size);
  const { body, levels } = header.data_page_header_v2
    ? secondForm(stored, header, codec)
    : firstForm(decompressed(stored, codec, header.uncompressed_page_size), isOptional);
  const areThere = isOptional && levels ? hybridIn(levels, 0, 1, count) : undefined;
  const most = areThere ? areThere.reduce((sum, level) => sum + level, 0) : count;
  const { encoding } = header.data_page_header ?? header.data_page_header_v2 ?? { encoding: '' };
  const values = decoded(body, encoding, type, most, dictionary);
  return areThere && most < count ? spread(values, areThere) : values;
}

interface Levels {
  readonly body: Uint8Array;
  readonly levels: Uint8Array | undefined;
}

/** Levels are compressed with the values, and have their length before them. */
function firstForm(page: Uint8Array, isOptional: boolean): Levels {
  if (!isOptional) return { body: page, levels: undefined };
  const length = viewOf(page).getUint32(0, true);
  return { body: page.subarray(4 + length), levels: page.subarray(4, 4 + length) };
}

/** Levels stand before the values, which alone are compressed. */
function secondForm(stored: Uint8Array, header: PageHeader, codec: string): Levels {
  const second = header.data_page_header_v2 as NonNullable<PageHeader['data_page_header_v2']>;
  const { repetition_levels_byte_length: before, definition_levels_byte_length: levels, is_compressed } = second;
  const values = stored.subarray(before + levels);
  const length = header.uncompressed_page_size - before - levels;
  return {
    body: is_compressed === false ? values : decompressed(values, codec, length),
    levels: levels > 0 ? stored.subarray(before, before + levels) : undefined,
  };
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

const DECOMPRESS: Readonly<Record<string, (bytes: Uint8Array, length: number) => Uint8Array>> = {
  UNCOMPRESSED: (bytes) => bytes,
  SNAPPY: (bytes, length) => {
    const into = new Uint8Array(length);
    parquetLibrary().snappyUncompress(bytes, into);
    return into;
  },
  GZIP: (bytes, length) => zlib.gunzipSync(bytes, { maxOutputLength: Math.max(1, length) }),
  BROTLI: (bytes, length) => zlib.brotliDecompressSync(bytes, { maxOutputLength: Math.max(1, length) }),
  ZSTD: unzipped,
  LZ4_RAW: (bytes, length) => {
    const into = new Uint8Array(length);
    return into.subarray(0, unlz4Block(bytes, into, 0, 0));
  },
};

function decompressed(bytes: Uint8Array, codec: string, length: number): Uint8Array {
  const decompress = DECOMPRESS[codec];
  if (!decompress) throw new Error(`it is compressed with ${codec}, which is not read`);
  if (!(length >= 0)) throw new Error(`a page would have ${length} bytes`);
  const found = length === 0 ? new Uint8Array() : decompress(bytes, length);
  if (found.length !== length) throw new Error('a page has another length than it announces');
  return found;
}

function decoded(
  body: Uint8Array,
  encoding: string,
  type: ParquetType,
  count: number,
  dictionary: Numbers | undefined,
): Numbers {
  switch (encoding) {
    case 'PLAIN':
      return plainIn(body, type, count);
    case 'PLAIN_DICTIONARY':
    case 'RLE_DICTIONARY': {
      if (!dictionary) throw new Error('a page refers to a dictionary that is not there');
      return chosen(dictionary, hybridIn(body, 1, count === 0 ? 0 : (body[0] as number), count));
    }
    case 'RLE':
      if (type !== 'BOOLEAN') break;
      return Float64Array.from(hybridIn(body, 4, 1, count));
    case 'BYTE_STREAM_SPLIT':
      return plainIn(joinedBytes(body, count, WIDTHS[type] ?? 0), type, count);
    case 'DELTA_BINARY_PACKED':
      return deltasIn(body, type, count);
  }
  throw new Error(`its values are ${encoding}, which is not read`);
}

const WIDTHS: Readonly<Record<string, number>> = { INT32: 4, INT64: 8, FLOAT: 4, DOUBLE: 8 };

function plainIn(body: Uint8Array, type: ParquetType, count: number): Numbers {
  if (type === 'BOOLEAN') {
    if (8 * body.length < count) throw new Error('it has fewer values than it announces');
    return Float64Array.from({ length: count }, (_, index) => ((body[index >> 3] as number) >> (index & 7)) & 1);
  }
  // A copy, where numbers of any width may begin.
  const { buffer, byteLength } = new Uint8Array(body.subarray(0, count * (WIDTHS[type] ?? 0)));
  if (byteLength !== count * (WIDTHS[type] ?? Number.NaN)) throw new Error('it has fewer values than it announces');
  if (type === 'DOUBLE') return new Float64Array(buffer);
  if (type === 'INT64') return new BigInt64Array(buffer);
  return Float64Array.from(type === 'FLOAT' ? new Float32Array(buffer) : new Int32Array(buffer));
}

function deltasIn(body: Uint8Array, type: ParquetType, count: number): Numbers {
  const values = type === 'INT64' ? new BigInt64Array(count) : new Int32Array(count);
  if (count > 0) deltaLibrary().deltaBinaryUnpack({ view: viewOf(body), offset: 0 }, count, values);
  return values instanceof BigInt64Array ? values : Float64Array.from(values);
}

function chosen(dictionary: Numbers, indices: Int32Array): Numbers {
  if (indices.some((index) => index >= dictionary.length)) throw new Error('a page has numbers without a word');
  return dictionary instanceof BigInt64Array
    ? BigInt64Array.from(indices, (index) => dictionary[index] as bigint)
    : Float64Array.from(indices, (index) => dictionary[index] as number);
}

/** @param areThere 1 for each row that has a value. */
function spread(values: Numbers, areThere: Int32Array): Numbers {
  let next = 0;
  return values instanceof BigInt64Array
    ? BigInt64Array.from(areThere, (level) => (level === 1 ? (values[next++] as bigint) : 0n))
    : Float64Array.from(areThere, (level) => (level === 1 ? (values[next++] as number) : Number.NaN));
}
