// Values as kRPC's bytes.
import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { encodeMessage, type MessageOf, Schema } from '../schema/messages.js';
import { describeType, type KrpcType, type KrpcValue, type RemoteObject, type StreamHandle, TypeCode } from './type.js';

/** The numbers by which one client knows objects. */
export interface ObjectNumbers {
  /** The object's number, from 1. Throws an OverBoundError when the client knows too many. */
  numberOf(type: KrpcType, object: RemoteObject): number;
  objectOf(type: KrpcType, number: bigint): RemoteObject | undefined;
}

/** The tags of items, and of the key and value of a dictionary's entry. */
const ITEM_TAG = 0x0a;
const KEY_TAG = 0x0a;
const VALUE_TAG = 0x12;

/** The bytes of a value of a type. Null is the byte 0, as clients before 0.7 read it. Throws an Error for what does not fit. */
export function encodeValue(type: KrpcType, value: KrpcValue, objects: ObjectNumbers): Uint8Array {
  if (value instanceof Uint8Array && type.code !== TypeCode.bytes) return value;
  if (value !== null && isOfDoubles(type)) return doubles(value as readonly number[]);
  return write(new BinaryWriter(), type, value, objects).finish();
}

function write(writer: BinaryWriter, type: KrpcType, value: KrpcValue, objects: ObjectNumbers): BinaryWriter {
  if (value === null) return writer.uint32(0);
  switch (type.code) {
    case TypeCode.double:
      return writer.double(Number(value));
    case TypeCode.float:
      return writer.float(Math.fround(Number(value)));
    case TypeCode.sint32:
    case TypeCode.enumeration:
      return writer.sint32(Number(value));
    case TypeCode.sint64:
      return writer.sint64(value as bigint);
    case TypeCode.uint32:
      return writer.uint32(Number(value));
    case TypeCode.uint64:
      return writer.uint64(value as bigint);
    case TypeCode.bool:
      return writer.bool(Boolean(value));
    case TypeCode.string:
      return writer.string(value as string);
    case TypeCode.bytes:
      return writer.bytes(value as Uint8Array);
    case TypeCode.class:
      return writer.uint32(objects.numberOf(type, value as RemoteObject));
    case TypeCode.stream:
      return writer.raw(encodeMessage(Schema.Stream, handleFields(value)));
    case TypeCode.event:
      return writer.raw(encodeMessage(Schema.Event, { stream: handleFields(value) }));
    case TypeCode.procedureCall:
      return writer.raw(encodeMessage(Schema.ProcedureCall, value as MessageOf<'ProcedureCall'>));
    case TypeCode.tuple:
    case TypeCode.list:
    case TypeCode.set:
      return writeItems(writer, type, value as Iterable<KrpcValue>, objects);
    case TypeCode.dictionary:
      return writeEntries(writer, type, value as ReadonlyMap<KrpcValue, KrpcValue>, objects);
    default:
      throw new TypeError(`a ${describeType(type)} cannot be sent`);
  }
}

const handleFields = (value: KrpcValue) => ({ id: BigInt((value as StreamHandle).streamId) });

export function itemType({ types = [] }: KrpcType, index: number): KrpcType {
  const found = types[index];
  if (!found) throw new TypeError(`a collection has no type for item ${index}`);
  return found;
}

function writeItems(
  writer: BinaryWriter,
  type: KrpcType,
  items: Iterable<KrpcValue>,
  objects: ObjectNumbers,
): BinaryWriter {
  if (isOfDoubles(type)) return writer.raw(doubles(items as readonly number[]));
  let index = 0;
  for (const item of items) {
    writer.uint32(ITEM_TAG).fork();
    write(writer, itemType(type, type.code === TypeCode.tuple ? index++ : 0), item, objects).join();
  }
  return writer;
}

function writeEntries(
  writer: BinaryWriter,
  type: KrpcType,
  entries: ReadonlyMap<KrpcValue, KrpcValue>,
  objects: ObjectNumbers,
): BinaryWriter {
  for (const [key, value] of entries) {
    writer.uint32(ITEM_TAG).fork().uint32(KEY_TAG).fork();
    write(writer, itemType(type, 0), key, objects).join();
    writer.uint32(VALUE_TAG).fork();
    write(writer, itemType(type, 1), value, objects).join();
    writer.join();
  }
  return writer;
}

const isOfDoubles = ({ code, types }: KrpcType): boolean =>
  code === TypeCode.list && types?.[0]?.code === TypeCode.double;

/** A list of doubles in one loop, because arrays of numbers are what simulations have most. */
function doubles(all: readonly number[]): Uint8Array {
  const bytes = Buffer.allocUnsafe(10 * all.length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let index = 0, at = 0; index < all.length; index++, at += 10) {
    bytes[at] = ITEM_TAG;
    bytes[at + 1] = 8;
    view.setFloat64(at + 2, all[index] as number, true);
  }
  return bytes;
}
