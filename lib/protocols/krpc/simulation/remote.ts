// Types of variables as clients of kRPC see them, and their values as kRPC's and back.
import type { Memory } from '../../../model/state/memory.js';
import { readCharacters, readLeaf } from '../../../model/state/memory.js';
import type { Value } from '../../../model/state/read.js';
import {
  type Characters,
  type EnumerationType,
  isCharacters,
  isLeaf,
  isNullableText,
  type LeafType,
  NULL_OFFSET,
  NUMBER_FACTS,
  type NumberType,
  type PointerType,
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

/** How clients see a type: arrays, sequences and what pointers point at are lists. */
export interface Remote {
  readonly type: KrpcType;
  /** Whether a value may be null: a pointer or a text that points nowhere. */
  readonly isNullable: boolean;
  /** Whether clients may set it as a whole. */
  readonly isSettable: boolean;
  /** Whether a value is objects: structures that clients know by their path. */
  readonly hasObjects: boolean;
  /** The value at a place in memory. Throws an Error for a list that is too long. */
  read(memory: Memory, offset: number, path: string): KrpcValue;
  /** Plain data as a client reads them. */
  give(value: Value): KrpcValue;
  /** A client's value as plain data; whether it fits is checked later. */
  take(value: KrpcValue): Value;
}

/** How types with names of their own are called. */
export interface NamedTypes {
  enumeration(type: EnumerationType): KrpcType;
  /** Without it a structure is a tuple of its members, as functions take and give it. */
  structure?(type: StructType): KrpcType;
}

/** Most elements of a list behind a pointer or in a sequence. */
const MOST_ELEMENTS = 10_000;

export function remoteOf(type: Type, named: NamedTypes): Remote {
  if (isLeaf(type) || isCharacters(type)) return single(type, named);
  switch (type.kind) {
    case 'struct':
      return type.isPair || !named.structure ? tuple(type, named) : object(named.structure(type));
    case 'array':
      return list(type.element, named, (_, offset) => [offset, type.length]);
    case 'sequence':
      return sequence(type, named);
    case 'pointer':
      return pointer(type, named);
  }
}

/** A single value, or text. */
const single = (type: LeafType | Characters, named: NamedTypes): Remote => ({
  type: singleType(type, named),
  isNullable: isNullableText(type),
  isSettable: true,
  hasObjects: false,
  read: (memory, offset) => (isLeaf(type) ? readLeaf(type, memory, offset) : readCharacters(type, memory, offset)),
  give: (value) => value as KrpcValue,
  take: (value) => value as Value,
});

function singleType(type: LeafType | Characters, named: NamedTypes): KrpcType {
  if (type.kind === 'text' || type.kind === 'array') return STRING;
  if (type.kind === 'bits') return type.isSigned ? SINT32 : UINT32;
  return type.kind === 'enumeration' ? named.enumeration(type) : numberType(type);
}

function numberType({ name }: NumberType): KrpcType {
  if (name === 'double') return DOUBLE;
  if (name === 'float') return FLOAT;
  const { family, isSigned } = NUMBER_FACTS[name];
  if (family === 'bool') return BOOL;
  if (family === 'big integer') return isSigned ? SINT64 : UINT64;
  return isSigned ? SINT32 : UINT32;
}

/** A structure that clients know by its path. */
const object = (type: KrpcType): Remote => ({
  type,
  isNullable: false,
  isSettable: false,
  hasObjects: true,
  read: (_memory, _offset, path) => ({ key: path }),
  give: () => refuse(),
  take: () => refuse(),
});

/** A structure as its members. */
function tuple({ members }: StructType, named: NamedTypes): Remote {
  const all = members.map(({ name, type, offsetBytes }) => ({ name, offsetBytes, remote: remoteOf(type, named) }));
  return {
    type: tupleOf(...all.map(({ remote }) => remote.type)),
    isNullable: false,
    isSettable: all.every(({ remote }) => remote.isSettable),
    hasObjects: all.some(({ remote }) => remote.hasObjects),
    read: (memory, offset, path) =>
      all.map(({ name, offsetBytes, remote }) => remote.read(memory, offset + offsetBytes, `${path}.${name}`)),
    give: (value) =>
      value && all.map(({ name, remote }) => remote.give((value as Readonly<Record<string, Value>>)[name] as Value)),
    take: (value) =>
      value &&
      Object.fromEntries(
        all.map(({ name, remote }, i) => [name, remote.take((value as readonly KrpcValue[])[i] as KrpcValue)]),
      ),
  };
}

/** Where the elements of a list are, and how many; undefined for none. */
type Elements = (memory: Memory, offset: number) => readonly [offset: number, count: number] | undefined;

function list(element: Type, named: NamedTypes, elements: Elements): Remote {
  const item = remoteOf(element, named);
  const stride = strideOf(element);
  return {
    type: listOf(item.type),
    isNullable: false,
    isSettable: item.isSettable,
    hasObjects: item.hasObjects,
    read: (memory, offset, path) => {
      const found = elements(memory, offset);
      if (!found) return null;
      const [start, count] = found;
      if (count > MOST_ELEMENTS)
        throw invalidOperation(`${path} has ${count} elements, and a list may have ${MOST_ELEMENTS}`);
      return Array.from({ length: count }, (_, i) => item.read(memory, start + i * stride, `${path}[${i}]`));
    },
    give: (value) => value && (value as readonly Value[]).map(item.give),
    take: (value) => value && Array.from(value as Iterable<KrpcValue>, item.take),
  };
}

function sequence({ container, element }: SequenceType, named: NamedTypes): Remote {
  const remote = list(element, named, (memory, offset) => [
    offset + SEQUENCE_HEADER_BYTES,
    memory.view.getUint32(offset, true),
  ]);
  if (container !== 'set' && container !== 'map') return remote;
  const collected = (items: KrpcValue): KrpcValue =>
    container === 'set'
      ? new Set(items as readonly KrpcValue[])
      : new Map(items as readonly (readonly [KrpcValue, KrpcValue])[]);
  const [item = DOUBLE] = remote.type.types ?? [];
  return {
    ...remote,
    type: container === 'set' ? setOf(item) : { code: TypeCode.dictionary, types: item.types ?? [] },
    read: (...place) => collected(remote.read(...place)),
    give: (value) => value && collected(remote.give(value)),
  };
}

const pointer = ({ target }: PointerType, named: NamedTypes): Remote => ({
  ...list(target, named, (memory, offset) => {
    const place = memory.view.getUint32(offset, true);
    return place === NULL_OFFSET ? undefined : [place, memory.view.getUint32(offset + 4, true)];
  }),
  isNullable: true,
  isSettable: false,
  give: () => refuse(),
  take: () => refuse(),
});

function refuse(): never {
  throw new TypeError('what lies in a place of its own is neither given nor taken');
}
