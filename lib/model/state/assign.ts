// What a client may store in a variable: fractions are cut off for integers, as in C, and every value of another kind,
// shape or range is refused with one sentence.

import { fitPlain } from './fit-value.js';
import { type IntegerType, whyNotInteger } from './integer-range.js';
import type { Memory } from './memory.js';
import { fitsText } from './memory.js';
import { doesNotFit, noRoomForText, noSuchLabel, noSuchMember, noText, outOfRange, tooLarge } from './misfit.js';
import { elementsIn, fitsPacked, isPacked, type Packed, PackedList, packed, unpacked } from './packed-numbers.js';
import { byMembers, missingOf } from './pair.js';
import type { Value } from './read.js';
import {
  type Characters,
  type EnumerationType,
  findMember,
  isCharacters,
  isNullableText,
  type Member,
  NUMBER_FACTS,
  type NumberType,
  type SequenceType,
  type StructType,
  sizeOf,
  type TextType,
  type Type,
} from './type.js';
import { locate, type Variable } from './variable.js';
import { storeValue } from './write.js';
import { isPointer, type Where, whyNotZero } from './zero.js';

/** A value that does not fit its variable. Nothing has been changed. */
export class AssignmentError extends Error {
  override readonly name = 'AssignmentError';

  /** @param isReadOnly whether the variable refuses all values. */
  constructor(
    message: string,
    readonly isReadOnly = false,
  ) {
    super(message);
  }
}

/**
 * By which rule values are taken. `trick`, on Trick's wire: a list that is shorter than its array sets the other elements
 * to zero, floats are the integers that they equal, and one too large for a float is infinite. Trick: swig_double and its
 * siblings
 */
export type Rule = 'whole' | 'trick';

/**
 * The value as the variable will hold it, but by Trick's rule a list that is shorter than its array stays short. Throws an
 * AssignmentError that names the variable and both types.
 */
export function convertFor(
  variable: Pick<Variable, 'path' | 'type' | 'access'>,
  value: Value,
  rule: Rule = 'whole',
): Value {
  if (variable.access === 'read-only') throw new AssignmentError(`${variable.path} is read-only`, true);
  return convert(variable.type, value, { path: () => variable.path, rule });
}

/** As `convertFor`, with long lists of numbers packed. */
export function convertPacked(variable: Pick<Variable, 'path' | 'type' | 'access'>, value: Value, rule?: Rule): Value {
  const plain = variable.access === 'read-only' ? undefined : packedPlain(variable.type, value);
  return plain ?? packed(variable.type, convertFor(variable, value, rule));
}

/** A whole list of numbers that fit as they are; undefined for every other value. */
function packedPlain(type: Type, value: Value): Value | undefined {
  if (!Array.isArray(value) || (type.kind !== 'array' && type.kind !== 'sequence')) return undefined;
  const isWhole = type.kind === 'array' ? value.length === type.length : value.length <= type.capacity;
  const list = isWhole ? PackedList.for(type, value.length) : undefined;
  const plain = list && fitPlain(type.element, value);
  if (!plain) return undefined;
  list.add(plain);
  return list.value;
}

/** Stores what `convertFor` returned. Throws an AssignmentError while the variable cannot be reached. */
export function assign(variable: Variable, memory: Memory, converted: Value): void {
  storeValue(memory, variable.type, placeOf(variable, memory), converted);
}

function placeOf(variable: Variable, memory: Memory): number {
  const offset = locate(variable, memory);
  if (offset >= 0) return offset;
  throw new AssignmentError(`${variable.path} is not there: a pointer on the way is null or an index too large`);
}

export interface Assignment {
  readonly variable: Variable;
  /** A value that `convertFor` returned. */
  readonly value: Value;
}

/**
 * Stores all values in order or, when one variable cannot be reached, none.
 * @param accept called when all are stored; if it throws, all are undone.
 */
export function assignAll(assignments: readonly Assignment[], memory: Memory, accept: () => void = () => {}): void {
  const before = new Before(memory, assignments);
  try {
    for (const { variable, value } of assignments) {
      const offset = placeOf(variable, memory);
      before.keep(variable.type, offset, value);
      storeValue(memory, variable.type, offset, value);
    }
    accept();
  } catch (error) {
    before.restore();
    throw error;
  }
}

/** Bytes of the state that a value sets, however short its lists are. */
export function bytesSet(type: Type, value: Value): number {
  if (type.kind !== 'struct') return sizeOf(type);
  let sum = 0;
  for (const [member, item] of given(type, value)) sum += bytesSet(member.type, item);
  return sum;
}

/** The members of a structure that a converted value gives. */
function given(type: StructType, value: Value): [Member, Value][] {
  return Object.entries(value as Record<string, Value>).flatMap(([name, item]) => {
    const member = findMember(type, name);
    return member ? [[member, item]] : [];
  });
}

/** Bytes of a number or two. */
const FEW_BYTES = 16;

/** The bytes that assignments overwrite, side by side, because one request may have thousands. */
class Before {
  private readonly bytes: Buffer;
  private readonly places: number[] = [];
  private readonly ends: number[] = [];

  constructor(
    private readonly memory: Memory,
    assignments: readonly Assignment[],
  ) {
    this.bytes = Buffer.allocUnsafe(
      assignments.reduce((sum, { variable, value }) => sum + bytesSet(variable.type, value), 0),
    );
  }

  /** Of a structure only the members that are given: those of an object lie far apart. */
  keep(type: Type, offset: number, value: Value): void {
    if (type.kind !== 'struct') this.keepBytes(offset, sizeOf(type));
    else for (const [member, item] of given(type, value)) this.keep(member.type, offset + member.offsetBytes, item);
  }

  private keepBytes(offset: number, sizeBytes: number): void {
    const start = this.ends.at(-1) ?? 0;
    // A call for each of thousands of numbers would take longer than what it copies.
    if (sizeBytes > FEW_BYTES) this.memory.bytes.copy(this.bytes, start, offset, offset + sizeBytes);
    else for (let at = 0; at < sizeBytes; at++) this.bytes[start + at] = this.memory.bytes[offset + at] as number;
    this.places.push(offset);
    this.ends.push(start + sizeBytes);
  }

  /** Takes the latest back first, because two may be of the same bytes. */
  restore(): void {
    for (let index = this.places.length - 1; index >= 0; index--) {
      this.bytes.copy(this.memory.bytes, this.places[index], this.ends[index - 1] ?? 0, this.ends[index]);
    }
  }
}

/** Where a value goes, for sentences, and by which rule it is taken. */
interface Place {
  readonly path: Where;
  readonly rule: Rule;
}

function convert(type: Type, value: Value, place: Place): Value {
  if (type.kind === 'text' || isCharacters(type)) return convertText(type, value, place);
  switch (type.kind) {
    case 'number':
      return inRange(type, convertNumber(type, value, place), place);
    case 'bits':
      if (type.declaredAs === 'bool') return numberIn(type, value, place) !== 0;
      return convertInteger(type, value, place);
    case 'enumeration':
      return convertEnumeration(type, value, place);
    case 'array':
      return convertElements(type, type.element, type.length, value, place);
    case 'sequence':
      return convertSequence(type, value, place);
    case 'struct':
      return convertMembers(type, value, place);
    case 'pointer':
      throw new AssignmentError(isPointer(place.path()));
  }
}

const refuse = (type: Type, value: Value, { path }: Place): AssignmentError =>
  new AssignmentError(doesNotFit(path(), type, value));

function convertText(type: Characters | TextType, value: Value, place: Place): Value {
  if (value === null && isNullableText(type)) return null;
  if (typeof value !== 'string') throw refuse(type, value, place);
  const sentence = noText(place.path, value);
  if (sentence !== undefined) throw new AssignmentError(sentence);
  if (fitsText(type, value)) return value;
  throw new AssignmentError(noRoomForText(place.path(), type, value));
}

function convertNumber(type: NumberType, value: Value, place: Place): Value {
  const { family } = NUMBER_FACTS[type.name];
  if (family === 'bool') return numberIn(type, value, place) !== 0;
  if (family !== 'floating') return convertInteger(type, value, place);
  const number = numberIn(type, value, place);
  if (type.name === 'float' && place.rule === 'whole') requireRoom(type, number, place);
  return number;
}

function numberIn(type: Type, value: Value, place: Place): number {
  if (typeof value === 'number') return value;
  if (typeof value !== 'boolean' && typeof value !== 'bigint') throw refuse(type, value, place);
  return Number(value);
}

/** A finite number stays finite in a float. */
function requireRoom(type: NumberType, number: number, { path }: Place): void {
  if (Number.isFinite(number) && !Number.isFinite(Math.fround(number)))
    throw new AssignmentError(tooLarge(path(), type));
}

/** A whole number, or what C leaves of a fraction, within what the type holds. */
function convertInteger(type: IntegerType, value: Value, place: Place): bigint {
  const isWhole = typeof value === 'bigint' || typeof value === 'boolean';
  if (!isWhole && !Number.isFinite(value)) throw refuse(type, value, place);
  const given = value as number | bigint | boolean;
  const sentence = whyNotInteger(place.path, type, given, place.rule === 'trick');
  if (sentence !== undefined) throw new AssignmentError(sentence);
  return BigInt(typeof given === 'number' ? Math.trunc(given) : given);
}

function inRange(type: NumberType, value: Value, { path }: Place): Value {
  if (type.min === undefined && type.max === undefined) return value;
  const sentence = outOfRange(path(), type, value);
  if (sentence !== undefined) throw new AssignmentError(sentence);
  return value;
}

function convertEnumeration(type: EnumerationType, value: Value, place: Place): Value {
  if (typeof value !== 'string') return Number(convertInteger(type, value, place));
  if (Object.hasOwn(type.labels, value)) return type.labels[value] as number;
  throw new AssignmentError(noSuchLabel(place.path(), type.name, Object.keys(type.labels), value));
}

function convertElements(type: Type, element: Type, length: number, value: Value, place: Place): Value {
  if (!isList(value)) throw refuse(type, value, place);
  const { path, rule } = place;
  const given = lengthOf(element, value);
  if (given > length || (given < length && rule === 'whole'))
    throw new AssignmentError(`${path()} has ${length} elements, a list of ${given} does not fit`);
  const problem = given < length ? whyNotZero(element, () => `${path()}[${given}]`) : undefined;
  const converted = convertItems(element, value, place);
  if (problem !== undefined) throw new AssignmentError(problem);
  return converted;
}

function convertItems(element: Type, given: List, { path, rule }: Place): Value {
  if (isPacked(given) && fitsPacked(element, given)) return given as unknown as Value;
  const values = isPacked(given) ? unpacked(element, given) : given;
  if (isAnyNumber(element) && values.every((item) => typeof item === 'number')) return values.slice();
  let index = 0;
  const place = { path: () => `${path()}[${index}]`, rule };
  return values.map((item, at) => {
    index = at;
    return convert(element, item, place);
  });
}

type List = readonly Value[] | Packed;
const isList = (value: Value): value is Value & List => Array.isArray(value) || isPacked(value);

/** How many elements a list has. */
const lengthOf = (element: Type, list: List): number => (isPacked(list) ? elementsIn(element, list) : list.length);

/** Whether the type takes every number as it is. */
const isAnyNumber = (type: Type): boolean =>
  type.kind === 'number' && type.name === 'double' && type.min === undefined && type.max === undefined;

function convertSequence(type: SequenceType, value: Value, place: Place): Value {
  if (!isList(value)) throw refuse(type, value, place);
  const { element, capacity, container } = type;
  const { path, rule } = place;
  const given = lengthOf(element, value);
  if (given > capacity)
    throw new AssignmentError(`${path()} has room for ${capacity} elements, a list of ${given} does not fit`);
  if (container !== 'map') return convertItems(element, value, place);
  const entries = isPacked(value) ? unpacked(element, value) : value;
  return entries.map((item, index) =>
    convertEntry(element as StructType, item, { path: () => `${path()}[${index}]`, rule }),
  );
}

/** An entry of a map that is assigned whole, with its key. */
function convertEntry(type: StructType, value: Value, place: Place): Value {
  const given = byMembers(type, value) as Record<string, Value>;
  if (given === null || typeof given !== 'object') throw refuse(type, value, place);
  const missing = missingOf(type, given);
  if (missing !== undefined) throw new AssignmentError(`${place.path()} lacks its member ${missing}`);
  return Object.fromEntries(
    type.members.map(({ name, type: own }) => [name, convert(own, given[name] as Value, below(place, name))]),
  );
}

const below = ({ path, rule }: Place, name: string): Place => ({ path: () => `${path()}.${name}`, rule });

function convertMembers(type: StructType, given: Value, place: Place): Value {
  const { path } = place;
  const value = byMembers(type, given) as Value;
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw refuse(type, value, place);
  const entries = Object.entries(value as Record<string, Value>).map(([name, item]) => {
    const member = findMember(type, name);
    if (!member) throw new AssignmentError(noSuchMember(path(), type, name));
    if (member.access === 'read-only') throw new AssignmentError(`${path()}.${name} is read-only`);
    return [name, convert(member.type, item, below(place, name))] as const;
  });
  const missing = missingOf(type, value);
  if (missing !== undefined) throw new AssignmentError(`${path()} lacks its member ${missing}`);
  return Object.fromEntries(entries);
}
