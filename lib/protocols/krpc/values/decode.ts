// kRPC's bytes as values.
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { fewFields } from '../schema/fields.js';
import { decodeMessage, Schema } from '../schema/messages.js';
import { itemType, type ObjectNumbers } from './encode.js';
import { describeType, type KrpcType, type KrpcValue, type NamedCall, TypeCode } from './type.js';

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
const INT32 = [-(2n ** 31n), 2n ** 31n - 1n] as const;
const UINT32 = [0n, 2n ** 32n - 1n] as const;

/** Most arguments of a call. */
export const MOST_ARGUMENTS = 1000;
/** Most fields of an argument, and of a call beside its arguments. */
export const MOST_FIELDS = 16;
/** The number of the field that holds the arguments. */
const CALL_ARGUMENTS = 3;
/** The numbers of the fields of a dictionary's entry; it has no others. */
const [ENTRY_KEY, ENTRY_VALUE] = [1, 2] as const;
const ENTRY_FIELDS = 2;
/** The number of the field that holds the items of a collection. */
const ITEM = 1;
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
        return instance(type, bytes, this.objects);
      case TypeCode.tuple:
        return this.items(type, bytes, depth);
      case TypeCode.list:
        return this.list(type, bytes, depth);
      case TypeCode.set:
        return new Set(this.items(type, bytes, depth));
      case TypeCode.dictionary:
        return this.dictionary(type, bytes, depth);
      default:
        return reading(type, () => single(type, bytes));
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
    const parts = this.parts(type, bytes);
    const isTuple = type.code === TypeCode.tuple;
    if (isTuple && parts.length !== type.types?.length) throw refuse(type);
    return parts.map((item, index) => this.value(itemType(type, isTuple ? index : 0), item, depth + 1));
  }

  private dictionary(type: KrpcType, bytes: Uint8Array, depth: number): KrpcValue {
    return new Map(
      this.parts(type, bytes).map((entry) => [
        this.value(itemType(type, 0), fieldOf(type, entry, ENTRY_KEY), depth + 1),
        this.value(itemType(type, 1), fieldOf(type, entry, ENTRY_VALUE), depth + 1),
      ]),
    );
  }

  /** The bytes of each item of a collection, or of each entry. */
  private parts(type: KrpcType, bytes: Uint8Array): readonly Uint8Array[] {
    const parts = reading(type, () => fewFields(bytes, ITEM, this.itemsLeft));
    if (!parts) throw new DecodeError(`a value may have ${MOST_ITEMS} items`);
    this.itemsLeft -= parts.length;
    return parts;
  }
}

const NOTHING = new Uint8Array();

/** The bytes of a field of an entry. */
function fieldOf(type: KrpcType, entry: Uint8Array, field: number): Uint8Array {
  const found = reading(type, () => fewFields(entry, field, ENTRY_FIELDS));
  if (!found) throw new DecodeError(`an entry of a dictionary may have ${ENTRY_FIELDS} fields`);
  return found.at(-1) ?? NOTHING;
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

/** A value that is no collection and no object. As kRPC does, bytes behind it are ignored: its client for JavaScript sends some. */
function single(type: KrpcType, bytes: Uint8Array): KrpcValue {
  const reader = new BinaryReader(bytes);
  switch (type.code) {
    case TypeCode.double:
      return reader.double();
    case TypeCode.float:
      return reader.float();
    case TypeCode.sint32:
    case TypeCode.enumeration:
      return within(BigInt(reader.sint64()), INT32);
    case TypeCode.sint64:
      return BigInt(reader.sint64());
    case TypeCode.uint32:
      return within(BigInt(reader.uint64()), UINT32);
    case TypeCode.uint64:
      return BigInt(reader.uint64());
    case TypeCode.bool:
      return reader.bool();
    case TypeCode.string:
      return reader.string(true);
    case TypeCode.bytes:
      return Uint8Array.from(reader.bytes());
    case TypeCode.stream:
      return { streamId: Number(decodeMessage(Schema.Stream, bytes).id) };
    case TypeCode.event:
      return { streamId: Number(decodeMessage(Schema.Event, bytes).stream?.id ?? 0n) };
    case TypeCode.procedureCall:
      // A copy, because its arguments are parts of the bytes: a stream must not keep the whole request.
      return callIn(Uint8Array.from(bytes));
    default:
      throw new DecodeError(`a ${describeType(type)} cannot be received`);
  }
}

const refuse = (type: KrpcType): DecodeError => new DecodeError(`the bytes are no ${describeType(type)}`);

function within(value: bigint, [lowest, highest]: readonly [bigint, bigint]): number {
  if (value < lowest || value > highest) throw new RangeError('the number has more than 32 bits');
  return Number(value);
}

function instance(type: KrpcType, bytes: Uint8Array, objects: ObjectNumbers): KrpcValue {
  const number = reading(type, () => BigInt(new BinaryReader(bytes).uint64()));
  if (number === 0n) return null;
  const found = objects.objectOf(type, number);
  if (!found) throw new UnknownInstanceError();
  return found;
}

/** What the library refuses is no value of the type. */
function reading<T>(type: KrpcType, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof DecodeError ? error : refuse(type);
  }
}

/**
 * The call in a message, which has few fields: each would be decoded. Throws a DecodeError for more, and another Error for
 * bytes that are no call.
 */
export function callIn(bytes: Uint8Array): NamedCall {
  const given = fewFields(bytes, CALL_ARGUMENTS, MOST_ARGUMENTS + MOST_FIELDS);
  if (!given) throw new DecodeError(`a call may have ${MOST_ARGUMENTS} arguments, and ${MOST_FIELDS} other fields`);
  if (given.length > MOST_ARGUMENTS) throw new DecodeError(`a call may have ${MOST_ARGUMENTS} arguments`);
  if (given.some((argument) => !fewFields(argument, 0, MOST_FIELDS)))
    throw new DecodeError(`an argument of a call may have ${MOST_FIELDS} fields`);
  return decodeMessage(Schema.ProcedureCall, bytes);
}
