// kRPC's bytes as values.
import { decodeMessage, Schema } from '../schema/messages.js';
import { readBigVarint, unzigzag } from '../schema/varint.js';
import { itemType, type ObjectNumbers } from './encode.js';
import { describeType, type KrpcType, type KrpcValue, TypeCode } from './type.js';

/** The bytes are no value of the type. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}

/** The number names no object that this client has been given. kRPC: "Instance not found" */
export class UnknownInstanceError extends Error {
  override readonly name = 'UnknownInstanceError';

  constructor() {
    super('Instance not found');
  }
}

/** Collections may lie within each other so deep. */
const DEEPEST = 16;
const LOWEST_INT32 = -(2n ** 31n);
const HIGHEST_INT32 = 2n ** 31n - 1n;

/** The value in the bytes. Throws a DecodeError or an UnknownInstanceError. */
export function decodeValue(type: KrpcType, bytes: Uint8Array, objects: ObjectNumbers, depth = 0): KrpcValue {
  if (depth > DEEPEST) throw new DecodeError(`a value may be ${DEEPEST} collections deep`);
  switch (type.code) {
    case TypeCode.double:
      return viewOf(type, bytes, 8).getFloat64(0, true);
    case TypeCode.float:
      return viewOf(type, bytes, 4).getFloat32(0, true);
    case TypeCode.sint32:
    case TypeCode.enumeration:
      return Number(within(type, unzigzag(integer(type, bytes)), LOWEST_INT32, HIGHEST_INT32));
    case TypeCode.sint64:
      return unzigzag(integer(type, bytes));
    case TypeCode.uint32:
      return Number(within(type, integer(type, bytes), 0n, 2n ** 32n - 1n));
    case TypeCode.uint64:
      return integer(type, bytes);
    case TypeCode.bool:
      return integer(type, bytes) !== 0n;
    case TypeCode.string:
      return Buffer.from(behindLength(type, bytes)).toString('utf8');
    case TypeCode.bytes:
      return Uint8Array.from(behindLength(type, bytes));
    case TypeCode.class:
      return instance(type, integer(type, bytes), objects);
    case TypeCode.stream:
      return { streamId: Number(message(type, () => decodeMessage(Schema.stream, bytes)).id) };
    case TypeCode.event:
      return { streamId: Number(message(type, () => decodeMessage(Schema.event, bytes)).stream?.id ?? 0n) };
    case TypeCode.procedureCall:
      return message(type, () => decodeMessage(Schema.procedureCall, bytes));
    case TypeCode.tuple:
      return tuple(type, bytes, objects, depth);
    case TypeCode.list:
      return itemsOf(type, bytes).map((item) => decodeValue(itemType(type, 0), item, objects, depth + 1));
    case TypeCode.set:
      return new Set(itemsOf(type, bytes).map((item) => decodeValue(itemType(type, 0), item, objects, depth + 1)));
    case TypeCode.dictionary:
      return dictionary(type, bytes, objects, depth);
    default:
      throw new DecodeError(`a ${describeType(type)} cannot be received`);
  }
}

const refuse = (type: KrpcType): DecodeError => new DecodeError(`the bytes are no ${describeType(type)}`);

// As kRPC does, bytes behind a number or a text are ignored: its client for JavaScript sends some.
function viewOf(type: KrpcType, bytes: Uint8Array, length: number): DataView {
  if (bytes.length < length) throw refuse(type);
  return new DataView(bytes.buffer, bytes.byteOffset, length);
}

function integer(type: KrpcType, bytes: Uint8Array): bigint {
  const found = readBigVarint(bytes);
  if (!found) throw refuse(type);
  return found.value;
}

function within(type: KrpcType, value: bigint, lowest: bigint, highest: bigint): bigint {
  if (value < lowest || value > highest) throw refuse(type);
  return value;
}

function behindLength(type: KrpcType, bytes: Uint8Array): Uint8Array {
  const length = readBigVarint(bytes);
  if (!length || BigInt(bytes.length - length.end) < length.value) throw refuse(type);
  return bytes.subarray(length.end, length.end + Number(length.value));
}

function instance(type: KrpcType, number: bigint, objects: ObjectNumbers): KrpcValue {
  if (number === 0n) return null;
  const found = objects.objectOf(type, number);
  if (!found) throw new UnknownInstanceError();
  return found;
}

function message<T>(type: KrpcType, decode: () => T): T {
  try {
    return decode();
  } catch {
    throw refuse(type);
  }
}

const itemsOf = (type: KrpcType, bytes: Uint8Array): readonly Uint8Array[] =>
  message(type, () => decodeMessage(Schema.items, bytes)).items;

function tuple(type: KrpcType, bytes: Uint8Array, objects: ObjectNumbers, depth: number): KrpcValue {
  const items = itemsOf(type, bytes);
  if (items.length !== type.types?.length) throw refuse(type);
  return items.map((item, index) => decodeValue(itemType(type, index), item, objects, depth + 1));
}

function dictionary(type: KrpcType, bytes: Uint8Array, objects: ObjectNumbers, depth: number): KrpcValue {
  const { entries } = message(type, () => decodeMessage(Schema.dictionary, bytes));
  return new Map(
    entries.map(({ key, value }) => [
      decodeValue(itemType(type, 0), key, objects, depth + 1),
      decodeValue(itemType(type, 1), value, objects, depth + 1),
    ]),
  );
}
