// Stores a checkpoint's literals in memory; each must fit its type.
import { type Items, type Literal, LongList } from '../../../grammar/checkpoint/index.js';
import { isKeyed, putInOrder } from '../../model/state/keyed.js';
import { type Memory, writeBits, writeNumber } from '../../model/state/memory.js';
import { noSuchLabel, withArticle } from '../../model/state/misfit.js';
import {
  type ArrayType,
  type BitsType,
  cellOf,
  describeType,
  type EnumerationType,
  isNullableText,
  NULL_TEXT,
  NUMBER_FACTS,
  type NumberType,
  type PointerType,
  SEQUENCE_HEADER_BYTES,
  type SequenceType,
  strideOf,
  TEXT_HEADER_BYTES,
  type TextType,
  type Type,
} from '../../model/state/type.js';

/** A literal that does not fit, at an offset of the file. */
export class LiteralError extends Error {
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message);
  }
}

/** A place in memory, and its name in sentences. */
export interface Slot {
  readonly path: string;
  readonly offsetBytes: number;
}

export interface LiteralStore {
  readonly memory: Memory;
  /** Points a pointer at the target of an address. */
  readonly aim: (type: PointerType, slot: Slot, address: Literal & { kind: 'address' }) => void;
  /** Keeps a value that the checkpoint could not save. */
  readonly keep: (type: Type, slot: Slot) => void;
}

/** Stores a whole literal, or throws a LiteralError; the memory is then invalid and must be discarded. */
export function storeLiteral(store: LiteralStore, type: Type, slot: Slot, literal: Literal): void {
  if (literal.kind === 'unsaved') store.keep(type, slot);
  else STORES[type.kind](store, type as never, slot, literal);
}

type Store<K extends Type['kind']> = (
  store: LiteralStore,
  type: Extract<Type, { kind: K }>,
  slot: Slot,
  literal: Literal,
) => void;

const STORES: { readonly [K in Type['kind']]: Store<K> } = {
  number: storeNumber,
  bits: storeBits,
  enumeration: storeEnumeration,
  text: storeText,
  array: storeArray,
  sequence: storeSequence,
  pointer: storePointer,
  struct: (_store, type, slot, literal) => {
    throw misfit(type, slot, literal);
  },
};

function storeNumber({ memory }: LiteralStore, type: NumberType, slot: Slot, literal: Literal): void {
  const { family, sizeBytes, isSigned } = NUMBER_FACTS[type.name];
  if (family === 'floating') {
    const value = floatingOf(literal);
    if (value === undefined) throw misfit(type, slot, literal);
    writeNumber(type.name, memory, slot.offsetBytes, value);
    return;
  }
  const value = integerOf(literal);
  const bits = family === 'bool' ? 1 : 8 * sizeBytes;
  // A char may be written as a byte, with any sign.
  const isChar = type.name === 'char' && literal.kind === 'character';
  if (value === undefined || !(isChar || fitsInteger(value, bits, isSigned))) throw misfit(type, slot, literal);
  writeNumber(type.name, memory, slot.offsetBytes, value);
}

function storeBits({ memory }: LiteralStore, type: BitsType, slot: Slot, literal: Literal): void {
  const value = integerOf(literal);
  if (value === undefined || !fitsInteger(value, type.widthBits, type.isSigned)) throw misfit(type, slot, literal);
  writeBits(memory, slot.offsetBytes, type.widthBits, type.isSigned, value);
}

function storeEnumeration({ memory }: LiteralStore, type: EnumerationType, slot: Slot, literal: Literal): void {
  const value = literal.kind === 'name' ? labelled(type, slot, literal) : integerOf(literal);
  const cell = cellOf(type);
  const { sizeBytes, isSigned } = NUMBER_FACTS[cell];
  if (value === undefined || !fitsInteger(value, 8 * sizeBytes, isSigned)) throw misfit(type, slot, literal);
  writeNumber(cell, memory, slot.offsetBytes, value);
}

function labelled({ name, labels }: EnumerationType, { path }: Slot, literal: Literal & { kind: 'name' }): bigint {
  const label = literal.name.split('::').at(-1) as string;
  if (Object.hasOwn(labels, label)) return BigInt(labels[label] as number);
  throw new LiteralError(noSuchLabel(path, name, Object.keys(labels), label), literal.at);
}

function storeText({ memory }: LiteralStore, type: TextType, slot: Slot, literal: Literal): void {
  const { offsetBytes } = slot;
  if (isNull(literal) && isNullableText(type)) {
    memory.view.setUint32(offsetBytes, NULL_TEXT, true);
    return;
  }
  if (literal.kind !== 'text') throw misfit(type, slot, literal);
  const length = literal.bytes.length;
  if (length > type.capacityBytes) throw noRoom(slot, type.capacityBytes, length, 'bytes of text', literal);
  const start = offsetBytes + TEXT_HEADER_BYTES;
  memory.bytes.write(literal.bytes, start, 'latin1');
  memory.bytes[start + length] = 0;
  memory.view.setUint32(offsetBytes, length, true);
}

function storeArray(store: LiteralStore, type: ArrayType, slot: Slot, literal: Literal): void {
  const isChars = type.element.kind === 'number' && type.element.name === 'char';
  if (isChars && literal.kind === 'text') storeCharacters(store, type, slot, literal);
  else if (literal.kind !== 'list') throw misfit(type, slot, literal);
  else if (literal.items.length > type.length)
    throw noRoom(slot, type.length, literal.items.length, 'elements', literal);
  else storeElements(store, type.element, slot, literal.items);
}

function storeCharacters(
  { memory }: LiteralStore,
  type: ArrayType,
  slot: Slot,
  literal: Literal & { kind: 'text' },
): void {
  const { length } = literal.bytes;
  if (length > type.length) throw noRoom(slot, type.length, length, 'characters', literal);
  memory.bytes.fill(0, slot.offsetBytes, slot.offsetBytes + type.length);
  memory.bytes.write(literal.bytes, slot.offsetBytes, 'latin1');
}

function storeSequence(store: LiteralStore, type: SequenceType, slot: Slot, literal: Literal): void {
  if (literal.kind !== 'list') throw misfit(type, slot, literal);
  const { length } = literal.items;
  if (length > type.capacity) throw noRoom(slot, type.capacity, length, 'elements', literal);
  store.memory.view.setUint32(slot.offsetBytes, length, true);
  const first = { path: slot.path, offsetBytes: slot.offsetBytes + SEQUENCE_HEADER_BYTES };
  storeElements(store, type.element, first, literal.items);
  if (isKeyed(type)) putInOrder(type, store.memory, slot.offsetBytes);
}

/** Stores items side by side, from an offset in bytes on; those above `most` are left out. */
export function storeElements(
  store: LiteralStore,
  element: Type,
  { path, offsetBytes: base }: Slot,
  items: Items,
  { stride = strideOf(element), most = items.length } = {},
): void {
  const put = (index: number, item: Literal): void => {
    if (index < most)
      storeLiteral(store, element, { path: `${path}[${index}]`, offsetBytes: base + index * stride }, item);
  };
  if (element.kind === 'number' && items instanceof LongList) {
    const fits = fitOf(element);
    items.eachNumber(kindOf(element), (value, index, item) => {
      if (index < most && fits(value)) writeNumber(element.name, store.memory, base + index * stride, value);
      else put(index, item());
    });
    return;
  }
  let index = 0;
  for (const item of items) put(index++, item);
}

const kindOf = ({ name }: NumberType) => (name === 'char' ? 'char' : NUMBER_FACTS[name].family);

/** Whether a number that a list spells plainly fits; NaN does not. */
function fitOf({ name }: NumberType): (value: number) => boolean {
  const { family, sizeBytes, isSigned } = NUMBER_FACTS[name];
  if (family === 'floating') return (value) => !Number.isNaN(value);
  const values = family === 'bool' ? 2 : 2 ** (8 * sizeBytes);
  const [least, above] = isSigned ? [-values / 2, values / 2] : [0, values];
  return (value) => value >= least && value < above;
}

function storePointer(store: LiteralStore, type: PointerType, slot: Slot, literal: Literal): void {
  if (literal.kind === 'address') store.aim(type, slot, literal);
  else if (isNull(literal)) store.memory.view.setBigUint64(slot.offsetBytes, 0n, true);
  else throw misfit(type, slot, literal);
}

const isNull = (literal: Literal): boolean =>
  (literal.kind === 'name' && literal.name === 'NULL') || (literal.kind === 'number' && literal.image === '0');

function floatingOf(literal: Literal): number | undefined {
  if (literal.kind === 'character') return literal.code;
  if (literal.kind === 'name') return nonFinite(literal.name);
  if (literal.kind !== 'number') return undefined;
  if (/^0g/i.test(literal.image)) return Buffer.from(literal.image.slice(2), 'hex').readDoubleBE();
  return nonFinite(literal.image) ?? Number(literal.image.replace(/^\+/, ''));
}

function nonFinite(image: string): number | undefined {
  if (/^[-+]?nan$/i.test(image)) return Number.NaN;
  if (/^\+?inf$/i.test(image)) return Number.POSITIVE_INFINITY;
  return /^-inf$/i.test(image) ? Number.NEGATIVE_INFINITY : undefined;
}

function integerOf(literal: Literal): bigint | undefined {
  if (literal.kind === 'character') return BigInt(literal.code);
  if (literal.kind === 'name') return literal.name === 'true' ? 1n : literal.name === 'false' ? 0n : undefined;
  if (literal.kind !== 'number' || !/^[-+]?(\d{1,20}|0[xX][0-9a-fA-F]{1,16})$/.test(literal.image)) return undefined;
  const size = BigInt(literal.image.replace(/^[-+]/, ''));
  return literal.image.startsWith('-') ? -size : size;
}

const fitsInteger = (value: bigint, bits: number, isSigned: boolean): boolean =>
  (isSigned ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value)) === value;

const noRoom = ({ path }: Slot, room: number, came: number, what: string, { at }: Literal): LiteralError =>
  new LiteralError(`${path} has room for ${room} ${what}, not ${came}`, at);

const misfit = (type: Type, { path }: Slot, literal: Literal): LiteralError =>
  new LiteralError(`${path} is ${withArticle(describeType(type))}; ${nounOf(literal)} does not fit`, literal.at);

function nounOf(literal: Literal): string {
  switch (literal.kind) {
    case 'number':
      return literal.image.slice(0, 40);
    case 'text':
      return `the text ${JSON.stringify(literal.bytes.slice(0, 40))}`;
    case 'character':
      return `the character ${literal.code}`;
    case 'name':
      return literal.name.slice(0, 40);
    case 'list':
      return `a list of ${literal.items.length}`;
    default:
      return 'an address';
  }
}
