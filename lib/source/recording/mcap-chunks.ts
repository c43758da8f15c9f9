// Chunks of MCAP files, as they are or compressed, and where one is damaged. MCAP: website/docs/spec
import { createRequire } from 'node:module';
import { crc32 } from 'node:zlib';
import type { McapStreamReader, McapTypes } from '@mcap/core';
import { unlz4 } from './lz4.js';
import type { RecordingFile } from './recording-file.js';
import { unzipped } from './zstd.js';

const MOST_BYTES = 256 * 1024 * 1024;
const PIECE_BYTES = 1024 * 1024;
/** The record behind all data has a checksum of them. */
const [DATA_END, DATA_END_BYTES] = [15, 13];

/** Throws an Error for a chunk that would be too large, and for one that cannot be decompressed. */
const bounded =
  (decompress: (bytes: Uint8Array, lengthBytes: number) => Uint8Array) =>
  (bytes: Uint8Array, lengthBytes: bigint): Uint8Array => {
    if (lengthBytes > MOST_BYTES) throw new Error(`a chunk would have ${lengthBytes} bytes, which is too many`);
    try {
      return decompress(bytes, Number(lengthBytes));
    } catch (error) {
      throw new Error(`a chunk cannot be decompressed: ${(error as Error).message}`);
    }
  };

const HANDLERS: Readonly<Record<string, ReturnType<typeof bounded>>> = { zstd: bounded(unzipped), lz4: bounded(unlz4) };

/** Reads records from anywhere behind the magic. @param includeChunks gives chunks too, before what is in them. */
export function recordReader(includeChunks = false): McapStreamReader {
  const { McapStreamReader } = createRequire(import.meta.url)('@mcap/core') as typeof import('@mcap/core');
  return new McapStreamReader({ noMagicPrefix: true, includeChunks, decompressHandlers: HANDLERS });
}

/** What is wrong with a record. */
export function faultOf(path: string, offset: number, error: unknown): string {
  const { message } = error as Error;
  const [, compression] = /^Unsupported compression (\w+)/.exec(message) ?? [];
  if (compression !== undefined) return `${path} is compressed with ${compression}, which is not read`;
  return `${path} is damaged at byte ${offset}: ${message.replace(/ \[.*|\n.*/s, '')}`;
}

/** Where chunks are, and the record behind all data. */
interface Chunks {
  readonly chunks: readonly McapTypes.ChunkIndex[];
  readonly dataEnd: number;
}

/** The first chunk that is damaged, by the checksums of a finished file; undefined when there is none. */
export function damageIn(file: RecordingFile, { chunks, dataEnd }: Chunks) {
  if (isSound(file, dataEnd)) return undefined;
  for (const [index, { chunkStartOffset, chunkLength }] of chunks.entries()) {
    const offset = Number(chunkStartOffset);
    try {
      const reader = recordReader(true);
      reader.append(file.read(offset, Number(chunkLength)));
      requireSound(reader.nextRecord());
    } catch (error) {
      return { index, sentence: faultOf(file.path, offset, error) };
    }
  }
  return undefined;
}

function requireSound(record: McapTypes.TypedMcapRecord | undefined): void {
  if (record?.type !== 'Chunk') throw new Error('there is no chunk');
  const { compression, records, uncompressedSize, uncompressedCrc } = record;
  const content = HANDLERS[compression]?.(records, uncompressedSize) ?? records;
  if (crc32(content) !== uncompressedCrc) throw new Error('a chunk has another checksum');
}

/** Whether the checksum of all data is right. */
function isSound(file: RecordingFile, dataEnd: number): boolean {
  const head = file.read(dataEnd, DATA_END_BYTES);
  if (head.length < DATA_END_BYTES || head[0] !== DATA_END) return false;
  const expected = head.readUInt32LE(9);
  // There is none; each chunk has its own.
  if (expected === 0) return false;
  const piece = Buffer.alloc(Math.min(PIECE_BYTES, dataEnd));
  let sum = 0;
  for (let at = 0; at < dataEnd; at += piece.length) {
    const part = piece.subarray(0, dataEnd - at);
    file.readInto(part, at);
    sum = crc32(part, sum);
  }
  return sum === expected;
}
