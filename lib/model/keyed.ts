// Sets and maps: their elements lie in the order of their keys, and each key is there once.
import type { Memory } from './memory.js';
import { readValue, type Value } from './read.js';
import {
  describeType,
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

/** Less than 0 when a key stands before another. Texts stand in the order of their bytes; NaN stands last. */
export function compareKeys(type: Type, one: Value, other: Value): number {
  if (type.kind === 'text') return compareTexts(one as string, other as string);
  if (type.kind === 'struct') {
    for (const { name, type: own } of type.members) {
      const order = compareKeys(own, (one as Pair)[name] as Value, (other as Pair)[name] as Value);
      if (order !== 0) return order;
    }
    return 0;
  }
  const [less, more] = [one as number, other as number];
  if (less < more) return -1;
  if (less > more) return 1;
  return Number(Number.isNaN(less)) - Number(Number.isNaN(more));
}

/** In the order of their code points, which is that of their bytes. */
function compareTexts(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at++) {
    const [mine, theirs] = [one.charCodeAt(at), other.charCodeAt(at)];
    if (mine === theirs) continue;
    // Half of a pair stands for a code point above all that have no pair.
    const isAbove = Number(isSurrogate(mine)) - Number(isSurrogate(theirs));
    return isAbove || mine - theirs;
  }
  return one.length - other.length;
}

const isSurrogate = (unit: number): boolean => (unit & 0xf800) === 0xd800;

type Pair = Readonly<Record<string, Value>>;

/** A key's place among those in memory: where it is, or where it would come. */
export interface KeyPlace {
  readonly index: number;
  readonly isThere: boolean;
}

/** @param offset of the set or map. */
export function placeOfKey(type: KeyedType, memory: Memory, offset: number, key: Value): KeyPlace {
  const keyType = keyTypeOf(type);
  const [base, stride] = [offset + SEQUENCE_HEADER_BYTES, strideOf(type.element)];
  let [low, high] = [0, memory.view.getUint32(offset, true)];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = compareKeys(keyType, readValue(keyType, memory, base + middle * stride), key);
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
  const keys = Array.from({ length: count }, (_, index) => readValue(keyType, memory, base + index * stride));
  const compare = (one: number, other: number): number =>
    compareKeys(keyType, keys[one] as Value, keys[other] as Value);
  const isInOrder = keys.every((_, index) => index === 0 || compare(index - 1, index) < 0);
  if (isInOrder) return;
  const sorted = [...keys.keys()].sort((one, other) => compare(one, other) || one - other);
  const neighbour = type.container === 'set' ? -1 : 1;
  const kept = sorted.filter((key, at) => {
    const other = sorted[at + neighbour];
    return other === undefined || compare(key, other) !== 0;
  });
  const before = Buffer.from(memory.bytes.subarray(base, base + count * stride));
  for (const [index, from] of kept.entries())
    before.copy(memory.bytes, base + index * stride, from * stride, (from + 1) * stride);
  memory.bytes.fill(0, base + kept.length * stride, base + count * stride);
  memory.view.setUint32(offset, kept.length, true);
}
