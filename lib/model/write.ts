// Storing JavaScript values that fit exactly what a type holds: what simulation code and initial values use.
import { fitsText, type Memory, writeBits, writeCharacters, writeNumber, writeText } from './memory.js';
import {
  type ArrayType,
  describeType,
  type EnumerationType,
  isCharacters,
  SEQUENCE_HEADER_BYTES,
  type SequenceType,
  type StructType,
  strideOf,
  type Type,
} from './type.js';

/** Stores a value; throws a TypeError that names the type when the value is of another kind. */
export function writeValue(memory: Memory, type: Type, offset: number, value: unknown): void {
  if (isCharacters(type) || type.kind === 'text') writeTextValue(memory, type, offset, value);
  else if (type.kind === 'array') writeElements(memory, type, offset, value);
  else if (type.kind === 'sequence') writeSequence(memory, type, offset, value);
  else if (type.kind === 'struct') writeMembers(memory, type, offset, value);
  else if (type.kind === 'pointer') throw new TypeError('a pointer is aimed with pointTo');
  else writeArithmetic(memory, type, offset, value);
}

function mismatch(type: Type, value: unknown): TypeError {
  return new TypeError(`${describeType(type)} cannot hold ${typeof value} ${String(value)}`);
}

function writeTextValue(memory: Memory, type: Type, offset: number, value: unknown): void {
  if (value === null && type.kind === 'text' && type.form !== 'string') return writeText(type, memory, offset, null);
  if (typeof value !== 'string') throw mismatch(type, value);
  if (!fitsText(type, value)) throw new RangeError(`${describeType(type)} has no room for ${value.length} characters`);
  if (type.kind === 'text') writeText(type, memory, offset, value);
  else writeCharacters(memory, offset, (type as ArrayType).length, value);
}

function writeArithmetic(memory: Memory, type: Type, offset: number, value: unknown): void {
  const number = typeof value === 'boolean' ? Number(value) : value;
  if (type.kind === 'enumeration') return writeEnumeration(memory, type, offset, number);
  if (typeof number !== 'number' && typeof number !== 'bigint') throw mismatch(type, value);
  if (type.kind === 'bits') writeBits(memory, offset, type.widthBits, type.isSigned, BigInt(number));
  else if (type.kind === 'number') writeNumber(type.name, memory, offset, number);
}

function writeEnumeration(memory: Memory, type: EnumerationType, offset: number, value: unknown): void {
  const number = typeof value === 'string' ? type.labels[value] : value;
  if (typeof number !== 'number') throw mismatch(type, value);
  memory.view.setInt32(offset, number, true);
}

function writeElements(memory: Memory, type: ArrayType, offset: number, value: unknown): void {
  const values = [...(value as Iterable<unknown>)];
  if (values.length !== type.length) {
    throw new RangeError(`${describeType(type)} takes ${type.length} values, not ${values.length}`);
  }
  const stride = strideOf(type.element);
  for (const [i, element] of values.entries()) writeValue(memory, type.element, offset + i * stride, element);
}

function writeSequence(memory: Memory, type: SequenceType, offset: number, value: unknown): void {
  const values = [...(value as Iterable<unknown>)];
  if (values.length > type.capacity) {
    throw new RangeError(`${describeType(type)} has room for ${type.capacity} values, not ${values.length}`);
  }
  const stride = strideOf(type.element);
  memory.view.setUint32(offset, values.length, true);
  for (const [i, element] of values.entries()) {
    writeValue(memory, type.element, offset + SEQUENCE_HEADER_BYTES + i * stride, element);
  }
}

function writeMembers(memory: Memory, type: StructType, offset: number, value: unknown): void {
  for (const [name, memberValue] of Object.entries(value as object)) {
    const member = type.members.find((candidate) => candidate.name === name);
    if (!member) throw new TypeError(`${type.name} has no member ${name}`);
    writeValue(memory, member.type, offset + member.offsetBytes, memberValue);
  }
}
