// Sets and maps: their elements lie in the order of their keys, and each key is there once.
import { type Memory, readLeaf, textBytesBorrow } from './memory.js';
import type { Value } from './read.js';
import {
  describeType,
  type LeafType,
  SEQUENCE_HEADER_BYTES,
  type SequenceType,
  type StructType,
  strideOf,
  type Type,
} from './type.js';

/** A set or map. */
export type KeyedType = SequenceType & { readonly container: 'set' | 'map' };

export const isKeyed = (type: Type): type is KeyedType =>
  type.kind === 'sequence' && (type.container === 'set' || type.container === 'map');

/** The type of the keys: of a set's elements, or of the first of a map's pairs. */
export const keyTypeOf = ({ container, element }: SequenceType): Type =>
  container === 'map' ? ((element as StructType).members[0]?.type as Type) : element;

/** Throws a RangeError for a type whose values have no order. */
export function requireOrder(container: string, type: Type): void {
  if (type.kind === 'struct' && type.isPair) for (const member of type.members) requireOrder(container, member.type);
  else if (type.kind !== 'number' && type.kind !== 'enumeration' && !isOwnText(type))
    throw new RangeError(
      `the keys of a ${container} are numbers, enumerations, texts or pairs of them, not ${describeType(type)}`,
    );
}

const isOwnText = (type: Type): boolean => type.kind === 'text' && type.form.endsWith('string');

/** What a key is compared by: a text by its bytes, one character for each. */
type Rank = number | bigint | boolean | string | readonly Rank[];

function rankAt(type: Type, memory: Memory, offset: number): Rank {
  if (type.kind === 'text') return textBytesBorrow(memory, offset)?.toString('latin1') ?? '';
  if (type.kind === 'struct')
    return type.members.map((member) => rankAt(member.type, memory, offset + member.offsetBytes));
  return readLeaf(type as LeafType, memory, offset) as Rank;
}

function rankOf(type: Type, key: Value): Rank {
  if (type.kind === 'text') return Buffer.from(key as string).toString('latin1');
  if (type.kind !== 'struct') return key as Rank;
  return type.members.map(({ name, type: own }) =>
    rankOf(own, (key as Readonly<Record<string, Value>>)[name] as Value),
  );
}

/** Less than 0 when a key stands before another. Texts stand in the order of their bytes, as in C++; NaN stands last. */
function compare(one: Rank, other: Rank): number {
  if (typeof one === 'object') return compareEach(one, other as readonly Rank[]);
  if (one < other) return -1;
  if (one > other) return 1;
  return Number(Number.isNaN(one)) - Number(Number.isNaN(other));
}

function compareEach(one: readonly Rank[], other: readonly Rank[]): number {
  for (const [index, rank] of one.entries()) {
    const order = compare(rank, other[index] as Rank);
    if (order !== 0) return order;
  }
  return 0;
}

/** A key's place among those in memory: where it is, or where it would come. */
export interface KeyPlace {
  readonly index: number;
  readonly isThere: boolean;
}

/** @param offset of the set or map. */
export function placeOfKey(type: KeyedType, memory: Memory, offset: number, key: Value): KeyPlace {
  const keyType = keyTypeOf(type);
  const rank = rankOf(keyType, key);
  const [base, stride] = [offset + SEQUENCE_HEADER_BYTES, strideOf(type.element)];
  let [low, high] = [0, memory.view.getUint32(offset, true)];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = compare(rankAt(keyType, memory, base + middle * stride), rank);
    if (order === 0) return { index: middle, isThere: true };
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return { index: low, isThere: false };
}

/** Sorts the elements and leaves one of each key: a set keeps the first, a map the last, as assigning to it does. */
export function putInOrder(type: KeyedType, memory: Memory, offset: number): void {
  const keyType = keyTypeOf(type);
  const [base, stride] = [offset + SEQUENCE_HEADER_BYTES, strideOf(type.element)];
  const count = memory.view.getUint32(offset, true);
  const ranks = Array.from({ length: count }, (_, index) => rankAt(keyType, memory, base + index * stride));
  const compareAt = (one: number, other: number): number => compare(ranks[one] as Rank, ranks[other] as Rank);
  const isInOrder = ranks.every((_, index) => index === 0 || compareAt(index - 1, index) < 0);
  if (isInOrder) return;
  const sorted = [...ranks.keys()].sort((one, other) => compareAt(one, other) || one - other);
  const neighbour = type.container === 'set' ? -1 : 1;
  const kept = sorted.filter((key, at) => {
    const other = sorted[at + neighbour];
    return other === undefined || compareAt(key, other) !== 0;
  });
  const before = Buffer.from(memory.bytes.subarray(base, base + count * stride));
  for (const [index, from] of kept.entries())
    before.copy(memory.bytes, base + index * stride, from * stride, (from + 1) * stride);
  memory.bytes.fill(0, base + kept.length * stride, base + count * stride);
  memory.view.setUint32(offset, kept.length, true);
}
