// What a client may store in a variable: values are converted as in C, and every other value is refused with one
// sentence.

import { fitPlain } from './fit-value.js';
import type { Memory } from './memory.js';
import { fitsText } from './memory.js';
import { doesNotFit, noRoomForText, noSuchLabel, noSuchMember, outOfRange } from './misfit.js';
import { elementsIn, fitsPacked, isPacked, type Packed, PackedList, packed, unpacked } from './packed-numbers.js';
import { byMembers, missingOf } from './pair.js';
import type { Value } from './read.js';
import {
  type Characters,
  cellOf,
  type EnumerationCell,
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
 * The value as the variable will hold it, but a list that is shorter than its array stays short. Throws an
 * AssignmentError that names the variable and both types.
 */
export function convertFor(variable: Pick<Variable, 'path' | 'type' | 'access'>, value: Value): Value {
  if (variable.access === 'read-only') throw new AssignmentError(`${variable.path} is read-only`, true);
  return convert(variable.type, value, () => variable.path);
}

/** As `convertFor`, with long lists of numbers packed. */
export function convertPacked(variable: Pick<Variable, 'path' | 'type' | 'access'>, value: Value): Value {
  const plain = variable.access === 'read-only' ? undefined : packedPlain(variable.type, value);
  return plain ?? packed(variable.type, convertFor(variable, value));
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

function convert(type: Type, value: Value, path: Where): Value {
  if (type.kind === 'text' || isCharacters(type)) return convertText(type, value, path);
  switch (type.kind) {
    case 'number':
      return inRange(type, convertNumber(type, NUMBER_FACTS[type.name].family, value, path), path);
    case 'bits':
      return convertNumber(type, 'big integer', value, path);
    case 'enumeration':
      return convertEnumeration(type, value, path);
    case 'array':
      return convertElements(type, type.element, type.length, value, path);
    case 'sequence':
      return convertSequence(type, value, path);
    case 'struct':
      return convertMembers(type, value, path);
    case 'pointer':
      throw new AssignmentError(isPointer(path()));
  }
}

const refuse = (type: Type, value: Value, path: Where): AssignmentError =>
  new AssignmentError(doesNotFit(path(), type, value));

function convertText(type: Characters | TextType, value: Value, path: Where): Value {
  if (value === null && isNullableText(type)) return null;
  if (typeof value !== 'string') throw refuse(type, value, path);
  if (value.includes('\0')) throw new AssignmentError(`${path()} cannot hold text with a NUL in it`);
  if (fitsText(type, value)) return value;
  throw new AssignmentError(noRoomForText(path(), type, value));
}

function convertNumber(type: Type, family: string, value: Value, path: Where): Value {
  const number = typeof value === 'boolean' ? Number(value) : value;
  if (typeof number !== 'number' && typeof number !== 'bigint') throw refuse(type, value, path);
  if (family === 'floating') return Number(number);
  if (family === 'bool') return Number(number) !== 0;
  if (typeof number === 'bigint') return number;
  if (!Number.isFinite(number)) throw refuse(type, value, path);
  // C truncates toward zero, then keeps the low bits.
  return BigInt(Math.trunc(number));
}

function inRange(type: NumberType, value: Value, path: Where): Value {
  if (type.min === undefined && type.max === undefined) return value;
  const sentence = outOfRange(path(), type, value);
  if (sentence !== undefined) throw new AssignmentError(sentence);
  return value;
}

function convertEnumeration(type: EnumerationType, value: Value, path: Where): Value {
  if (typeof value !== 'string') return keptIn(cellOf(type), convertNumber(type, 'integer', value, path) as bigint);
  if (Object.hasOwn(type.labels, value)) return type.labels[value] as number;
  throw new AssignmentError(noSuchLabel(path(), type.name, Object.keys(type.labels), value));
}

/** An integer as C leaves it in a smaller one. */
function keptIn(cell: EnumerationCell, value: bigint): number {
  const { sizeBytes, isSigned } = NUMBER_FACTS[cell];
  return Number((isSigned ? BigInt.asIntN : BigInt.asUintN)(8 * sizeBytes, value));
}

function convertElements(type: Type, element: Type, length: number, value: Value, path: Where): Value {
  if (!isList(value)) throw refuse(type, value, path);
  const given = lengthOf(element, value);
  if (given > length) throw new AssignmentError(`${path()} has ${length} elements, a list of ${given} does not fit`);
  // A shorter list sets the other elements to zero. Trick: swig_double and its siblings
  const problem = given < length ? whyNotZero(element, () => `${path()}[${given}]`) : undefined;
  const converted = convertItems(element, value, path);
  if (problem !== undefined) throw new AssignmentError(problem);
  return converted;
}

function convertItems(element: Type, given: List, path: Where): Value {
  if (isPacked(given) && fitsPacked(element, given)) return given as unknown as Value;
  const values = isPacked(given) ? unpacked(element, given) : given;
  if (isAnyNumber(element) && values.every((item) => typeof item === 'number')) return values.slice();
  let index = 0;
  const where = () => `${path()}[${index}]`;
  return values.map((item, at) => {
    index = at;
    return convert(element, item, where);
  });
}

type List = readonly Value[] | Packed;
const isList = (value: Value): value is Value & List => Array.isArray(value) || isPacked(value);

/** How many elements a list has. */
const lengthOf = (element: Type, list: List): number => (isPacked(list) ? elementsIn(element, list) : list.length);

/** Whether the type takes every number as it is. */
const isAnyNumber = (type: Type): boolean =>
  type.kind === 'number' &&
  NUMBER_FACTS[type.name].family === 'floating' &&
  type.min === undefined &&
  type.max === undefined;

function convertSequence(type: SequenceType, value: Value, path: Where): Value {
  if (!isList(value)) throw refuse(type, value, path);
  const { element, capacity, container } = type;
  const given = lengthOf(element, value);
  if (given > capacity)
    throw new AssignmentError(`${path()} has room for ${capacity} elements, a list of ${given} does not fit`);
  if (container !== 'map') return convertItems(element, value, path);
  const entries = isPacked(value) ? unpacked(element, value) : value;
  return entries.map((item, index) => convertEntry(element as StructType, item, () => `${path()}[${index}]`));
}

/** An entry of a map that is assigned whole, with its key. */
function convertEntry(type: StructType, value: Value, path: Where): Value {
  const given = byMembers(type, value) as Record<string, Value>;
  if (given === null || typeof given !== 'object') throw refuse(type, value, path);
  const missing = missingOf(type, given);
  if (missing !== undefined) throw new AssignmentError(`${path()} lacks its member ${missing}`);
  const entries = type.members.map(({ name, type: own }) => {
    return [name, convert(own, given[name] as Value, () => `${path()}.${name}`)] as const;
  });
  return Object.fromEntries(entries);
}

function convertMembers(type: StructType, given: Value, path: Where): Value {
  const value = byMembers(type, given) as Value;
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw refuse(type, value, path);
  const entries = Object.entries(value as Record<string, Value>).map(([name, item]) => {
    const member = findMember(type, name);
    if (!member) throw new AssignmentError(noSuchMember(path(), type, name));
    if (member.access === 'read-only') throw new AssignmentError(`${path()}.${name} is read-only`);
    return [name, convert(member.type, item, () => `${path()}.${name}`)] as const;
  });
  const missing = missingOf(type, value);
  if (missing !== undefined) throw new AssignmentError(`${path()} lacks its member ${missing}`);
  return Object.fromEntries(entries);
}
