// Values of variables as kRPC's values, and back.
import type { LeafValue, Memory } from '../../../model/state/memory.js';
import { readCharacters, readLeaf } from '../../../model/state/memory.js';
import type { Value } from '../../../model/state/read.js';
import {
  isCharacters,
  isLeaf,
  isNullableText,
  NULL_OFFSET,
  NUMBER_FACTS,
  type NumberType,
  SEQUENCE_HEADER_BYTES,
  type SequenceType,
  type StructType,
  strideOf,
  type Type,
} from '../../../model/state/type.js';
import { invalidOperation } from '../service/procedure.js';
import {
  BOOL,
  DOUBLE,
  FLOAT,
  type KrpcType,
  type KrpcValue,
  listOf,
  SINT32,
  SINT64,
  STRING,
  setOf,
  TypeCode,
  tupleOf,
  UINT32,
  UINT64,
} from '../values/type.js';

/** How types with names of their own are called. */
export interface NamedTypes {
  enumeration(type: Extract<Type, { kind: 'enumeration' }>): KrpcType;
  structure(type: Extract<Type, { kind: 'struct' }>): KrpcType;
}

/** Most elements of a list behind a pointer or in a sequence. */
const MOST_ELEMENTS = 10_000;

/** The type of a variable for clients: arrays, sequences and what pointers point at are lists. */
export function remoteType(type: Type, named: NamedTypes): KrpcType {
  if (type.kind === 'text' || isCharacters(type)) return STRING;
  switch (type.kind) {
    case 'number':
      return numberType(type);
    case 'bits':
      return type.isSigned ? SINT32 : UINT32;
    case 'enumeration':
      return named.enumeration(type);
    case 'sequence':
      return collectionType(type, named);
    case 'array':
      return listOf(remoteType(type.element, named));
    case 'pointer':
      return listOf(remoteType(type.target, named));
    case 'struct':
      return type.isPair ? tupleOf(...memberTypes(type, named)) : named.structure(type);
  }
}

function collectionType({ container, element }: SequenceType, named: NamedTypes): KrpcType {
  const item = remoteType(element, named);
  if (container === 'map') return { code: TypeCode.dictionary, types: item.types ?? [] };
  return container === 'set' ? setOf(item) : listOf(item);
}

const memberTypes = ({ members }: StructType, named: NamedTypes): KrpcType[] =>
  members.map(({ type }) => remoteType(type, named));

/** A structure by value, as functions take and give it: a tuple of its members. */
export const tupleTypes = (named: Omit<NamedTypes, 'structure'>): NamedTypes => {
  const types: NamedTypes = {
    ...named,
    structure: (type) => tupleOf(...memberTypes(type, types)),
  };
  return types;
};

function numberType({ name }: NumberType): KrpcType {
  if (name === 'double') return DOUBLE;
  if (name === 'float') return FLOAT;
  const { family, isSigned } = NUMBER_FACTS[name];
  if (family === 'bool') return BOOL;
  if (family === 'big integer') return isSigned ? SINT64 : UINT64;
  return isSigned ? SINT32 : UINT32;
}

/** Whether a value may be null: a pointer or a text that points nowhere. */
export const mayBeNull = (type: Type): boolean => type.kind === 'pointer' || isNullableText(type);

/** Whether a structure is part of a type, so that its value is objects. */
export function holdsStructures(type: Type): boolean {
  if (type.kind === 'struct') return !type.isPair || type.members.some((member) => holdsStructures(member.type));
  if (type.kind === 'array' || type.kind === 'sequence') return holdsStructures(type.element);
  return type.kind === 'pointer' && holdsStructures(type.target);
}

/** Whether clients may set it as a whole. */
export function isSettable(type: Type): boolean {
  if (type.kind === 'array' || type.kind === 'sequence') return isCharacters(type) || isSettable(type.element);
  if (type.kind === 'struct') return type.isPair === true && type.members.every((member) => isSettable(member.type));
  return type.kind !== 'pointer';
}

/** The value at a place in memory; structures are objects with their path. Throws an Error for a list that is too long. */
export function readRemote(type: Type, memory: Memory, offset: number, path: string): KrpcValue {
  if (isLeaf(type)) return readLeaf(type, memory, offset) satisfies LeafValue;
  if (isCharacters(type)) return readCharacters(type, memory, offset);
  switch (type.kind) {
    case 'struct':
      return type.isPair ? readPair(type, memory, offset, path) : { key: path };
    case 'array':
      return readElements(type.element, memory, offset, type.length, path);
    case 'sequence': {
      const count = memory.view.getUint32(offset, true);
      const items = readElements(type.element, memory, offset + SEQUENCE_HEADER_BYTES, count, path);
      return collected(type, items);
    }
    case 'pointer': {
      const target = memory.view.getUint32(offset, true);
      if (target === NULL_OFFSET) return null;
      return readElements(type.target, memory, target, memory.view.getUint32(offset + 4, true), path);
    }
  }
}

const readPair = ({ members }: StructType, memory: Memory, offset: number, path: string): KrpcValue[] =>
  members.map(({ name, type, offsetBytes }) => readRemote(type, memory, offset + offsetBytes, `${path}.${name}`));

/** Items in the form of their container. */
function collected({ container }: SequenceType, items: readonly KrpcValue[]): KrpcValue {
  if (container === 'set') return new Set(items);
  return container === 'map' ? new Map(items as readonly (readonly [KrpcValue, KrpcValue])[]) : items;
}

function readElements(element: Type, memory: Memory, offset: number, count: number, path: string): KrpcValue[] {
  requireFew(count, path);
  const stride = strideOf(element);
  return Array.from({ length: count }, (_, index) =>
    readRemote(element, memory, offset + index * stride, `${path}[${index}]`),
  );
}

function requireFew(count: number, path: string): void {
  if (count <= MOST_ELEMENTS) return;
  throw invalidOperation(`${path} has ${count} elements, and a list may have ${MOST_ELEMENTS}`);
}

/** Plain data as a client reads them: a structure is a tuple. */
export function toRemote(type: Type, value: Value): KrpcValue {
  if (value === null || isLeaf(type) || isCharacters(type)) return value as KrpcValue;
  if (type.kind === 'array' || type.kind === 'sequence') {
    const items = (value as readonly Value[]).map((item) => toRemote(type.element, item));
    return type.kind === 'sequence' ? collected(type, items) : items;
  }
  if (type.kind === 'struct') {
    const members = value as Readonly<Record<string, Value>>;
    return type.members.map((member) => toRemote(member.type, members[member.name] as Value));
  }
  throw new TypeError('a pointer has no value');
}

/** A client's value as plain data; whether it fits is checked later. */
export function fromRemote(type: Type, value: KrpcValue): Value {
  if (value === null || isLeaf(type) || isCharacters(type)) return value as Value;
  if (type.kind === 'array' || type.kind === 'sequence') {
    return Array.from(value as Iterable<KrpcValue>, (item) => fromRemote(type.element, item));
  }
  if (type.kind === 'struct') {
    const items = value as readonly KrpcValue[];
    return Object.fromEntries(
      type.members.map(({ name, type: own }, i) => [name, fromRemote(own, items[i] as KrpcValue)]),
    );
  }
  throw new TypeError('a pointer takes no value');
}
