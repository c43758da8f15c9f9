// Stores JavaScript values that fit a type exactly: used by simulation code and for initial values.
import { clearValues } from './clear-value.js';
import { fitsPlainly, type IntegerType, isIntegral, rangeOf, whyNotInteger } from './integer-range.js';
import { isKeyed, putInOrder } from './keyed.js';
import { fitsText, type Memory, writeBits, writeCharacters, writeNumber, writeText } from './memory.js';
import { doesNotFit, noRoomForText, noSuchLabel, noSuchMember, outOfRange } from './misfit.js';
import { elementsIn, isPacked, storePacked } from './packed-numbers.js';
import { byMembers, missingOf } from './pair.js';
import {
  type ArrayType,
  type Characters,
  cellOf,
  type EnumerationType,
  findMember,
  isCharacters,
  isLeaf,
  isNullableText,
  type LeafType,
  type NumberName,
  type NumberType,
  type PointerType,
  SEQUENCE_HEADER_BYTES,
  type SequenceType,
  type StructType,
  sizeOf,
  strideOf,
  type TextType,
  type Type,
} from './type.js';
import { storeZeros } from './zero.js';

/** The name in sentences of a place without a known path. */
const UNNAMED = 'the value';

/** Allocates the initial values of a pointer, and points at them. */
export type PointAt = (type: PointerType, offset: number, values: readonly unknown[]) => void;

/**
 * Stores a whole value. Throws a TypeError or RangeError that says where the value does not fit, and then stores
 * nothing. A member that is undefined keeps its old value.
 * @param where the name of the place in sentences.
 * @param pointAt without it, values for pointers are refused.
 */
export function writeValue(
  memory: Memory,
  type: Type,
  offset: number,
  value: unknown,
  where = UNNAMED,
  pointAt?: PointAt,
): void {
  checkValue(type, value, where, pointAt !== undefined);
  storeValue(memory, type, offset, value, pointAt);
}

/** Throws what `writeValue` would throw. */
export function checkValue(type: Type, value: unknown, where = UNNAMED, takesPointers = false): void {
  if (isCharacters(type) || type.kind === 'text') checkText(type, value, where);
  else if (type.kind === 'struct') checkMembers(type, value, where, takesPointers);
  else if (type.kind === 'enumeration') checkEnumeration(type, value, where);
  else if (type.kind === 'array' || type.kind === 'sequence') {
    checkElements(type, type.element, value, where, takesPointers);
  } else if (type.kind === 'pointer') {
    if (!takesPointers) throw new TypeError(`${where} is a pointer: it is aimed with pointTo`);
    checkElements(type, type.target, value, where, takesPointers);
  } else if (!isNumber(value)) throw new TypeError(doesNotFit(where, type, value));
  else {
    if (isIntegral(type)) requireInteger(type, value, where);
    if (type.kind === 'number') requireRange(type, value, where);
  }
}

/** Also a fraction, of which C keeps the whole part. */
function requireInteger(type: IntegerType, value: number | bigint | boolean, where: string): void {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(doesNotFit(where, type, value));
  const sentence = whyNotInteger(() => where, type, value);
  if (sentence !== undefined) throw new RangeError(sentence);
}

/**
 * Throws what `checkValue` throws for an integer, as quickly as code assigns it: a typed array would keep the lowest bits.
 * Undefined for other numbers.
 */
export function integerCheck(name: NumberName, where: string): ((value: unknown) => void) | undefined {
  const type: NumberType = { kind: 'number', name };
  if (!isIntegral(type)) return undefined;
  const range = rangeOf(type);
  const [lowest, highest] = sizeOf(type) < 8 ? range.map(Number) : range;
  return (value) => {
    if (!((value as number) >= (lowest as number) && (value as number) <= (highest as number)))
      checkValue(type, value, where);
  };
}

function requireRange(type: NumberType, value: unknown, where: string): void {
  const sentence = outOfRange(where, type, value);
  if (sentence !== undefined) throw new RangeError(sentence);
}

function checkText(type: Characters | TextType, value: unknown, where: string): void {
  if (value === null && isNullableText(type)) return;
  if (typeof value !== 'string') throw new TypeError(doesNotFit(where, type, value));
  if (!fitsText(type, value)) throw new RangeError(noRoomForText(where, type, value));
}

const isNumber = (value: unknown): value is number | bigint | boolean =>
  typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean';

function checkEnumeration(type: EnumerationType, value: unknown, where: string): void {
  if (typeof value === 'number') requireInteger(type, value, where);
  else if (typeof value !== 'string') throw new TypeError(doesNotFit(where, type, value));
  else if (!Object.hasOwn(type.labels, value)) {
    throw new TypeError(noSuchLabel(where, type.name, Object.keys(type.labels), value));
  }
}

function checkElements(
  type: ArrayType | SequenceType | PointerType,
  element: Type,
  value: unknown,
  where: string,
  takesPointers: boolean,
): void {
  if (!isList(value)) throw new TypeError(doesNotFit(where, type, value));
  let length = 0;
  for (const item of value) {
    if (!fitsPlainly(element, item)) checkValue(element, item, `${where}[${length}]`, takesPointers);
    length++;
  }
  if (type.kind === 'array' && length !== type.length) {
    throw new RangeError(`${where} takes ${type.length} elements, not ${length}`);
  }
  if (type.kind === 'sequence' && length > type.capacity) {
    throw new RangeError(`${where} has room for ${type.capacity} elements, not ${length}`);
  }
}

/** Whether a value can be iterated twice: lists, typed arrays and views, but not generators, and not text. */
export function isList(value: unknown): value is Iterable<unknown> {
  if (typeof value !== 'object' || value === null || !(Symbol.iterator in value)) return false;
  return Array.isArray(value) || (value as Iterable<unknown>)[Symbol.iterator]() !== (value as unknown);
}

function checkMembers(type: StructType, given: unknown, where: string, takesPointers: boolean): void {
  const value = byMembers(type, given);
  if (typeof value !== 'object' || value === null || Symbol.iterator in value) {
    throw new TypeError(doesNotFit(where, type, value));
  }
  const missing = missingOf(type, value);
  if (missing !== undefined) throw new TypeError(`${where} lacks its member ${missing}`);
  for (const [name, item] of Object.entries(value)) {
    const member = findMember(type, name);
    if (!member) throw new TypeError(noSuchMember(where, type, name));
    if (item !== undefined) checkValue(member.type, item, `${where}.${name}`, takesPointers);
  }
}

/** Stores a value that `checkValue` has accepted, or one of a client, whose lists may be shorter than their arrays. */
export function storeValue(memory: Memory, type: Type, offset: number, value: unknown, pointAt?: PointAt): void {
  if (isLeaf(type)) storeLeaf(memory, type, offset, value);
  else if (isCharacters(type)) writeCharacters(type, memory, offset, value as string);
  else if (type.kind === 'struct') storeMembers(memory, type, offset, byMembers(type, value) as object, pointAt);
  else if (type.kind === 'pointer') pointAt?.(type, offset, [...(value as Iterable<unknown>)]);
  else if (type.kind === 'array') {
    const given = storeElements(memory, type.element, offset, value as Iterable<unknown>, pointAt);
    if (given < type.length) {
      storeZeros(memory, type.element, offset + given * strideOf(type.element), type.length - given);
    }
  } else {
    const base = offset + SEQUENCE_HEADER_BYTES;
    if (type.element.kind === 'struct') clearNew(memory, type, offset, value);
    const length = storeElements(memory, type.element, base, value as Iterable<unknown>, pointAt);
    memory.view.setUint32(offset, length, true);
    if (isKeyed(type)) putInOrder(type, memory, offset);
  }
}

/** Members that a new element leaves out are zero, whatever lay there before. */
function clearNew(memory: Memory, { capacity, element }: SequenceType, offset: number, value: unknown): void {
  const stride = strideOf(element);
  const held = Math.min(memory.view.getUint32(offset, true), capacity);
  const more = Math.max(0, (Array.isArray(value) ? value.length : capacity) - held);
  clearValues(element, memory, offset + SEQUENCE_HEADER_BYTES + held * stride, more, more * stride);
}

function storeLeaf(memory: Memory, type: LeafType, offset: number, value: unknown): void {
  if (type.kind === 'number') writeNumber(type.name, memory, offset, storable(type, value));
  else if (type.kind === 'text') writeText(type, memory, offset, value as string | null);
  else if (type.kind === 'bits')
    writeBits(memory, offset, type.widthBits, type.isSigned, BigInt(storable(type, value)));
  else {
    const number = typeof value === 'string' ? (type.labels[value] as number) : Number(value);
    writeNumber(cellOf(type), memory, offset, number);
  }
}

/** A checked value as a number; integers lose their fraction as in C. */
function storable(type: Type, value: unknown): number | bigint {
  if (typeof value === 'bigint') return value;
  return isIntegral(type) ? Math.trunc(Number(value)) : Number(value);
}

function storeElements(
  memory: Memory,
  element: Type,
  base: number,
  values: Iterable<unknown>,
  pointAt?: PointAt,
): number {
  if (isPacked(values) && storePacked(memory, element, base, values)) return elementsIn(element, values);
  const stride = strideOf(element);
  let index = 0;
  if (element.kind === 'number') {
    const hasFraction = !isIntegral(element);
    for (const value of values) {
      const number = hasFraction ? Number(value) : storable(element, value);
      writeNumber(element.name, memory, base + index++ * stride, number);
    }
  } else for (const value of values) storeValue(memory, element, base + index++ * stride, value, pointAt);
  return index;
}

function storeMembers(memory: Memory, type: StructType, offset: number, value: object, pointAt?: PointAt): void {
  for (const [name, item] of Object.entries(value)) {
    const member = findMember(type, name);
    if (member && item !== undefined) storeValue(memory, member.type, offset + member.offsetBytes, item, pointAt);
  }
}
