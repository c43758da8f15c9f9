// Checks values that go into and come out of functions: each must fit its type exactly, without truncation or defaults.
import { type IntegerType, rangeOf, whyNotInteger } from './integer-range.js';
import { fitsText } from './memory.js';
import {
  doesNotFit,
  MisfitError,
  noRoomForText,
  noSuchLabel,
  noSuchMember,
  noText,
  outOfRange,
  tooLarge,
} from './misfit.js';
import { byMembers } from './pair.js';
import type { Value } from './read.js';
import {
  type ArrayType,
  type Characters,
  type EnumerationType,
  findMember,
  isCharacters,
  isNullableText,
  NUMBER_FACTS,
  type NumberType,
  type SequenceType,
  type StructType,
  type TextType,
  type Type,
} from './type.js';
import { isList } from './write.js';

/**
 * The value in the form in which `readValue` returns one of this type: 64-bit integers are bigint, enumerations
 * numbers, arrays lists, structures objects with all members. Throws a MisfitError that says what does not fit.
 * @param where the name of the place in sentences.
 */
export function fitValue(type: Type, value: unknown, where: string): Value {
  if (type.kind === 'text' || isCharacters(type)) return fitText(type, value, where);
  switch (type.kind) {
    case 'number':
      return inRange(type, fitNumber(type, value, where), where);
    case 'bits':
      return Number(fitInteger(type, value, where));
    case 'enumeration':
      return fitEnumeration(type, value, where);
    case 'array':
    case 'sequence':
      return fitElements(type, value, where);
    case 'struct':
      return fitMembers(type, value, where);
    case 'pointer':
      throw new MisfitError(`${where} is a pointer, which takes no value`);
  }
}

const refuse = (type: Type, value: unknown, where: string): MisfitError =>
  new MisfitError(doesNotFit(where, type, value));

function fitText(type: TextType | Characters, value: unknown, where: string): Value {
  if (value === null && isNullableText(type)) return null;
  if (typeof value !== 'string') throw refuse(type, value, where);
  const sentence = noText(() => where, value);
  if (sentence !== undefined) throw new MisfitError(sentence);
  if (!fitsText(type, value)) throw new MisfitError(noRoomForText(where, type, value));
  return value;
}

function fitNumber(type: NumberType, value: unknown, where: string): Value {
  switch (NUMBER_FACTS[type.name].family) {
    case 'floating':
      return fitFloating(type, value, where);
    case 'bool':
      return fitBool(type, value, where);
    case 'integer':
      return Number(fitInteger(type, value, where));
    case 'big integer':
      return fitInteger(type, value, where);
  }
}

function inRange(type: NumberType, value: Value, where: string): Value {
  const sentence = outOfRange(where, type, value);
  if (sentence !== undefined) throw new MisfitError(sentence);
  return value;
}

export function fitFloating(type: NumberType, value: unknown, where: string): number {
  if (typeof value !== 'number' && typeof value !== 'bigint' && typeof value !== 'boolean') {
    throw refuse(type, value, where);
  }
  const number = type.name === 'float' ? Math.fround(Number(value)) : Number(value);
  const isTooLarge = !Number.isFinite(number) && (typeof value === 'bigint' || Number.isFinite(value));
  if (isTooLarge) throw new MisfitError(tooLarge(where, type));
  return number;
}

function fitBool(type: NumberType, value: unknown, where: string): boolean {
  if (typeof value === 'boolean') return value;
  if (value === 0 || value === 1 || value === 0n || value === 1n) return Number(value) === 1;
  throw refuse(type, value, where);
}

export function fitInteger(type: IntegerType, value: unknown, where: string): bigint {
  const isWhole = typeof value === 'bigint' || typeof value === 'boolean' || Number.isInteger(value);
  if (!isWhole) throw refuse(type, value, where);
  const given = value as number | bigint | boolean;
  const sentence = whyNotInteger(() => where, type, given);
  if (sentence !== undefined) throw new MisfitError(sentence);
  return BigInt(given);
}

function fitEnumeration(type: EnumerationType, value: unknown, where: string): number {
  if (typeof value === 'string') {
    if (Object.hasOwn(type.labels, value)) return type.labels[value] as number;
    throw new MisfitError(noSuchLabel(where, type.name, Object.keys(type.labels), value));
  }
  if (typeof value !== 'number' && typeof value !== 'bigint') throw refuse(type, value, where);
  const number = Object.values(type.labels).find((labelled) => labelled === value || BigInt(labelled) === value);
  if (number === undefined) throw refuse(type, value, where);
  return number;
}

function fitElements(type: ArrayType | SequenceType, value: unknown, where: string): Value {
  if (!isList(value)) throw refuse(type, value, where);
  const items = Array.from(value);
  if (type.kind === 'array' && items.length !== type.length) {
    throw new MisfitError(`${where} takes ${type.length} elements, not ${items.length}`);
  }
  if (type.kind === 'sequence' && items.length > type.capacity) {
    throw new MisfitError(`${where} has room for ${type.capacity} elements, not ${items.length}`);
  }
  return (
    fitPlain(type.element, items) ?? items.map((item, index) => fitValue(type.element, item, `${where}[${index}]`))
  );
}

/**
 * Numbers as `fitValue` returns them, without a name for each in case that it does not fit: that would take most of the
 * time for long lists. Undefined when one may not fit. What is returned may be the list itself.
 */
export function fitPlain(element: Type, items: readonly unknown[]): number[] | undefined {
  if (element.kind !== 'number' || element.min !== undefined || element.max !== undefined) return undefined;
  const { family } = NUMBER_FACTS[element.name];
  if (family === 'integer') return plainIntegers(element, items as readonly number[]);
  if (family !== 'floating' || !items.every(Number.isFinite)) return undefined;
  const numbers = items as readonly number[];
  if (element.name === 'double') return numbers as number[];
  const rounded = numbers.map(Math.fround);
  return rounded.every(Number.isFinite) ? rounded : undefined;
}

function plainIntegers(element: NumberType, items: readonly number[]): number[] | undefined {
  const [lowest, highest] = rangeOf(element).map(Number) as [number, number];
  const fit = items.every((item) => Number.isInteger(item) && item >= lowest && item <= highest);
  // An integer has no -0.
  return fit ? items.map((item) => item + 0) : undefined;
}

function fitMembers(type: StructType, whole: unknown, where: string): Value {
  const value = byMembers(type, whole);
  if (typeof value !== 'object' || value === null || Symbol.iterator in value) throw refuse(type, value, where);
  const stray = Object.keys(value).find((name) => !findMember(type, name));
  if (stray !== undefined) throw new MisfitError(noSuchMember(where, type, stray));
  const given = value as Readonly<Record<string, unknown>>;
  const entries = type.members.map(({ name, type: own }) => {
    if (!Object.hasOwn(given, name)) throw new MisfitError(`${where} lacks its member ${name}`);
    return [name, fitValue(own, given[name], `${where}.${name}`)] as const;
  });
  return Object.fromEntries(entries);
}
