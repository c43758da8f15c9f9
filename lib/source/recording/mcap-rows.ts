// The rows of an MCAP file: what its messages, one after another, have in them. MCAP: website/docs/spec
import { createRequire } from 'node:module';
import type { McapStreamReader, McapTypes } from '@mcap/core';
import { Memory } from '../../model/state/memory.js';
import { type LeafType, sizeOf } from '../../model/state/type.js';
import { storeValue } from '../../model/state/write.js';
import { KIND, kindOf } from '../../simulation/recording/mcap-channels.js';
import { jsonKindOf } from '../../simulation/recording/mcap-json-messages.js';
import { type Field, fieldsOf, WIRE } from '../../simulation/recording/protobuf.js';
import { type Column, TIME_COLUMN } from '../../simulation/recording/row.js';
import { faultOf, recordReader } from './mcap-chunks.js';
import { columnOf, type FieldPlan, fieldsIn, isFloating, type Noted, SINT32, SINT64 } from './mcap-fields.js';
import { jsonFieldsIn, jsonObjectIn } from './mcap-json.js';
import { LOG_SCHEMA, McapLog } from './mcap-log.js';
import { type McapSummary, messagesOf, rowsIn } from './mcap-summary.js';
import type { RecordingFile } from './recording-file.js';

/** A library that most programs never need. */
const loadMcap = (): typeof import('@mcap/core') => createRequire(import.meta.url)('@mcap/core');

const MAGIC_BYTES = 8;
const HEAD_BYTES = 9;
const LARGEST_RECORD_BYTES = 256 * 1024 * 1024;
const MOST_COLUMNS = 100_000;
/** Numbers of records that are read; what follows the end of the data is not. */
const [SCHEMA, CHANNEL, MESSAGE, CHUNK, METADATA, DATA_END, FOOTER] = [3, 4, 5, 6, 12, 15, 2];
const READ = new Set([SCHEMA, CHANNEL, MESSAGE, CHUNK, METADATA]);
/** What varwire writes of the run, and why its recorder has ended it. */
const [FACTS, ENDED] = ['varwire', 'ended'];
const TIME_BYTES = sizeOf(TIME_COLUMN.type);

export const isMcap = (file: RecordingFile): boolean =>
  file.read(0, MAGIC_BYTES).equals(Buffer.from('\x89MCAP0\r\n', 'latin1'));

/** A field of a message: a column, or a message with such. */
interface Leaf {
  readonly name: string;
  readonly kind: number;
  readonly column?: Column;
  readonly inner?: Leaves;
}

/** By the numbers of fields. */
type Leaves = ReadonlyMap<number, Leaf>;

interface ChannelRecord {
  readonly id: number;
  readonly schemaId: number;
  readonly topic: string;
  readonly messageEncoding: string;
  readonly metadata: Map<string, string>;
}

type Told = Pick<Field, 'wire' | 'value' | 'bytes'> & Pick<Leaf, 'kind'>;

interface Channel {
  readonly isJson: boolean;
  readonly leaves: Leaves;
  readonly columns: readonly Column[];
}

/** Where a message stands in the file: the record that it is, or is in, and its number there. */
export interface MessagePosition {
  readonly offset: number;
  readonly index: number;
}

/**
 * The channels of a file, and the values that they had last. A row goes on until the time changes, or a channel comes
 * again. Before its first message a channel has NaN and 0.
 */
export class McapRows {
  /** Of channels seen so far; the time first. */
  readonly columns: (Column & { readonly index?: number | undefined })[] = [
    { ...TIME_COLUMN, name: 'log_time', index: undefined },
  ];
  rowBytes = TIME_BYTES;
  /** In which the messages are that are read. */
  readonly encodings = new Set<'protobuf' | 'JSON'>();
  /** Why channels are passed over, one sentence each. */
  readonly leftOut: string[] = [];
  /** What is wrong with the file; nothing behind it is read. */
  damage: string | undefined;
  /** Why its recorder has ended it. */
  ended: string | undefined;
  /** What varwire has written of the run. */
  facts: Readonly<Record<string, string>> = {};
  readonly log = new McapLog();
  /** Whether the data have come to their end. */
  isEnded = false;
  private memory = new Memory(new ArrayBuffer(TIME_BYTES));
  /** A row before all messages. */
  private nothing = new Memory(new ArrayBuffer(TIME_BYTES));
  private readonly channels = new Map<number, Channel | undefined>();
  private readonly schemas = new Map<number, { name: string; encoding: string; data: Uint8Array }>();
  private readonly known: Uint8Array[] = [];
  private readonly seen = new Set<number>();
  private logTime = 0n;

  constructor(private readonly file: RecordingFile) {}

  /** The values of the row that the last message is of. */
  get row(): Uint8Array {
    return this.memory.bytes;
  }

  /** The channel whose messages are rows, with others or alone. */
  get rowChannel(): number {
    return [...this.channels].find(([, channel]) => channel)?.[0] ?? 0;
  }

  /** Goes back to where the values were those of a row. */
  reset(row: Uint8Array = new Uint8Array()): void {
    this.seen.clear();
    this.isEnded = false;
    this.memory.bytes.set(this.nothing.bytes);
    this.memory.bytes.set(row);
  }

  /** Whether every channel has told of the row. */
  get isWhole(): boolean {
    return [...this.channels].every(([id, channel]) => !channel || this.seen.has(id));
  }

  /**
   * Knows from a summary what the file has, without reading it. Returns how many rows each chunk has; undefined when they
   * are not of whole rows.
   */
  know({ schemas, channels, chunks, metadata }: McapSummary): readonly number[] | undefined {
    for (const schema of schemas) this.schemas.set(schema.id, schema);
    for (const channel of channels) this.meet(channel);
    const { log, file } = this;
    const ids = [...this.channels.keys()].filter((id) => id !== log.channelId);
    if (ids.length === 0 || ids.some((id) => !this.channels.get(id))) return undefined;
    const rows = chunks.map((chunk) => rowsIn(chunk, ids));
    if (!rows.every((count) => count !== undefined)) return undefined;
    for (const chunk of log.channelId === undefined ? [] : chunks) {
      if (!chunk.messageIndexOffsets.has(log.channelId as number)) continue;
      // What is compressed would have to be read.
      if (chunk.compression !== '') return undefined;
      // No message has a number in its chunk that is above its place there.
      for (const message of messagesOf(file, chunk, log.channelId as number))
        log.take(Number(chunk.chunkStartOffset), message.place, message);
    }
    for (const wanted of [FACTS, ENDED]) {
      const found = metadata.find(({ name }) => name === wanted);
      if (found) this.takeMetadata(Number(found.offset), Number(found.length));
    }
    this.isEnded = true;
    return rows;
  }

  /**
   * Yields where each row begins, before its first message is taken.
   * @param wanted the columns that are read; others keep their values of before.
   */
  *from({ offset: start, index: first }: MessagePosition, wanted?: ReadonlySet<Column>): Generator<MessagePosition> {
    const reader = recordReader();
    for (const bytes of this.known) reader.append(bytes);
    for (const { offset, bytes } of this.records(start)) {
      let index = 0;
      try {
        reader.append(bytes);
        for (const record of this.messagesIn(reader)) {
          if (index++ < (offset === start ? first : 0)) continue;
          const channel = this.channels.get(record.channelId);
          if (record.channelId === this.log.channelId) this.log.take(offset, index, record);
          if (!channel) continue;
          if (this.beginsRow(record)) {
            yield { offset, index: index - 1 };
            this.begin(record.logTime);
          }
          this.seen.add(record.channelId);
          this.take(channel, record.data, wanted);
        }
      } catch (error) {
        this.damage = faultOf(this.file.path, offset, error);
        return;
      }
    }
  }

  /** The messages of a record; the schemas and channels among them are kept. */
  private *messagesIn(reader: McapStreamReader): Generator<McapTypes.TypedMcapRecords['Message']> {
    for (let record = reader.nextRecord(); record; record = reader.nextRecord())
      if (record.type === 'Message') yield record;
      else if (record.type === 'Schema') this.schemas.set(record.id, { ...record, data: record.data.slice() });
      else if (record.type === 'Channel') this.meet(record);
      else if (record.type === 'Metadata') this.note(record);
  }

  private takeMetadata(offset: number, length: number): void {
    if (length > LARGEST_RECORD_BYTES) return;
    const reader = recordReader();
    reader.append(this.file.read(offset, length));
    const record = reader.nextRecord();
    if (record?.type === 'Metadata') this.note(record);
  }

  private note({ name, metadata }: McapTypes.TypedMcapRecords['Metadata']): void {
    if (name === ENDED) this.ended = metadata.get('reason');
    if (name === FACTS) this.facts = Object.fromEntries(metadata);
  }

  private beginsRow({ channelId, logTime }: { readonly channelId: number; readonly logTime: bigint }): boolean {
    return this.seen.size === 0 || this.logTime !== logTime || this.seen.has(channelId);
  }

  private begin(logTime: bigint): void {
    this.seen.clear();
    this.logTime = logTime;
    this.memory.view.setFloat64(0, Number(logTime) / 1e9, true);
  }

  /** A channel is told of before its messages, and again where the file is read from another place. */
  private meet(channel: ChannelRecord): void {
    if (this.channels.has(channel.id)) return;
    this.add(channel);
    const builder = new (loadMcap().McapRecordBuilder)();
    builder.writeChannel(channel);
    this.known.push(builder.buffer.slice());
  }

  /** Records of the file that are read, as far as they are whole. */
  private *records(start: number): Generator<{ readonly offset: number; readonly bytes: Uint8Array }> {
    for (let offset = start; offset + HEAD_BYTES <= this.file.sizeBytes; ) {
      const head = this.file.read(offset, HEAD_BYTES);
      const [kind, length] = [head[0] as number, Number(head.readBigUInt64LE(1))];
      this.isEnded = kind === DATA_END || kind === FOOTER;
      if (this.isEnded || offset + HEAD_BYTES + length > this.file.sizeBytes) return;
      if (READ.has(kind)) {
        if (length > LARGEST_RECORD_BYTES) {
          this.damage = `${this.file.path} has a record of ${length} bytes, which is too long`;
          return;
        }
        yield { offset, bytes: this.file.read(offset, HEAD_BYTES + length) };
      }
      offset += HEAD_BYTES + length;
    }
  }

  private add({ id, schemaId, topic, messageEncoding, metadata }: ChannelRecord): void {
    this.channels.set(id, undefined);
    const schema = this.schemas.get(schemaId);
    if (schema?.name === LOG_SCHEMA && messageEncoding === 'protobuf') {
      this.log.channelId = id;
      return;
    }
    const isJson = messageEncoding === 'json' && schema?.encoding === 'jsonschema';
    if (!schema || (!isJson && !(messageEncoding === 'protobuf' && schema.encoding === 'protobuf'))) {
      const form = messageEncoding || 'of no form that is named';
      this.leftOut.push(`${topic} is left out: its messages are ${form}, not protobuf, or JSON with a schema`);
      return;
    }
    const columns: (Column & Noted)[] = [];
    const placed = (plans: ReadonlyMap<number, FieldPlan>, path: string): Leaves =>
      new Map(
        [...plans].map(([number, { name, kind, fields }]): [number, Leaf] => {
          if (fields) return [number, { name, kind, inner: placed(fields, `${path}.${name}`) }];
          const found = columnOf(`${path}.${name}`, kind, metadata.get(name), isJson ? jsonKindOf : kindOf);
          const column = { ...found, offsetBytes: this.rowBytes };
          columns.push(column);
          this.rowBytes += sizeOf(column.type);
          return [number, { name, column, kind }];
        }),
      );
    // A topic such as /wheel/left is an object of that name.
    const fields = isJson ? jsonFieldsIn(schema.data) : fieldsIn(schema.data, schema.name);
    const leaves = placed(fields, topic.replace(/^\//, '').replaceAll('/', '_'));
    if (this.columns.length + columns.length > MOST_COLUMNS)
      throw new Error(`it has more than ${MOST_COLUMNS} variables`);
    this.nothing = this.longer(this.nothing);
    for (const { type, offsetBytes } of columns)
      if (isFloating(type)) this.nothing.bytes.set(NOTHING.subarray(0, sizeOf(type)), offsetBytes);
    this.memory = this.longer(this.nothing, this.memory);
    this.columns.push(...columns);
    this.encodings.add(isJson ? 'JSON' : 'protobuf');
    this.channels.set(id, { isJson, leaves, columns });
  }

  /** A row with room for all columns, with the values of shorter ones. */
  private longer(...shorter: readonly Memory[]): Memory {
    const memory = new Memory(new ArrayBuffer(this.rowBytes));
    for (const { bytes } of shorter) memory.bytes.set(bytes);
    return memory;
  }

  /** What a message does not tell is 0; in JSON, where it may be null, NaN if it is floating. */
  private take({ isJson, leaves, columns }: Channel, message: Uint8Array, wanted?: ReadonlySet<Column>): void {
    if (wanted && !columns.some((column) => wanted.has(column))) return;
    const told = isJson ? jsonObjectIn(message) : undefined;
    if (isJson && !told) return;
    const [first, last] = [columns[0], columns.at(-1)];
    if (first && last) this.memory.bytes.fill(0, first.offsetBytes, last.offsetBytes + sizeOf(last.type));
    if (told) this.takeObject(leaves, told);
    else this.takeFields(leaves, message, wanted);
  }

  private takeObject(leaves: Leaves, told: Readonly<Record<string, unknown>>): void {
    for (const { name, column, inner } of leaves.values()) {
      const value = Object.hasOwn(told, name) ? told[name] : undefined;
      if (inner) this.takeObject(inner, typeof value === 'object' ? ((value ?? {}) as Record<string, unknown>) : {});
      else if (column) storeValue(this.memory, column.type, column.offsetBytes, numberFor(column.type, value));
    }
  }

  private takeFields(leaves: Leaves, message: Uint8Array, wanted?: ReadonlySet<Column>): void {
    const isWanted = (number: number): boolean => {
      const leaf = leaves.get(number);
      return leaf !== undefined && (leaf.inner !== undefined || (wanted?.has(leaf.column as Column) ?? true));
    };
    for (const { number, wire, value, bytes } of fieldsOf(message, isWanted)) {
      const leaf = leaves.get(number);
      if (leaf?.inner && wire === WIRE.counted) this.takeFields(leaf.inner, bytes, wanted);
      if (leaf?.column) this.takeValue(leaf.column, { kind: leaf.kind, wire, value, bytes });
    }
  }

  private takeValue(column: Column, { kind, wire, value, bytes }: Told): void {
    const size = sizeOf(column.type);
    if (wire === WIRE.varint) {
      const isZigzag = kind === SINT32 || kind === SINT64;
      const number = kind === KIND.bool ? BigInt(value !== 0n) : isZigzag ? (value >> 1n) ^ -(value & 1n) : value;
      SCRATCH.writeBigUInt64LE(BigInt.asUintN(64, number));
      if (!isFloating(column.type)) this.store(column, SCRATCH.subarray(0, size));
    } else if (wire !== WIRE.counted && bytes.length >= size) this.store(column, bytes.subarray(0, size));
  }

  private store({ offsetBytes }: Column, bytes: Uint8Array): void {
    this.memory.bytes.set(bytes, offsetBytes);
  }
}

function numberFor(type: LeafType, value: unknown): number | bigint {
  const number = typeof value === 'number' || typeof value === 'boolean' ? Number(value) : Number.NaN;
  if (isFloating(type)) return number;
  const whole = Math.trunc(number) || 0;
  return sizeOf(type) === 8 ? BigInt(whole) : whole;
}

/** NaN, of four bytes and of eight. */
const NOTHING = Buffer.alloc(8, 0xff);
const SCRATCH = Buffer.alloc(8);
export const FIRST: MessagePosition = { offset: MAGIC_BYTES, index: 0 };
