// Values as kRPC's bytes.
import { encodeMessage, Schema } from '../schema/messages.js';
import { bigVarint, varint, varintBytes, writeVarint, zigzag } from '../schema/varint.js';
import { describeType, type KrpcType, type KrpcValue, type RemoteObject, type StreamHandle, TypeCode } from './type.js';

/** The numbers by which one client knows objects. */
export interface ObjectNumbers {
  /** The object's number, from 1. Throws an OverBoundError when the client knows too many. */
  numberOf(type: KrpcType, object: RemoteObject): number;
  objectOf(type: KrpcType, number: bigint): RemoteObject | undefined;
}

const NULL = Uint8Array.of(0);
const TRUE = Uint8Array.of(1);

/** The bytes of a value of a type. Null is the byte 0, as clients before 0.7 read it. Throws a TypeError. */
export function encodeValue(type: KrpcType, value: KrpcValue, objects: ObjectNumbers): Uint8Array {
  if (value === null) return NULL;
  switch (type.code) {
    case TypeCode.double:
      return float64(Number(value));
    case TypeCode.float:
      return float32(Number(value));
    case TypeCode.sint32:
    case TypeCode.sint64:
    case TypeCode.enumeration:
      return signed(value as number | bigint);
    case TypeCode.uint32:
    case TypeCode.uint64:
      return typeof value === 'number' ? varint(value) : bigVarint(value as bigint);
    case TypeCode.bool:
      return value ? TRUE : NULL;
    case TypeCode.string:
      return withLength(Buffer.from(value as string));
    case TypeCode.bytes:
      return withLength(value as Uint8Array);
    case TypeCode.class:
      return varint(objects.numberOf(type, value as RemoteObject));
    case TypeCode.stream:
      return encodeMessage(Schema.stream, { id: BigInt((value as StreamHandle).streamId) });
    case TypeCode.event:
      return encodeMessage(Schema.event, { stream: { id: BigInt((value as StreamHandle).streamId) } });
    case TypeCode.status:
    case TypeCode.services:
      return value as Uint8Array;
    case TypeCode.tuple:
      return items((value as readonly KrpcValue[]).map((item, i) => encodeValue(itemType(type, i), item, objects)));
    case TypeCode.list:
      if (itemType(type, 0).code === TypeCode.double) return doubles(value as readonly number[]);
      return items((value as readonly KrpcValue[]).map((item) => encodeValue(itemType(type, 0), item, objects)));
    case TypeCode.set:
      return items(Array.from(value as Iterable<KrpcValue>, (item) => encodeValue(itemType(type, 0), item, objects)));
    case TypeCode.dictionary:
      return dictionary(type, value as ReadonlyMap<KrpcValue, KrpcValue>, objects);
    default:
      throw new TypeError(`a ${describeType(type)} cannot be sent`);
  }
}

export function itemType({ types = [] }: KrpcType, index: number): KrpcType {
  const found = types[index];
  if (!found) throw new TypeError(`a collection has no type for item ${index}`);
  return found;
}

function float64(value: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeDoubleLE(value);
  return bytes;
}

function float32(value: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeFloatLE(value);
  return bytes;
}

function signed(value: number | bigint): Uint8Array {
  if (typeof value === 'bigint') return bigVarint(zigzag(value));
  return varint(value >= 0 ? value * 2 : -value * 2 - 1);
}

function withLength(bytes: Uint8Array): Uint8Array {
  const all = Buffer.allocUnsafe(varintBytes(bytes.length) + bytes.length);
  all.set(bytes, writeVarint(all, 0, bytes.length));
  return all;
}

/** Tuple, List and Set: each item behind the tag of field 1. */
function items(all: readonly Uint8Array[]): Uint8Array {
  const length = all.reduce((sum, item) => sum + 1 + varintBytes(item.length) + item.length, 0);
  const bytes = Buffer.allocUnsafe(length);
  let at = 0;
  for (const item of all) {
    bytes[at] = ITEM_TAG;
    at = writeVarint(bytes, at + 1, item.length);
    bytes.set(item, at);
    at += item.length;
  }
  return bytes;
}

/** A list of doubles in one piece, because arrays of numbers are what simulations have most. */
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

const ITEM_TAG = 0x0a;

function dictionary(type: KrpcType, value: ReadonlyMap<KrpcValue, KrpcValue>, objects: ObjectNumbers): Uint8Array {
  const entries = Array.from(value, ([key, held]) => ({
    key: encodeValue(itemType(type, 0), key, objects),
    value: encodeValue(itemType(type, 1), held, objects),
  }));
  return encodeMessage(Schema.dictionary, { entries });
}
