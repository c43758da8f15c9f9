// What a client may store in a variable: conversions as in C, everything else refused with one sentence.
import type { Memory } from './memory.js';
import { fitsText } from './memory.js';
import type { Value } from './read.js';
import { didYouMean, nearestNames } from './suggest.js';
import {
  describeType,
  type EnumerationType,
  isCharacters,
  NUMBER_FACTS,
  type SequenceType,
  type StructType,
  type Type,
} from './type.js';
import { locate, type Variable } from './variable.js';
import { writeValue } from './write.js';

/** A value that does not fit its variable. Nothing has been changed. */
export class AssignmentError extends Error {
  override readonly name = 'AssignmentError';
}

/** The value as the variable will hold it; throws an AssignmentError that names the variable and both kinds. */
export function convertFor(variable: Variable, value: Value): Value {
  if (variable.access === 'read-only') throw new AssignmentError(`${variable.path} is read-only`);
  return convert(variable.type, value, variable.path);
}

/** Stores what `convertFor` returned. Throws an AssignmentError while the variable cannot be reached. */
export function assign(variable: Variable, memory: Memory, converted: Value): void {
  const offset = locate(variable, memory);
  if (offset < 0) throw new AssignmentError(`${variable.path} points at nothing`);
  writeValue(memory, variable.type, offset, converted);
}

function convert(type: Type, value: Value, path: string): Value {
  if (type.kind === 'text' || isCharacters(type)) return convertText(type, value, path);
  switch (type.kind) {
    case 'number':
      return convertNumber(type, NUMBER_FACTS[type.name].family, value, path);
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
      throw new AssignmentError(`${path} is a pointer: assign what it points at, ${path}[0]`);
  }
}

function refuse(type: Type, value: Value, path: string): AssignmentError {
  return new AssignmentError(`${path} is ${article(describeType(type))}; ${kindOf(value)} does not fit`);
}

const article = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;

function kindOf(value: Value): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object') return 'a structure';
  if (typeof value === 'string')
    return `the text ${JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)}`;
  if (typeof value === 'boolean') return `the truth value ${value}`;
  return `the number ${value}`;
}

function convertText(type: Type, value: Value, path: string): Value {
  if (value === null && type.kind === 'text' && type.form !== 'string') return null;
  if (typeof value !== 'string') throw refuse(type, value, path);
  if (value.includes('\0')) throw new AssignmentError(`${path} cannot hold text with a NUL in it`);
  if (fitsText(type, value)) return value;
  const room = type.kind === 'text' ? type.capacityBytes : type.kind === 'array' ? type.length - 1 : 0;
  throw new AssignmentError(`${path} has room for ${room} bytes of text, not ${Buffer.byteLength(value)}`);
}

function convertNumber(type: Type, family: string, value: Value, path: string): Value {
  const number = typeof value === 'boolean' ? Number(value) : value;
  if (typeof number !== 'number' && typeof number !== 'bigint') throw refuse(type, value, path);
  if (family === 'floating') return Number(number);
  if (family === 'bool') return Number(number) !== 0;
  if (typeof number === 'bigint') return number;
  if (!Number.isFinite(number)) throw refuse(type, value, path);
  // C truncates toward zero, then keeps the low bits.
  return BigInt(Math.trunc(number));
}

function convertEnumeration(type: EnumerationType, value: Value, path: string): Value {
  if (typeof value !== 'string')
    return Number(BigInt.asIntN(32, BigInt(convertNumber(type, 'integer', value, path) as bigint)));
  const number = type.labels[value];
  if (number !== undefined && Object.hasOwn(type.labels, value)) return number;
  const near = didYouMean(nearestNames(value, Object.keys(type.labels)));
  throw new AssignmentError(`${path} is a ${type.name}, which has no label ${JSON.stringify(value)}${near}`);
}

function convertElements(type: Type, element: Type, length: number, value: Value, path: string): Value {
  if (!Array.isArray(value)) throw refuse(type, value, path);
  if (value.length > length) {
    throw new AssignmentError(`${path} has ${length} elements, a list of ${value.length} does not fit`);
  }
  const given = value.map((item: Value, index) => convert(element, item, `${path}[${index}]`));
  // A shorter list fills the rest with zero. Trick: swig_double and its sisters
  for (let index = given.length; index < length; index++) given.push(zeroOf(element));
  return given;
}

function convertSequence(type: SequenceType, value: Value, path: string): Value {
  if (!Array.isArray(value)) throw refuse(type, value, path);
  if (value.length > type.capacity) {
    throw new AssignmentError(`${path} has room for ${type.capacity} elements, a list of ${value.length} does not fit`);
  }
  return value.map((item: Value, index) => convert(type.element, item, `${path}[${index}]`));
}

function convertMembers(type: StructType, value: Value, path: string): Value {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw refuse(type, value, path);
  const entries = Object.entries(value as Record<string, Value>).map(([name, item]) => {
    const member = type.members.find((candidate) => candidate.name === name);
    if (!member) {
      const near = didYouMean(
        nearestNames(
          name,
          type.members.map((candidate) => candidate.name),
        ),
      );
      throw new AssignmentError(`${path} has no member ${name}${near}`);
    }
    if (member.access === 'read-only') throw new AssignmentError(`${path}.${name} is read-only`);
    return [name, convert(member.type, item, `${path}.${name}`)] as const;
  });
  return Object.fromEntries(entries);
}

function zeroOf(type: Type): Value {
  if (type.kind === 'text' || isCharacters(type)) return '';
  switch (type.kind) {
    case 'array':
      return Array.from({ length: type.length }, () => zeroOf(type.element));
    case 'sequence':
      return [];
    case 'struct':
      return Object.fromEntries(type.members.map((member) => [member.name, zeroOf(member.type)]));
    default:
      return 0;
  }
}
