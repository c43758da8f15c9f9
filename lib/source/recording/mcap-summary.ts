// The summary at the end of an MCAP file that varwire has written: where its chunks are, and how many rows each has.
import type { McapTypes } from '@mcap/core';
import { recordReader } from './mcap-chunks.js';
import type { RecordingFile } from './recording-file.js';

type Records = McapTypes.TypedMcapRecords;

export interface McapSummary {
  readonly schemas: readonly Records['Schema'][];
  readonly channels: readonly Records['Channel'][];
  readonly chunks: readonly Records['ChunkIndex'][];
  readonly metadata: readonly Records['MetadataIndex'][];
  /** Where the record behind all data stands. */
  readonly dataEnd: number;
}

/** Where the header has the name of the program, and how it begins there. */
const [LIBRARY_AT, LIBRARY] = [25, 'varwire '];
/** A footer and the magic behind it. */
const [FOOTER_BYTES, FOOTER] = [37, 2];
const DATA_END_BYTES = 13;
const LARGEST_BYTES = 64 * 1024 * 1024;
/** Of a chunk that is not compressed, before the records in it. */
const CHUNK_HEAD_BYTES = 49;
/** Of the index of a channel's messages in a chunk: before its entries, and of each. */
const [INDEX_HEAD_BYTES, ENTRY_BYTES] = [15, 16];
/** Of a message, before its data. */
const MESSAGE_HEAD_BYTES = 31;

/** Undefined for files of other programs, and for those that have no summary that could be read at once. */
export function summaryOf(file: RecordingFile): McapSummary | undefined {
  if (file.read(LIBRARY_AT, LIBRARY.length).toString('latin1') !== LIBRARY) return undefined;
  const footerAt = file.sizeBytes - FOOTER_BYTES;
  const footer = file.read(footerAt, FOOTER_BYTES);
  if (footer.length < FOOTER_BYTES || footer[0] !== FOOTER || footer.readBigUInt64LE(1) !== 20n) return undefined;
  const start = Number(footer.readBigUInt64LE(9));
  if (start === 0 || start >= footerAt || footerAt - start > LARGEST_BYTES) return undefined;
  const reader = recordReader();
  const found: {
    schemas: Records['Schema'][];
    channels: Records['Channel'][];
    chunks: Records['ChunkIndex'][];
    metadata: Records['MetadataIndex'][];
  } = { schemas: [], channels: [], chunks: [], metadata: [] };
  try {
    reader.append(file.read(start, footerAt - start));
    for (let record = reader.nextRecord(); record; record = reader.nextRecord())
      if (record.type === 'Schema') found.schemas.push({ ...record, data: record.data.slice() });
      else if (record.type === 'Channel') found.channels.push(record);
      else if (record.type === 'ChunkIndex') found.chunks.push(record);
      else if (record.type === 'MetadataIndex') found.metadata.push(record);
  } catch {
    return undefined;
  }
  return areInOrder(found.chunks, start) ? { ...found, dataEnd: start - DATA_END_BYTES } : undefined;
}

/** Whether chunks lie one behind another in the data, as they are written. */
function areInOrder(chunks: McapSummary['chunks'], end: number): boolean {
  let before = 0n;
  for (const { chunkStartOffset, chunkLength, messageIndexLength, compression } of chunks) {
    if (chunkStartOffset < before || !['', 'zstd'].includes(compression)) return false;
    before = chunkStartOffset + chunkLength + messageIndexLength;
  }
  return before <= BigInt(end);
}

/** How many rows a chunk has: every row is a message of each channel. Undefined when it is not of whole rows. */
export function rowsIn(chunk: Records['ChunkIndex'], channels: readonly number[]): number | undefined {
  const counts = countsIn(chunk);
  const [first = 0, ...others] = channels.map((id) => counts.get(id) ?? 0);
  const most = Number(chunk.messageIndexLength) / ENTRY_BYTES;
  return Number.isInteger(first) && first >= 0 && first <= most && others.every((count) => count === first)
    ? first
    : undefined;
}

/** The indexes of channels lie one behind another, so their places tell how long they are. */
function countsIn(chunk: Records['ChunkIndex']): Map<number, number> {
  const { chunkStartOffset, chunkLength, messageIndexLength, messageIndexOffsets } = chunk;
  const places = [...messageIndexOffsets].map(([id, at]) => [id, Number(at)] as const).sort(([, a], [, b]) => a - b);
  const end = Number(chunkStartOffset + chunkLength + messageIndexLength);
  return new Map(
    places.map(([id, at], index) => {
      const next = places[index + 1]?.[1] ?? end;
      return [id, (next - at - INDEX_HEAD_BYTES) / ENTRY_BYTES];
    }),
  );
}

/** The index of a channel's messages in a chunk: for each its time and its place, in 8 bytes each. */
function entriesOf(file: RecordingFile, chunk: Records['ChunkIndex'], channelId: number): Buffer {
  const at = chunk.messageIndexOffsets.get(channelId);
  if (at === undefined) return Buffer.alloc(0);
  const count = Math.max(0, countsIn(chunk).get(channelId) ?? 0);
  const entries = file.read(Number(at) + INDEX_HEAD_BYTES, count * ENTRY_BYTES);
  return entries.subarray(0, entries.length - (entries.length % ENTRY_BYTES));
}

/** The seconds of a channel's messages in a chunk. */
export function secondsIn(file: RecordingFile, chunk: Records['ChunkIndex'], channelId: number): Float64Array {
  const entries = entriesOf(file, chunk, channelId);
  const { buffer, byteOffset, length } = entries;
  const view = new DataView(buffer, byteOffset, length);
  const seconds = new Float64Array(length / ENTRY_BYTES);
  for (let index = 0; index < seconds.length; index++) {
    const at = index * ENTRY_BYTES;
    seconds[index] = (view.getUint32(at, true) + 2 ** 32 * view.getUint32(at + 4, true)) / 1e9;
  }
  return seconds;
}

/** The messages of a channel in a chunk that is not compressed, with their places there. */
export function* messagesOf(file: RecordingFile, chunk: Records['ChunkIndex'], channelId: number) {
  const index = entriesOf(file, chunk, channelId);
  for (let entry = 0; entry < index.length; entry += ENTRY_BYTES) {
    const place = Number(index.readBigUInt64LE(entry + 8));
    const from = Number(chunk.chunkStartOffset) + CHUNK_HEAD_BYTES + place;
    const head = file.read(from, MESSAGE_HEAD_BYTES);
    if (head.length < MESSAGE_HEAD_BYTES) return;
    const length = Number(head.readBigUInt64LE(1)) - (MESSAGE_HEAD_BYTES - 9);
    if (!(length >= 0 && length <= Number(chunk.chunkLength))) return;
    yield { place, logTime: head.readBigUInt64LE(15), data: file.read(from + MESSAGE_HEAD_BYTES, length) };
  }
}
