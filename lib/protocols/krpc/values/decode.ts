// kRPC's bytes as values.
import { isUtf8 } from 'node:buffer';
import { countFields, fewFields } from '../schema/fields.js';
import { type DictionaryEntry, decodeMessage, Schema } from '../schema/messages.js';
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

/** Most arguments of a call. */
export const MOST_ARGUMENTS = 1000;
/** Most fields of an argument, or of an entry of a dictionary; and of a call beside its arguments. */
export const MOST_FIELDS = 16;
/** The number of the field that holds the arguments. */
export const CALL_ARGUMENTS = 3;
/** The fields of an entry: its key and its value. */
const ENTRY_FIELDS = 2;
/** Most items of all collections in a value together; a list of doubles may have more. */
export const MOST_ITEMS = 10_000;

/** The value in the bytes. Throws a DecodeError or an UnknownInstanceError. */
export const decodeValue = (type: KrpcType, bytes: Uint8Array, objects: ObjectNumbers): KrpcValue =>
  new Decoder(objects).value(type, bytes, 0);

class Decoder {
  private itemsLeft = MOST_ITEMS;

  constructor(private readonly objects: ObjectNumbers) {}

  value(type: KrpcType, bytes: Uint8Array, depth: number): KrpcValue {
    if (depth > DEEPEST) throw new DecodeError(`a value may be ${DEEPEST} collections deep`);
    switch (type.code) {
      case TypeCode.class:
        return instance(type, integer(type, bytes), this.objects);
      case TypeCode.tuple:
        return this.tuple(type, bytes, depth);
      case TypeCode.list:
        return this.list(type, bytes, depth);
      case TypeCode.set:
        return new Set(this.items(type, bytes, depth));
      case TypeCode.dictionary:
        return this.dictionary(type, bytes, depth);
      default:
        return single(type, bytes);
    }
  }

  private list(type: KrpcType, bytes: Uint8Array, depth: number): KrpcValue {
    const { code } = itemType(type, 0);
    const numbers = code === TypeCode.double ? doubles(bytes) : undefined;
    if (numbers) return numbers;
    const found = code === TypeCode.string ? texts(bytes, this.itemsLeft) : undefined;
    if (!found) return this.items(type, bytes, depth);
    this.itemsLeft -= found.length;
    return found;
  }

  private items(type: KrpcType, bytes: Uint8Array, depth: number): KrpcValue[] {
    return this.parts(type, bytes).map((item) => this.value(itemType(type, 0), item, depth + 1));
  }

  private tuple(type: KrpcType, bytes: Uint8Array, depth: number): KrpcValue {
    const items = this.parts(type, bytes);
    if (items.length !== type.types?.length) throw refuse(type);
    return items.map((item, index) => this.value(itemType(type, index), item, depth + 1));
  }

  private dictionary(type: KrpcType, bytes: Uint8Array, depth: number): KrpcValue {
    const entries = this.parts(type, bytes).map((entry) => this.entry(type, entry));
    return new Map(
      entries.map(({ key, value }) => [
        this.value(itemType(type, 0), key, depth + 1),
        this.value(itemType(type, 1), value, depth + 1),
      ]),
    );
  }

  private entry(type: KrpcType, bytes: Uint8Array): DictionaryEntry {
    const fields = message(type, () => countFields(bytes, MOST_FIELDS));
    if (fields > MOST_FIELDS) throw new DecodeError(`an entry of a dictionary may have ${MOST_FIELDS} fields`);
    // Every further field costs as much as an item, so it counts as one.
    this.take(Math.max(0, fields - ENTRY_FIELDS));
    return message(type, () => decodeMessage(Schema.dictionaryEntry, bytes));
  }

  /** Counts items. */
  private take(items: number): void {
    if (items > this.itemsLeft) throw new DecodeError(`a value may have ${MOST_ITEMS} items`);
    this.itemsLeft -= items;
  }

  /** The bytes of each item of a collection, or of each entry. */
  private parts(type: KrpcType, bytes: Uint8Array): readonly Uint8Array[] {
    const parts = message(type, () => fewFields(bytes, 1, this.itemsLeft));
    if (!parts) throw new DecodeError(`a value may have ${MOST_ITEMS} items`);
    this.itemsLeft -= parts.length;
    return parts;
  }
}

const DOUBLE_ITEM_BYTES = 10;

/** A list of doubles as all clients write it, in one loop: arrays of numbers may be large. */
function doubles(bytes: Uint8Array): number[] | undefined {
  if (bytes.length % DOUBLE_ITEM_BYTES !== 0) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const values = new Array<number>(bytes.length / DOUBLE_ITEM_BYTES);
  for (let index = 0, at = 0; index < values.length; index++, at += DOUBLE_ITEM_BYTES) {
    // The tag of field 1, and the length 8.
    if (bytes[at] !== 0x0a || bytes[at + 1] !== 8) return undefined;
    values[index] = view.getFloat64(at + 2, true);
  }
  return values;
}

/** Where a byte says that a length goes on. */
const LONG_LENGTH = 0x80;

/** A list of short texts, in one loop: calls with thousands of names come often. Undefined for any other, and for more. */
function texts(bytes: Uint8Array, most: number): string[] | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const found: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const itemBytes = bytes[at + 1] ?? LONG_LENGTH;
    // The tag of field 1, the length of the item, and of its text, which fills the item.
    if (bytes[at] !== 0x0a || itemBytes >= LONG_LENGTH || bytes[at + 2] !== itemBytes - 1) return undefined;
    const end = at + 2 + itemBytes;
    if (end > bytes.length || found.length === most) return undefined;
    found.push(buffer.toString('utf8', at + 3, end));
    at = end;
  }
  return found;
}

/** A value that is no collection and no object. */
function single(type: KrpcType, bytes: Uint8Array): KrpcValue {
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
      return textIn(type, behindLength(type, bytes));
    case TypeCode.bytes:
      return Uint8Array.from(behindLength(type, bytes));
    case TypeCode.stream:
      return { streamId: Number(message(type, () => decodeMessage(Schema.stream, bytes)).id) };
    case TypeCode.event:
      return { streamId: Number(message(type, () => decodeMessage(Schema.event, bytes)).stream?.id ?? 0n) };
    case TypeCode.procedureCall:
      return callIn(type, bytes);
    default:
      throw new DecodeError(`a ${describeType(type)} cannot be received`);
  }
}

function textIn(type: KrpcType, bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw refuse(type);
  return Buffer.from(bytes).toString('utf8');
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

/** A call that is an argument of another one. */
function callIn(type: KrpcType, bytes: Uint8Array): KrpcValue {
  const most = MOST_ARGUMENTS + MOST_FIELDS;
  const given = message(type, () => fewFields(bytes, CALL_ARGUMENTS, most));
  if (!given) throw new DecodeError(`a call may have ${MOST_ARGUMENTS} arguments, and ${MOST_FIELDS} other fields`);
  if (given.length > MOST_ARGUMENTS) throw new DecodeError(`a call may have ${MOST_ARGUMENTS} arguments`);
  if (message(type, () => given.some(hasManyFields))) throw new DecodeError(MANY_FIELDS);
  // A copy, because its arguments are parts of the bytes: a stream must not keep the whole request.
  return message(type, () => decodeMessage(Schema.procedureCall, Uint8Array.from(bytes)));
}

/** Whether an argument has more fields than it may have. Throws an Error for bytes that are no message of fields. */
export const hasManyFields = (argument: Uint8Array): boolean => countFields(argument, MOST_FIELDS) > MOST_FIELDS;
/** The sentence that refuses such an argument. */
export const MANY_FIELDS = `an argument of a call may have ${MOST_FIELDS} fields`;
