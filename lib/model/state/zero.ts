// Zeros in place of the elements that a list leaves out which is shorter than its array. They are not made: the bytes are
// cleared where they lie.
import type { Memory } from './memory.js';
import { outOfRange } from './misfit.js';
import { isPacked, unpacked } from './packed-numbers.js';
import type { Value } from './read.js';
import { findMember, isCharacters, type Member, type StructType, strideOf, type Type } from './type.js';
import { answeredOnce, typesIn } from './walk.js';

/** Writes out a path; called only for a sentence, because long lists have many paths. */
export type Where = () => string;

/** Types whose values can be set to zero. */
const zeroable = new WeakSet<Type>();

/** Why a value of this type cannot be set to zero; undefined when it can. */
export function whyNotZero(type: Type, where: Where): string | undefined {
  if (zeroable.has(type)) return undefined;
  const sentence = findWhyNot(type, where);
  if (sentence === undefined) zeroable.add(type);
  return sentence;
}

function findWhyNot(type: Type, where: Where): string | undefined {
  switch (type.kind) {
    case 'pointer':
      return isPointer(where());
    case 'number':
      return outOfRange(where(), type, 0);
    case 'array':
      return type.length > 0 ? whyNotZero(type.element, () => `${where()}[0]`) : undefined;
    case 'struct':
      for (const { name, type: own } of zeroedMembers(type)) {
        const sentence = whyNotZero(own, () => `${where()}.${name}`);
        if (sentence !== undefined) return sentence;
      }
      return undefined;
    case 'bits':
    case 'enumeration':
    case 'text':
    case 'sequence':
      return undefined;
  }
}

/** The sentence for a pointer that is given a value. */
export const isPointer = (path: string): string => `${path} is a pointer: assign what it points at, ${path}[0]`;

/** Pointers and read-only members keep their values. */
const isZeroed = ({ type, access }: Member): boolean => type.kind !== 'pointer' && access !== 'read-only';
const zeroedMembers = ({ members }: StructType): Member[] => members.filter(isZeroed);

/** Sets values that lie side by side to zero: numbers 0, texts and sequences empty. */
export function storeZeros(memory: Memory, element: Type, offset: number, count: number): void {
  const stride = strideOf(element);
  if (isBlank(element)) memory.bytes.fill(0, offset, offset + count * stride);
  else for (let index = 0; index < count; index++) storeZero(memory, element, offset + index * stride);
}

function storeZero(memory: Memory, type: Type, offset: number): void {
  if (type.kind === 'array') storeZeros(memory, type.element, offset, type.length);
  else if (type.kind === 'sequence') memory.view.setUint32(offset, 0, true);
  else if (type.kind === 'struct') {
    for (const { type: own, offsetBytes } of zeroedMembers(type)) storeZeros(memory, own, offset + offsetBytes, 1);
  }
}

/** Whether zero is a value whose bytes are all 0, and no part keeps its own. */
const isBlank = answeredOnce(
  (type): boolean =>
    type.kind !== 'sequence' &&
    type.kind !== 'pointer' &&
    (type.kind !== 'struct' || type.members.every(isZeroed)) &&
    typesIn(type).every(isBlank),
);

/** A value that `convertFor` returned, with the zeros that its short lists leave out. */
export function withZeros(type: Type, value: Value): Value {
  if (value === null || typeof value !== 'object') return value;
  if (type.kind === 'array' || type.kind === 'sequence') {
    const given = isPacked(value) ? unpacked(type.element, value) : (value as readonly Value[]);
    const items = given.map((item) => withZeros(type.element, item));
    if (type.kind === 'array') while (items.length < type.length) items.push(zeroOf(type.element));
    return items;
  }
  const entries = Object.entries(value as Record<string, Value>).map(([name, item]) => {
    const member = type.kind === 'struct' ? findMember(type, name) : undefined;
    return [name, member ? withZeros(member.type, item) : item] as const;
  });
  return Object.fromEntries(entries);
}

function zeroOf(type: Type): Value {
  if (type.kind === 'text' || isCharacters(type)) return '';
  if (type.kind === 'array') return Array.from({ length: type.length }, () => zeroOf(type.element));
  if (type.kind === 'sequence') return [];
  if (type.kind !== 'struct') return 0;
  return Object.fromEntries(zeroedMembers(type).map(({ name, type: own }) => [name, zeroOf(own)]));
}
