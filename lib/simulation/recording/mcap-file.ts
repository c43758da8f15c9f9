// An MCAP file that grows: rows in chunks, each with its indexes; and at the end the summary by which programs open it at once.
import { createRequire } from 'node:module';
import { crc32 } from 'node:zlib';
import type { McapChunkBuilder, McapRecordBuilder, McapTypes } from '@mcap/core';
import { type Channel, channelsOf, type MessageEncoding, noteOf, PROTOBUF } from './mcap-channels.js';
import { JSON_MESSAGES } from './mcap-json-messages.js';
import { field } from './protobuf.js';
import type { Column, Row } from './row.js';
import { VERSION } from './version.js';

/** Loaded for those who write such a file. */
const loadMcap = (): typeof import('@mcap/core') => createRequire(import.meta.url)('@mcap/core');

const CHUNK_BYTES = 512 * 1024;
/** Times of MCAP are nanoseconds in 64 bits. */
const MOST_SECONDS = 9e9;
const NOTHING = Buffer.alloc(0);

/** The channel of messages, which Lichtblick shows as a log. foxglove: schemas/proto/foxglove/Log.proto */
export const LOG_TOPIC = '/log';
const LOG_LEVELS = { debug: 1, informational: 2, normal: 2, warning: 3, error: 4 } as const;
export type LogLevel = keyof typeof LOG_LEVELS;
/** What happens to a run besides what is said; in the log a message of this name. */
export const MARKS = ['freeze', 'run', 'event'] as const;
export type RecordedMark = (typeof MARKS)[number];
/** So many ends of chunks are known, as the last chunks may not have come into the file. */
const MOST_ENDS = 4;
/** Kinds of fields in protobuf: a text, a message, a 32-bit and a 64-bit integer, an enumeration as an integer. */
const [TEXT, INT64, INT32] = [9, 3, 5];

/** What decides about the form of a file. */
export interface McapOptions {
  /** Whether `say` is called. */
  readonly hasLog?: boolean;
  /** How rows become messages. Default: protobuf, which is exact. */
  readonly encoding?: 'protobuf' | 'json';
  /** Makes chunks shorter, by Zstandard. Default: they are as they are, as a frame of a simulation has no time for more. */
  readonly compress?: (bytes: Uint8Array) => Uint8Array;
}

/** What there was in the file at the end of a chunk. */
interface ChunkEnd {
  readonly bytes: number;
  readonly crc: number;
  readonly chunks: number;
  readonly metadata: number;
  readonly counts: ReadonlyMap<number, bigint>;
  readonly span: { readonly start: bigint; readonly end: bigint } | undefined;
}

/**
 * Every row is a message of each channel, at the time of the row; the messages have the time itself too, whose last digits
 * are not in the nanoseconds. Times of MCAP are not negative: those of a recording that begins below 0 are counted from
 * its first row. Each call gives the bytes that the file grows by.
 */
export class McapFile {
  private readonly records: McapRecordBuilder;
  private readonly chunk: McapChunkBuilder;
  private readonly encoding: MessageEncoding;
  private readonly compress: McapOptions['compress'];
  private readonly channels: readonly Channel[];
  private readonly schemas: McapTypes.TypedMcapRecords['Schema'][] = [];
  private readonly infos: McapTypes.TypedMcapRecords['Channel'][] = [];
  private readonly chunks: McapTypes.ChunkIndex[] = [];
  private readonly metadata: McapTypes.MetadataIndex[] = [];
  private counts = new Map<number, bigint>();
  private ends: ChunkEnd[] = [];
  private dataCrc = 0;
  private writtenBytes = 0;
  private sequence = 0;
  private originSeconds: number | undefined;
  private logTime = 0n;
  private span: { start: bigint; end: bigint } | undefined;

  constructor(columns: readonly Column[], { hasLog = false, encoding, compress }: McapOptions = {}) {
    const { McapRecordBuilder, McapChunkBuilder } = loadMcap();
    this.records = new McapRecordBuilder();
    this.chunk = new McapChunkBuilder({ useMessageIndex: true });
    this.encoding = encoding === 'json' ? JSON_MESSAGES : PROTOBUF;
    this.compress = compress;
    this.channels = channelsOf(columns);
    for (const channel of this.channels) {
      const notes = new Map(channel.fields.map(({ name, column, index }) => [name, noteOf(column, index)]));
      this.addChannel(channel.topic, channel.message, this.encoding, this.encoding.schemaOf(channel), notes);
    }
    if (hasLog) this.addChannel(LOG_TOPIC, 'foxglove.Log', PROTOBUF, LOG_DESCRIPTOR, new Map());
  }

  /** @param facts of the file as a whole, such as the seed of the run. */
  start(facts: Readonly<Record<string, string>>): Buffer {
    this.records.writeMagic();
    this.records.writeHeader({ profile: '', library: `varwire ${VERSION}` });
    this.note('varwire', { version: VERSION, ...facts });
    // Before all rows: then a reader knows the variables of a file that has just begun.
    for (const schema of this.schemas) this.records.writeSchema(schema);
    for (const info of this.infos) this.records.writeChannel(info);
    return this.endedChunk();
  }

  /** Of rows that are in no finished chunk. */
  get openBytes(): number {
    return this.chunk.numMessages === 0 ? 0 : this.chunk.byteLength;
  }

  add(row: Row): Buffer {
    const seconds = row.memory.view.getFloat64(0, true);
    this.moveTo(seconds);
    for (const [channelId, channel] of this.channels.entries())
      this.message(channelId, this.encoding.encode(channel, row));
    this.sequence = (this.sequence + 1) % 2 ** 32;
    return this.chunk.byteLength >= CHUNK_BYTES ? this.endChunk() : NOTHING;
  }

  /** A line of the log. @param mark what has happened, if it is more than a message. */
  say(seconds: number, level: LogLevel, text: string, mark?: RecordedMark): Buffer {
    this.moveTo(seconds);
    const nanos = this.logTime % 1_000_000_000n;
    const time = [field(1, Number(this.logTime / 1_000_000_000n)), field(2, Number(nanos))];
    const parts = [field(1, Buffer.concat(time)), field(2, LOG_LEVELS[level]), field(3, text), field(4, mark ?? level)];
    this.message(this.channels.length, Buffer.concat(parts));
    return this.chunk.byteLength >= CHUNK_BYTES ? this.endChunk() : NOTHING;
  }

  /** Closes the chunk: all rows so far can be read then. */
  endChunk(): Buffer {
    const { chunk, records } = this;
    if (chunk.numMessages === 0) return NOTHING;
    const { messageStartTime, messageEndTime, buffer: content } = chunk;
    const indexes = [...chunk.indices].filter((index) => index.records.length > 0);
    // Messages of the log can be read at once when the file is opened.
    const compress = indexes.some(({ channelId }) => channelId === this.channels.length) ? undefined : this.compress;
    const compression = compress ? 'zstd' : '';
    const stored = compress ? compress(content) : content;
    const chunkStartOffset = BigInt(this.writtenBytes);
    const chunkLength = records.writeChunk({
      messageStartTime,
      messageEndTime,
      uncompressedSize: BigInt(content.length),
      uncompressedCrc: crc32(content),
      compression,
      records: stored,
    });
    const messageIndexOffsets = new Map<number, bigint>();
    let indexBytes = 0n;
    for (const index of indexes) {
      messageIndexOffsets.set(index.channelId, chunkStartOffset + chunkLength + indexBytes);
      indexBytes += records.writeMessageIndex(index);
    }
    this.chunks.push({
      messageStartTime,
      messageEndTime,
      chunkStartOffset,
      chunkLength,
      messageIndexOffsets,
      messageIndexLength: indexBytes,
      compression,
      compressedSize: BigInt(stored.length),
      uncompressedSize: BigInt(content.length),
    });
    chunk.reset();
    return this.endedChunk();
  }

  /**
   * Forgets all that is behind the last chunk which is whole in a file of so many bytes. Returns where that chunk ends;
   * undefined when it is not known any more.
   */
  backTo(bytes: number): number | undefined {
    const at = this.ends.findLastIndex((end) => end.bytes <= bytes);
    const end = this.ends[at];
    if (!end) return undefined;
    this.ends.length = at + 1;
    this.chunks.length = end.chunks;
    this.metadata.length = end.metadata;
    this.counts = new Map(end.counts);
    this.span = end.span && { ...end.span };
    [this.writtenBytes, this.dataCrc] = [end.bytes, end.crc];
    this.chunk.reset();
    this.records.reset();
    return end.bytes;
  }

  /** The last bytes. @param why it ends, if not because somebody has ended it. */
  end(why?: string): Buffer {
    const rows = this.endChunk();
    if (why !== undefined) this.note('ended', { reason: why });
    const facts = this.taken();
    this.records.writeDataEnd({ dataSectionCrc: this.dataCrc });
    const dataEnd = this.taken();
    return Buffer.concat([rows, facts, dataEnd, this.summary()]);
  }

  private addChannel(
    topic: string,
    name: string,
    { messages, schemas }: MessageEncoding,
    data: Buffer,
    metadata: Map<string, string>,
  ): void {
    const schema = { id: this.schemas.length + 1, name, encoding: schemas, data };
    const info = { id: this.infos.length, schemaId: schema.id, topic, messageEncoding: messages, metadata };
    this.schemas.push({ type: 'Schema', ...schema });
    this.infos.push({ type: 'Channel', ...info });
  }

  private note(name: string, facts: Readonly<Record<string, string>>): void {
    const offset = BigInt(this.writtenBytes + this.records.length);
    const length = this.records.writeMetadata({ name, metadata: new Map(Object.entries(facts)) });
    this.metadata.push({ name, offset, length });
  }

  private moveTo(seconds: number): void {
    this.originSeconds ??= Math.min(0, seconds) || 0;
    const since = seconds - this.originSeconds;
    if (since >= 0 && since < MOST_SECONDS) this.logTime = BigInt(Math.round(since * 1e9));
  }

  private message(channelId: number, data: Uint8Array): void {
    const { logTime, sequence, counts, span } = this;
    counts.set(channelId, (counts.get(channelId) ?? 0n) + 1n);
    this.chunk.addMessage({ channelId, sequence, logTime, publishTime: logTime, data });
    this.span ??= { start: logTime, end: logTime };
    if (span && logTime < span.start) span.start = logTime;
    if (span && logTime > span.end) span.end = logTime;
  }

  private endedChunk(): Buffer {
    const bytes = this.taken();
    const { writtenBytes, dataCrc: crc, chunks, metadata, counts, span } = this;
    const end = { bytes: writtenBytes, crc, chunks: chunks.length, metadata: metadata.length };
    this.ends.push({ ...end, counts: new Map(counts), span: span && { ...span } });
    if (this.ends.length > MOST_ENDS) this.ends.shift();
    return bytes;
  }

  /** What the builder of records has made since. */
  private taken(): Buffer {
    const { buffer, byteOffset, length } = this.records.buffer;
    // It is a copy already: of half a megabyte another one takes longer than all else.
    const bytes = Buffer.from(buffer, byteOffset, length);
    this.records.reset();
    this.writtenBytes += length;
    // Of no bytes Node's would be 0.
    if (length > 0) this.dataCrc = crc32(bytes, this.dataCrc);
    return bytes;
  }

  private summary(): Buffer {
    const { records, chunks } = this;
    const start = BigInt(this.writtenBytes);
    const groups: [opcode: number, write: () => void][] = [
      [0x03, () => void this.schemas.map((schema) => records.writeSchema(schema))],
      [0x04, () => void this.infos.map((info) => records.writeChannel(info))],
      [0x0b, () => void records.writeStatistics(this.statistics())],
      [0x0d, () => void this.metadata.map((index) => records.writeMetadataIndex(index))],
      [0x08, () => void chunks.map((index) => records.writeChunkIndex(index))],
    ];
    const offsets: McapTypes.SummaryOffset[] = [];
    for (const [groupOpcode, write] of groups) {
      const before = BigInt(records.length);
      write();
      const groupLength = BigInt(records.length) - before;
      if (groupLength > 0n) offsets.push({ groupOpcode, groupStart: start + before, groupLength });
    }
    const summaryOffsetStart = start + BigInt(records.length);
    for (const offset of offsets) records.writeSummaryOffset(offset);
    // The footer's checksum is of all that stands before it, and of itself up to there.
    const footer = { summaryStart: start, summaryOffsetStart };
    const before = records.length;
    records.writeFooter({ ...footer, summaryCrc: 0 });
    const summed = Buffer.from(records.buffer).subarray(0, -4);
    const crc = crc32(summed);
    records.writeMagic();
    const bytes = Buffer.from(records.buffer);
    bytes.writeUInt32LE(crc, before + 1 + 8 + 8 + 8);
    records.reset();
    return bytes;
  }

  private statistics(): McapTypes.Statistics {
    const { start, end } = this.span ?? { start: 0n, end: 0n };
    return {
      messageCount: [...this.counts.values()].reduce((sum, count) => sum + count, 0n),
      schemaCount: this.schemas.length,
      channelCount: this.infos.length,
      attachmentCount: 0,
      metadataCount: this.metadata.length,
      chunkCount: this.chunks.length,
      messageStartTime: start,
      messageEndTime: end,
      channelMessageCounts: this.counts,
    };
  }
}

/** foxglove.Log, as far as it is written: its time, level, text and name. */
const LOG_DESCRIPTOR: Buffer = (() => {
  const described = (number: number, name: string, kind: number, type?: string): Buffer =>
    field(
      2,
      Buffer.concat([
        field(1, name),
        field(3, number),
        field(4, 1),
        field(5, kind),
        ...(type === undefined ? [] : [field(6, type)]),
      ]),
    );
  const message = (name: string, ...fields: Buffer[]): Buffer => field(4, Buffer.concat([field(1, name), ...fields]));
  const time = message('Timestamp', described(1, 'seconds', INT64), described(2, 'nanos', INT32));
  const timeFile = [
    field(1, 'google/protobuf/timestamp.proto'),
    field(2, 'google.protobuf'),
    time,
    field(12, 'proto3'),
  ];
  const level = Buffer.concat(
    Object.entries({ UNKNOWN: 0, DEBUG: 1, INFO: 2, WARNING: 3, ERROR: 4, FATAL: 5 }).map(([name, number]) =>
      field(2, Buffer.concat([field(1, name), field(2, number)])),
    ),
  );
  const log = message(
    'Log',
    described(1, 'timestamp', 11, '.google.protobuf.Timestamp'),
    described(2, 'level', 14, '.foxglove.Log.Level'),
    described(3, 'message', TEXT),
    described(4, 'name', TEXT),
    field(4, Buffer.concat([field(1, 'Level'), level])),
  );
  const logFile = [
    field(1, 'foxglove/Log.proto'),
    field(2, 'foxglove'),
    field(3, 'google/protobuf/timestamp.proto'),
    log,
    field(12, 'proto3'),
  ];
  return Buffer.concat([field(1, Buffer.concat(timeFile)), field(1, Buffer.concat(logFile))]);
})();
