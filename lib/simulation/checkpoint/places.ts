// Where a checkpoint's places lie in memory: from an object or a block along members and elements.
import type { Step } from '../../../grammar/checkpoint/index.js';
import type { SimObject } from '../../model/state/catalog.js';
import { didYouMean, nearestNames } from '../../model/state/suggest.js';
import { findMember, isSameType, SEQUENCE_HEADER_BYTES, strideOf, type Type } from '../../model/state/type.js';
import type { Block, NamedValue } from './memory-map.js';
import { LiteralError } from './store-literal.js';

export interface Located extends NamedValue {
  /** Number of elements from here to the end of the array or block. */
  readonly rest: number;
}

/** Members of Trick's simulation objects besides their components. */
const OBJECT_FACTS = new Set(['name', 'id', 'object_disabled']);

/** Whether steps from an object lead to what only Trick's objects have. */
export const isFactOf = ({ type }: SimObject, steps: readonly Step[]): boolean =>
  steps.length === 1 && OBJECT_FACTS.has(steps[0] as string) && !findMember(type, steps[0] as string);

/** Where steps from an object lead. Throws a LiteralError when nothing is there. */
export function inObject({ name, type }: SimObject, steps: readonly Step[], at: number): Located {
  return follow({ name, type, offsetBytes: 0, rest: 1 }, steps, at);
}

/**
 * Where steps within a block lead; a list without an index means its first element. Throws a LiteralError when nothing
 * is there.
 */
export function inBlock(block: Block, steps: readonly Step[], at: number): Located {
  const { name, element, offsetBytes, count, strideBytes = strideOf(element) } = block;
  if (block.isSingle) return follow({ name, type: element, offsetBytes, rest: 1 }, steps, at);
  const [index = 0, ...after] = steps;
  if (typeof index !== 'number') throw new LiteralError(`${name} has no member ${index}, it is a list`, at);
  if (index >= count) throw outOfRange(name, index, count, at);
  const first = { name: `${name}[${index}]`, type: element, offsetBytes: offsetBytes + index * strideBytes };
  return follow({ ...first, rest: count - index }, after, at);
}

function follow(from: Located, steps: readonly Step[], at: number): Located {
  let place = from;
  for (const step of steps) place = typeof step === 'number' ? elementOf(place, step, at) : memberOf(place, step, at);
  return place;
}

function elementOf({ name, type, offsetBytes }: Located, index: number, at: number): Located {
  if (type.kind !== 'array' && type.kind !== 'sequence') {
    throw new LiteralError(`${name} has no element [${index}], it is not an array`, at);
  }
  const length = type.kind === 'array' ? type.length : type.capacity;
  if (index >= length) throw outOfRange(name, index, length, at);
  const base = offsetBytes + (type.kind === 'sequence' ? SEQUENCE_HEADER_BYTES : 0);
  const element = { name: `${name}[${index}]`, type: type.element, offsetBytes: base + index * strideOf(type.element) };
  return { ...element, rest: length - index };
}

function memberOf({ name, type, offsetBytes }: Located, step: string, at: number): Located {
  const found = type.kind === 'struct' ? findMember(type, step) : undefined;
  if (found)
    return { name: `${name}.${step}`, type: found.type, offsetBytes: offsetBytes + found.offsetBytes, rest: 1 };
  const names = type.kind === 'struct' ? type.members.map((one) => one.name) : [];
  throw new LiteralError(`${name} has no member ${step}${didYouMean(nearestNames(step, names))}`, at);
}

/** How many values of a pointer's type lie at a place; 0 for none. */
export function countAt({ type, rest }: Located, target: Type): number {
  if (isSameType(type, target)) return rest;
  return type.kind === 'array' && isSameType(type.element, target) ? type.length : 0;
}

const outOfRange = (name: string, index: number, length: number, at: number): LiteralError =>
  new LiteralError(`${name} has no element [${index}], its indices are 0 to ${length - 1}`, at);
