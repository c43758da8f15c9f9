// Stores JavaScript values that fit a type exactly: used by simulation code and for initial values.
import { clearValues } from './clear-value.js';
import { type FitRule, fit } from './fit-value.js';
import { isIntegral, rangeOf } from './integer-range.js';
import { isKeyed, putInOrder } from './keyed.js';
import { type Memory, writeBits, writeCharacters, writeNumber, writeText } from './memory.js';
import { elementsIn, isPacked, storePacked } from './packed-numbers.js';
import type { Value } from './read.js';
import {
  type ArrayType,
  cellOf,
  findMember,
  isCharacters,
  type NumberName,
  type NumberType,
  type PointerType,
  SEQUENCE_HEADER_BYTES,
  type SequenceType,
  type StructType,
  sizeOf,
  strideOf,
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
 */
export function writeValue(memory: Memory, type: Type, offset: number, value: unknown, where?: string): void {
  storeValue(memory, type, offset, fitCode(type, value, where));
}

/** The value as `writeValue` stores it. Throws what `writeValue` throws. */
export const fitCode = (type: Type, value: unknown, where = UNNAMED): Value =>
  fit(type, value, { path: () => where, rule: CODE });

const error = (sentence: string, isOfKind: boolean): Error =>
  isOfKind ? new RangeError(sentence) : new TypeError(sentence);
const CODE: FitRule = { from: 'code', cutsFractions: true, overflows: true, error };

/** How components start. */
export const INITIAL: FitRule = { from: 'code', isInitial: true, error };

/**
 * Throws what `writeValue` throws for an integer, as quickly as code assigns it: a typed array would keep the lowest bits.
 * Undefined for other numbers.
 */
export function integerCheck(name: NumberName, where: string): ((value: unknown) => void) | undefined {
  const type: NumberType = { kind: 'number', name };
  if (!isIntegral(type)) return undefined;
  const range = rangeOf(type);
  const [lowest, highest] = sizeOf(type) < 8 ? range.map(Number) : range;
  return (value) => {
    if (!((value as number) >= (lowest as number) && (value as number) <= (highest as number)))
      fitCode(type, value, where);
  };
}

/** Stores a value that `fit` returned; its lists may be shorter than their arrays. @param pointAt for initial values. */
export function storeValue(memory: Memory, type: Type, offset: number, value: unknown, pointAt?: PointAt): void {
  switch (type.kind) {
    case 'number':
      writeNumber(type.name, memory, offset, numberOf(value));
      break;
    case 'bits':
      writeBits(memory, offset, type.widthBits, type.isSigned, BigInt(Math.trunc(Number(value))));
      break;
    case 'enumeration':
      writeNumber(cellOf(type), memory, offset, numberOf(value));
      break;
    case 'text':
      writeText(type, memory, offset, value as string | null);
      break;
    case 'array':
      if (isCharacters(type)) writeCharacters(type, memory, offset, value as string);
      else storeArray(memory, type, offset, value as Items, pointAt);
      break;
    case 'sequence':
      storeSequence(memory, type, offset, value as Items, pointAt);
      break;
    case 'pointer':
      pointAt?.(type, offset, [...(value as Iterable<unknown>)]);
      break;
    case 'struct':
      storeMembers(memory, type, offset, value as object, pointAt);
      break;
    default:
      // The compiler names it when there is another kind.
      throw new TypeError(type satisfies never);
  }
}

type Items = Iterable<unknown>;

function storeArray(memory: Memory, type: ArrayType, offset: number, items: Items, pointAt?: PointAt): void {
  const { element, length } = type;
  const given = storeElements(memory, element, offset, items, pointAt);
  if (given < length) storeZeros(memory, element, offset + given * strideOf(element), length - given);
}

function storeSequence(memory: Memory, type: SequenceType, offset: number, items: Items, pointAt?: PointAt): void {
  const { element } = type;
  if (element.kind === 'struct') clearNew(memory, type, offset, items);
  const length = storeElements(memory, element, offset + SEQUENCE_HEADER_BYTES, items, pointAt);
  memory.view.setUint32(offset, length, true);
  if (isKeyed(type)) putInOrder(type, memory, offset);
}

/** Members that a new element leaves out are zero, whatever lay there before. */
function clearNew(memory: Memory, { capacity, element }: SequenceType, offset: number, value: unknown): void {
  const stride = strideOf(element);
  const held = Math.min(memory.view.getUint32(offset, true), capacity);
  const more = Math.max(0, (Array.isArray(value) ? value.length : capacity) - held);
  clearValues(element, memory, offset + SEQUENCE_HEADER_BYTES + held * stride, more, more * stride);
}

const numberOf = (value: unknown): number | bigint => (typeof value === 'bigint' ? value : Number(value));

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
    for (const value of values) writeNumber(element.name, memory, base + index++ * stride, numberOf(value));
  } else for (const value of values) storeValue(memory, element, base + index++ * stride, value, pointAt);
  return index;
}

function storeMembers(memory: Memory, type: StructType, offset: number, value: object, pointAt?: PointAt): void {
  for (const name of Object.keys(value)) {
    const member = findMember(type, name);
    const item = (value as Readonly<Record<string, unknown>>)[name];
    if (member && item !== undefined) storeValue(memory, member.type, offset + member.offsetBytes, item, pointAt);
  }
}
