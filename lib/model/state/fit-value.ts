// Which values fit a type, said once for all who give some: clients, functions and simulation code differ by a rule.
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
import { elementsIn, fitsPacked, isPacked, PackedList, unpacked } from './packed-numbers.js';
import { byMembers } from './pair.js';
import type { Value } from './read.js';
import {
  type ArrayType,
  type BitsType,
  type Characters,
  type EnumerationType,
  findMember,
  isCharacters,
  isNullableText,
  NUMBER_FACTS,
  type NumberType,
  type PointerType,
  type StructType,
  type TextType,
  type Type,
} from './type.js';
import type { ListType } from './walk.js';
import { isPointer, type Where, whyNotZero } from './zero.js';

/** How values are taken. What clients and code leave out of a structure keeps its value; functions get whole values. */
export interface FitRule {
  readonly from: 'client' | 'function' | 'code';
  /** Whether an integer takes what C leaves of a fraction. */
  readonly cutsFractions?: true;
  /** Whether a float takes what is too large for it, as infinity. */
  readonly overflows?: true;
  /**
   * Whether a list that is shorter than its array stays short, for its other elements to become zero, and large floats are
   * the integers that they equal. Trick: swig_double and its siblings
   */
  readonly isTrick?: true;
  /** Whether it is how a component starts: NaN is refused, pointers take lists, and functions make elements by their index. */
  readonly isInitial?: true;
  /** @param isOfKind false for a value of the right kind that is too large or too long. */
  readonly error: (sentence: string, isOfKind: boolean) => Error;
}

/** Where a value goes, for sentences, and by which rule it is taken. */
export interface Destination {
  readonly path: Where;
  readonly rule: FitRule;
  /** Whether it is an entry of a map that is given whole, with its key. */
  readonly isEntry?: boolean;
}

const FUNCTION: FitRule = { from: 'function', error: (sentence) => new MisfitError(sentence) };

/**
 * A value for a function or from one, in the form in which `readValue` returns it. Throws a MisfitError that says what does
 * not fit.
 * @param where the name of the place in sentences.
 */
export const fitValue = (type: Type, value: unknown, where: string): Value =>
  fit(type, value, { path: () => where, rule: FUNCTION });

/**
 * The value in the form in which `readValue` returns one of this type: 64-bit integers are bigint, enumerations numbers, arrays
 * lists, structures objects. Long lists of numbers of a client are packed. Throws what the rule makes of a sentence.
 */
export function fit(type: Type, value: unknown, place: Destination): Value {
  switch (type.kind) {
    case 'number':
      return fitNumber(type, value, place);
    case 'bits':
      return fitBits(type, value, place);
    case 'enumeration':
      return fitEnumeration(type, value, place);
    case 'text':
      return fitText(type, value, place);
    case 'array':
      return isCharacters(type) ? fitText(type, value, place) : fitList(type, type.element, value, place);
    case 'sequence':
      return fitList(type, type.element, value, place);
    case 'pointer':
      return fitTargets(type, value, place);
    case 'struct':
      return fitMembers(type, value, place);
  }
}

const refuse = (type: Type, value: unknown, { path, rule }: Destination): Error =>
  rule.error(doesNotFit(path(), type, value), false);

function fitText(type: TextType | Characters, value: unknown, { path, rule }: Destination): Value {
  if (value === null && isNullableText(type)) return null;
  if (typeof value !== 'string') throw refuse(type, value, { path, rule });
  const sentence = rule.from === 'code' ? undefined : noText(path, value);
  if (sentence !== undefined) throw rule.error(sentence, false);
  if (!fitsText(type, value)) throw rule.error(noRoomForText(path(), type, value), true);
  return value;
}

function fitNumber(type: NumberType, value: unknown, place: Destination): Value {
  const { family } = NUMBER_FACTS[type.name];
  const number = family === 'bool' ? fitBool(type, value, place) : fitQuantity(type, family, value, place);
  if (type.min === undefined && type.max === undefined) return number;
  const sentence = outOfRange(place.path(), type, number);
  if (sentence !== undefined) throw place.rule.error(sentence, true);
  return number;
}

function fitQuantity(type: NumberType, family: string, value: unknown, place: Destination): number | bigint {
  if (family === 'floating') return fitFloating(type, value, place);
  const integer = fitInteger(type, value, place);
  return family === 'integer' ? Number(integer) : integer;
}

const isNumber = (value: unknown): value is number | bigint | boolean =>
  typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean';

function fitFloating(type: NumberType, value: unknown, place: Destination): number {
  const { path, rule } = place;
  if (!isNumber(value)) throw refuse(type, value, place);
  const number = type.name === 'float' ? Math.fround(Number(value)) : Number(value);
  if (Number.isFinite(number)) return number;
  const isTooLarge = typeof value === 'bigint' || Number.isFinite(value);
  if (isTooLarge && !rule.overflows) throw rule.error(tooLarge(path(), type), true);
  // A number out of range gets the sentence about its range, which says more.
  if (rule.isInitial && Number.isNaN(number) && type.min === undefined && type.max === undefined)
    throw rule.error(`${path()} starts as NaN, which is no number`, false);
  return number;
}

function fitBool(type: NumberType | BitsType, value: unknown, place: Destination): boolean {
  const isTruth = isNumber(value) && (place.rule.from !== 'function' || [0, 1].includes(Number(value)));
  if (!isTruth) throw refuse(type, value, place);
  return Number(value) !== 0;
}

function fitBits(type: BitsType, value: unknown, place: Destination): number {
  const isTruth = type.declaredAs === 'bool' && place.rule.from === 'client';
  return Number(isTruth ? fitBool(type, value, place) : fitInteger(type, value, place));
}

/** A whole number, or what C leaves of a fraction, within what the type holds. */
function fitInteger(type: IntegerType, value: unknown, place: Destination): bigint {
  const { path, rule } = place;
  const isExact = typeof value === 'bigint' || typeof value === 'boolean' || Number.isInteger(value);
  if (!isExact && !(rule.cutsFractions && Number.isFinite(value))) throw refuse(type, value, place);
  const given = value as number | bigint | boolean;
  const sentence = whyNotInteger(path, type, given, rule.isTrick);
  if (sentence !== undefined) throw rule.error(sentence, true);
  return BigInt(typeof given === 'number' ? Math.trunc(given) : given);
}

function fitEnumeration(type: EnumerationType, value: unknown, place: Destination): number {
  const { path, rule } = place;
  if (typeof value === 'string') {
    if (Object.hasOwn(type.labels, value)) return type.labels[value] as number;
    throw rule.error(noSuchLabel(path(), type.name, Object.keys(type.labels), value), false);
  }
  if (rule.from !== 'function') return Number(fitInteger(type, value, place));
  const isGiven = typeof value === 'number' || typeof value === 'bigint';
  if (!isGiven || !Object.values(type.labels).includes(Number(value))) throw refuse(type, value, place);
  return Number(value);
}

/** Whether a value can be iterated twice: lists, typed arrays and views, but not generators, and not text. */
export function isList(value: unknown): value is Iterable<unknown> {
  if (typeof value !== 'object' || value === null || !(Symbol.iterator in value)) return false;
  return Array.isArray(value) || (value as Iterable<unknown>)[Symbol.iterator]() !== (value as unknown);
}

function fitList(type: ListType, element: Type, given: unknown, place: Destination): Value {
  const { path, rule } = place;
  const value =
    rule.isInitial && type.kind === 'array' && typeof given === 'function'
      ? madeBy(given as (index: number) => unknown, type)
      : given;
  if (!isList(value)) throw refuse(type, value, place);
  // Packed numbers of a client may be those of several rows.
  const isSideBySide = isPacked(value) && (rule.from === 'client' || element.kind === 'number');
  const isAsStored = isSideBySide && rule.from !== 'function' && !rule.isInitial && fitsPacked(element, value);
  const items = isAsStored ? [] : isSideBySide ? unpacked(element, value) : Array.isArray(value) ? value : [...value];
  const count = isAsStored ? elementsIn(element, value) : items.length;
  const sentence = whyNotSo(type, count, place);
  if (sentence !== undefined) throw rule.error(sentence, true);
  const problem =
    type.kind === 'array' && count < type.length ? whyNotZero(element, () => `${path()}[${count}]`) : undefined;
  const fitted = isAsStored ? (value as unknown as Value) : fitItems(type, element, items, place);
  if (problem !== undefined) throw rule.error(problem, false);
  const packed =
    rule.from === 'client' && !isAsStored && type.kind !== 'pointer' ? PackedList.for(type, count) : undefined;
  if (!packed) return fitted;
  packed.add(fitted as readonly Value[]);
  return packed.value;
}

const madeBy = (make: (index: number) => unknown, { length }: ArrayType): unknown[] =>
  Array.from({ length }, (_, index) => make(index));

/** The sentence for too many elements, or too few; undefined when they fit. */
function whyNotSo(type: ListType, count: number, { path, rule }: Destination): string | undefined {
  if (type.kind === 'pointer') return undefined;
  const room = type.kind === 'array' ? type.length : type.capacity;
  if (count === room || (count < room && (type.kind === 'sequence' || rule.isTrick))) return undefined;
  const isOfClient = rule.from === 'client';
  const has = type.kind === 'sequence' ? 'has room for' : isOfClient ? 'has' : 'takes';
  return `${path()} ${has} ${room} elements, ${isOfClient ? `a list of ${count} does not fit` : `not ${count}`}`;
}

function fitItems(type: ListType, element: Type, items: readonly unknown[], { path, rule }: Destination): Value {
  const plain = fitPlain(element, items, rule.isInitial);
  if (plain) return plain;
  const isEntry = type.kind === 'sequence' && type.container === 'map';
  let index = 0;
  const place = { path: () => `${path()}[${index}]`, rule, isEntry };
  return Array.from(items, (item, at) => {
    index = at;
    return fit(element, item, place);
  });
}

/**
 * Numbers as `fit` returns them, without looking at each by itself: that would take most of the time for long lists.
 * Undefined when one may not fit. What is returned may be the list itself.
 */
export function fitPlain(element: Type, items: readonly unknown[], refusesNaN = false): number[] | undefined {
  if (element.kind !== 'number' || element.min !== undefined || element.max !== undefined) return undefined;
  const { family } = NUMBER_FACTS[element.name];
  if (family !== 'floating' && family !== 'integer') return undefined;
  // A loop, because `every` leaves out what is missing.
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    if (typeof item !== 'number' || (refusesNaN && Number.isNaN(item))) return undefined;
  }
  const numbers = items as number[];
  if (family === 'integer') return plainIntegers(element, numbers);
  if (element.name === 'double') return numbers;
  const rounded = numbers.map(Math.fround);
  return rounded.every(Number.isFinite) ? rounded : undefined;
}

function plainIntegers(element: NumberType, items: readonly number[]): number[] | undefined {
  const [lowest, highest] = rangeOf(element).map(Number) as [number, number];
  const areFit = items.every((item) => Number.isInteger(item) && item >= lowest && item <= highest);
  // An integer has no -0.
  return areFit ? items.map((item) => item + 0) : undefined;
}

/** What a pointer points at: memory is allocated for it when a component is added, and at no other time. */
function fitTargets(type: PointerType, value: unknown, place: Destination): Value {
  const { path, rule } = place;
  if (rule.from === 'client') throw rule.error(isPointer(path()), false);
  if (rule.isInitial) return fitList(type, type.target, value, place);
  const why = rule.from === 'code' ? ': it is aimed with pointTo' : ', which takes no value';
  throw rule.error(`${path()} is a pointer${why}`, false);
}

function fitMembers(type: StructType, whole: unknown, place: Destination): Value {
  const { path, rule } = place;
  const value = byMembers(type, whole);
  if (typeof value !== 'object' || value === null || Symbol.iterator in value) throw refuse(type, value, place);
  const given = value as Readonly<Record<string, unknown>>;
  const takesParts = rule.from !== 'function' && !type.isPair;
  const missing = takesParts ? undefined : type.members.find(({ name }) => !Object.hasOwn(given, name));
  let name = '';
  const below = { path: () => `${path()}.${name}`, rule };
  const fitted: Record<string, Value> = {};
  for (name of Object.keys(given)) {
    const member = findMember(type, name);
    if (!member) throw rule.error(noSuchMember(path(), type, name), false);
    if (rule.from === 'client' && member.access === 'read-only' && !place.isEntry)
      throw rule.error(`${below.path()} is read-only`, false);
    // Code leaves out a member by giving undefined.
    if (given[name] !== undefined || rule.from !== 'code') fitted[name] = fit(member.type, given[name], below);
  }
  if (missing) throw rule.error(`${path()} lacks its member ${missing.name}`, false);
  return fitted;
}
