// Writes recordings as MCAP: a channel for each object, in protobuf with the schema in the file.
import { McapWriter } from '@mcap/core';
import { sizeOf } from '../../model/state/type.js';
import type { Column, Row } from '../../simulation/recording/row.js';
import { descriptorOf, KIND, kindOf, noteOf } from './mcap-fields.js';
import { tag, WIRE } from './protobuf.js';

const CHUNK_BYTES = 512 * 1024;
/** Times of MCAP are nanoseconds in 64 bits. */
const MOST_SECONDS = 9e9;

/**
 * Every row is a message of each channel, at the time of the row; the messages have the time itself too, whose last digits
 * are not in the nanoseconds. Times of MCAP are not negative: those of a recording that begins below 0 are counted from
 * its first row.
 */
export async function writeMcap(
  columns: readonly Column[],
  rows: Iterable<Row>,
  write: (bytes: Uint8Array) => void,
): Promise<void> {
  let written = 0;
  const writable = {
    position: () => BigInt(written),
    write: async (bytes: Uint8Array) => {
      write(bytes);
      written += bytes.length;
    },
  };
  const writer = new McapWriter({ writable, chunkSize: CHUNK_BYTES });
  await writer.start({ profile: '', library: 'varwire' });
  const channels = channelsOf(columns);
  const ids: number[] = [];
  for (const { topic, message, fields } of channels) {
    const schema = { name: message, encoding: 'protobuf', data: descriptorOf(message, fields) };
    const schemaId = await writer.registerSchema(schema);
    const metadata = new Map(fields.map(({ name, column, index }) => [name, noteOf(column, index)]));
    ids.push(await writer.registerChannel({ schemaId, topic, messageEncoding: 'protobuf', metadata }));
  }
  let [sequence, origin, logTime] = [0, undefined as number | undefined, 0n];
  for (const row of rows) {
    const seconds = row.memory.view.getFloat64(0, true);
    origin ??= Math.min(0, seconds) || 0;
    const since = seconds - origin;
    if (since >= 0 && since < MOST_SECONDS) logTime = BigInt(Math.round(since * 1e9));
    for (const [at, channel] of channels.entries()) {
      const message = { channelId: ids[at] as number, sequence, logTime, publishTime: logTime };
      await writer.addMessage({ ...message, data: channel.encode(row) });
    }
    sequence = (sequence + 1) % 2 ** 32;
  }
  await writer.end();
}

interface ChannelField {
  readonly name: string;
  readonly kind: number;
  readonly column: Column;
  /** Of the column among all. */
  readonly index: number;
}

/** The columns of one object. */
class Channel {
  readonly fields: ChannelField[] = [];
  private template: { readonly bytes: Buffer; readonly offsets: readonly number[] } | undefined;

  constructor(
    readonly topic: string,
    readonly message: string,
  ) {}

  /** The message of a row, in bytes that the next one uses again. */
  encode({ memory }: Row): Uint8Array {
    this.template ??= templateOf(this.fields);
    const { bytes, offsets } = this.template;
    for (const [index, { kind, column }] of this.fields.entries()) {
      const [at, size] = [offsets[index] as number, sizeOf(column.type)];
      const value = memory.bytes.subarray(column.offsetBytes, column.offsetBytes + size);
      if (kind === KIND.bool || size >= 4) bytes.set(value, at);
      else if (kind === KIND.fixed32) bytes.writeUInt32LE(Buffer.from(value).readUIntLE(0, size), at);
      else bytes.writeInt32LE(Buffer.from(value).readIntLE(0, size), at);
    }
    return bytes;
  }
}

function channelsOf(columns: readonly Column[]): readonly Channel[] {
  const channels = new Map<string, Channel>();
  const messages = new Set<string>();
  const names = new Map<Channel, Set<string>>();
  for (const [index, column] of columns.entries()) {
    const [, object = 'recording', component = column.name] = /^([^.]+)\.(.+)$/s.exec(column.name) ?? [];
    let channel = channels.get(object);
    if (!channel) {
      channel = new Channel(object, identifier(object, messages));
      channels.set(object, channel);
      names.set(channel, new Set());
    }
    const name = identifier(component, names.get(channel) as Set<string>);
    channel.fields.push({ name, kind: kindOf(column.type), column, index });
  }
  return [...channels.values()];
}

/** A name as protobuf allows it: `position[0]` is position_0. */
function identifier(name: string, taken: Set<string>): string {
  const wanted = name
    .replaceAll(/\W+/g, '_')
    .replace(/(?<=.)_$/, '')
    .replace(/^(?=\d|$)/, '_');
  let free = wanted;
  for (let number = 2; taken.has(free); number++) free = `${wanted}_${number}`;
  taken.add(free);
  return free;
}

const WIRES = new Map([
  [KIND.double, WIRE.eight],
  [KIND.fixed64, WIRE.eight],
  [KIND.sfixed64, WIRE.eight],
  [KIND.bool, WIRE.varint],
]);
const WIDTHS: Readonly<Record<number, number>> = { [WIRE.eight]: 8, [WIRE.varint]: 1, [WIRE.four]: 4 };

/** A message with room for all values, which have the same width in every row. */
function templateOf(fields: readonly ChannelField[]) {
  const pieces: Buffer[] = [];
  const offsets: number[] = [];
  let end = 0;
  for (const [index, { kind }] of fields.entries()) {
    const wire = WIRES.get(kind) ?? WIRE.four;
    const head = tag(index + 1, wire);
    offsets.push(end + head.length);
    pieces.push(head, Buffer.alloc(WIDTHS[wire] as number));
    end += head.length + (WIDTHS[wire] as number);
  }
  return { bytes: Buffer.concat(pieces), offsets };
}
