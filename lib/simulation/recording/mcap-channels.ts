// Columns as channels of an MCAP file: one for each object, in protobuf with the schema in the file.
import { type LeafType, sizeOf, trickCodeOf } from '../../model/state/type.js';
import { field, tag, WIRE } from './protobuf.js';
import type { Column, Row } from './row.js';

/** Numbers of types. Protobuf: descriptor.proto, FieldDescriptorProto.Type */
export const KIND = { double: 1, float: 2, fixed64: 6, fixed32: 7, bool: 8, message: 11, sfixed32: 15, sfixed64: 16 };
const OPTIONAL = 1;

/** The type that a column of a type is written as; all have a width of their own. */
export function kindOf(type: LeafType): number {
  const isUnsigned = /unsigned|bool/.test(type.kind === 'number' ? type.name : '') || trickCodeOf(type) === 13;
  if (type.kind === 'number' && (type.name === 'double' || type.name === 'float')) return KIND[type.name];
  if (type.kind === 'number' && type.name === 'bool') return KIND.bool;
  if (sizeOf(type) === 8) return isUnsigned ? KIND.fixed64 : KIND.sfixed64;
  return isUnsigned ? KIND.fixed32 : KIND.sfixed32;
}

/** A FileDescriptorSet of one message with some fields, numbered from 1. */
export function descriptorOf(message: string, fields: readonly { readonly name: string; readonly kind: number }[]) {
  const described = fields.map(({ name, kind }, index) =>
    field(2, Buffer.concat([field(1, name), field(3, index + 1), field(4, OPTIONAL), field(5, kind)])),
  );
  const file = [
    field(1, `${message}.proto`),
    field(4, Buffer.concat([field(1, message), ...described])),
    field(12, 'proto3'),
  ];
  return field(1, Buffer.concat(file));
}

/** What the metadata of a channel say of a field: what it was recorded from. */
export const noteOf = ({ name, units, type }: Column, index: number): string =>
  JSON.stringify({ index, name, units, code: trickCodeOf(type), bytes: sizeOf(type) });

interface ChannelField {
  readonly name: string;
  readonly kind: number;
  readonly column: Column;
  /** Of the column among all. */
  readonly index: number;
}

/** The columns of one object. */
export class Channel {
  readonly fields: ChannelField[] = [];
  private template: Template | undefined;

  constructor(
    readonly topic: string,
    readonly message: string,
  ) {}

  /** The message of a row, in bytes that the next one uses again. */
  encode({ memory: { bytes: row, view } }: Row): Uint8Array {
    this.template ??= templateOf(this.fields);
    const { bytes, places, target } = this.template;
    for (const { from, to, size, isSigned, width } of places) {
      if (size === 8) {
        target.setUint32(to, view.getUint32(from));
        target.setUint32(to + 4, view.getUint32(from + 4));
        continue;
      }
      for (let at = 0; at < size; at++) bytes[to + at] = row[from + at] as number;
      if (size === width) continue;
      // A short integer has the sign in all bytes above.
      const rest = isSigned && (row[from + size - 1] as number) > 0x7f ? 0xff : 0;
      bytes.fill(rest, to + size, to + width);
    }
    return bytes;
  }
}

/** How the rows of a channel become messages. */
export interface MessageEncoding {
  /** As MCAP names it, of messages and of their schemas. */
  readonly messages: 'protobuf' | 'json';
  readonly schemas: 'protobuf' | 'jsonschema';
  schemaOf(channel: Channel): Buffer;
  /** Bytes that the next message may use again. */
  encode(channel: Channel, row: Row): Uint8Array;
}

export const PROTOBUF: MessageEncoding = {
  messages: 'protobuf',
  schemas: 'protobuf',
  schemaOf: ({ message, fields }) => descriptorOf(message, fields),
  encode: (channel, row) => channel.encode(row),
};

export function channelsOf(columns: readonly Column[]): readonly Channel[] {
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

interface Template {
  readonly bytes: Buffer;
  /** Of the same bytes. */
  readonly target: DataView;
  readonly places: readonly Place[];
}

/** From where in a row a value comes, and where it goes. */
interface Place {
  readonly from: number;
  readonly to: number;
  readonly size: number;
  readonly width: number;
  readonly isSigned: boolean;
}

/** A message with room for all values, which have the same width in every row. */
function templateOf(fields: readonly ChannelField[]): Template {
  const pieces: Buffer[] = [];
  const places: Place[] = [];
  let end = 0;
  for (const [index, { kind, column }] of fields.entries()) {
    const wire = WIRES.get(kind) ?? WIRE.four;
    const head = tag(index + 1, wire);
    const width = WIDTHS[wire] as number;
    const [to, size] = [end + head.length, sizeOf(column.type)];
    places.push({ from: column.offsetBytes, to, size, width, isSigned: kind === KIND.sfixed32 });
    pieces.push(head, Buffer.alloc(width));
    end = to + width;
  }
  const bytes = Buffer.concat(pieces);
  return { bytes, target: new DataView(bytes.buffer, bytes.byteOffset, bytes.length), places };
}
