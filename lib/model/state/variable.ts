// A variable: its path, its type, its units and how to find its bytes in the arena or in a frame.
import type { PathStep } from '../../../grammar/path/index.js';
import type { Memory } from './memory.js';
import {
  type Access,
  type ArrayType,
  findMember,
  isLeaf,
  type LeafType,
  type Member,
  NULL_OFFSET,
  NULL_TEXT,
  type PointerType,
  SEQUENCE_HEADER_BYTES,
  type SequenceType,
  strideOf,
  TEXT_HEADER_BYTES,
  type TextType,
  type Type,
} from './type.js';
import { type Sink, walk } from './walk.js';

/** A step through a pointer, sequence or text, whose target is known only when the memory can be read. */
export interface Hop {
  readonly through: 'pointer' | 'sequence' | 'text';
  readonly index: number;
  readonly strideBytes: number;
  /** Offset from the element that the hop reaches. */
  readonly offsetBytes: number;
}

/** A variable: where it lies in a frame, and what it is. */
export interface Variable {
  /** The path in its normal spelling: `fx.all.vehicle.sensors[1].label`. */
  readonly path: string;
  readonly type: Type;
  /** UDUNITS text as declared; `--` or `1` for none. */
  readonly units: string;
  readonly about: string;
  readonly access: Access;
  readonly offsetBytes: number;
  readonly hops: readonly Hop[];
}

/** Single values side by side in a memory. */
export interface Leaves {
  readonly element: LeafType;
  readonly offsetBytes: number;
  readonly count: number;
  readonly strideBytes: number;
}

/** Why there is no variable at a path: the step that failed, and the names that are valid there. */
export interface Dead {
  readonly stepIndex: number;
  readonly reason: string;
  readonly candidates: readonly string[];
}

type Mutable = { -readonly [K in keyof Variable]: Variable[K] } & { hops: Hop[] };

/** Follows path steps from a top-level member. */
export function resolve(top: Member, path: string, steps: readonly PathStep[]): Variable | Dead {
  const { type, units, about, access, offsetBytes } = top;
  const place: Mutable = { path, type, units, about, access, offsetBytes, hops: [] };
  for (const [index, step] of steps.entries()) {
    if (index === 0) continue;
    const dead = step.kind === 'member' ? enterMember(place, step.name) : enterElement(place, step.index);
    if (dead) return { stepIndex: index, ...dead };
  }
  return place;
}

function advance(place: Mutable, bytes: number): void {
  const hop = place.hops.at(-1);
  if (hop) place.hops[place.hops.length - 1] = { ...hop, offsetBytes: hop.offsetBytes + bytes };
  else place.offsetBytes += bytes;
}

function enterMember(place: Mutable, name: string): Omit<Dead, 'stepIndex'> | undefined {
  if (place.type.kind === 'pointer') enterPointer(place, place.type, 0);
  const { type } = place;
  if (type.kind !== 'struct') return { reason: `has no member ${name}, it is not a structure`, candidates: [] };
  const member = findMember(type, name);
  if (!member) return { reason: `has no member ${name}`, candidates: type.members.map((m) => m.name) };
  descend(place, member);
  return undefined;
}

function descend(place: Mutable, { type, units, about, access, offsetBytes }: Member): void {
  advance(place, offsetBytes);
  // Members allow no more than their structure does.
  const inherited = place.access === 'read-write' ? access : place.access;
  Object.assign(place, { type, units, about, access: inherited });
}

/**
 * The variables one step below a structure or array, in order; other variables have none.
 * @param first index of the first variable that is returned.
 */
export function* childrenOf(variable: Variable, first = 0): Generator<Variable> {
  const { type, path } = variable;
  if (type.kind === 'struct') {
    for (let index = first; index < type.members.length; index++) {
      const member = type.members[index] as Member;
      const place = { ...variable, path: `${path}.${member.name}`, hops: [...variable.hops] };
      descend(place, member);
      yield place;
    }
  } else if (type.kind === 'array') {
    for (let index = first; index < type.length; index++) {
      const place = { ...variable, path: `${path}[${index}]`, hops: [...variable.hops] };
      enterArray(place, type, index);
      yield place;
    }
  }
}

function enterElement(place: Mutable, index: number): Omit<Dead, 'stepIndex'> | undefined {
  const { type } = place;
  if (type.kind === 'pointer') {
    return index < 0 ? { reason: `has no element [${index}]`, candidates: [] } : enterPointer(place, type, index);
  }
  if (type.kind === 'sequence') return enterSequence(place, type, index);
  if (type.kind === 'text' && type.form === 'char pointer') return enterText(place, type, index);
  if (type.kind !== 'array') return { reason: `has no element [${index}], it is not an array`, candidates: [] };
  return enterArray(place, type, index);
}

const outside = (index: number, length: number) => ({
  reason: `has no element [${index}], its indices are 0 to ${length - 1}`,
  candidates: [],
});

function enterArray(place: Mutable, type: ArrayType, index: number): Omit<Dead, 'stepIndex'> | undefined {
  if (index < 0 || index >= type.length) return outside(index, type.length);
  advance(place, index * strideOf(type.element));
  place.type = type.element;
  return undefined;
}

function enterSequence(place: Mutable, type: SequenceType, index: number): Omit<Dead, 'stepIndex'> | undefined {
  if (index < 0 || index >= type.capacity) return outside(index, type.capacity);
  place.hops.push({ through: 'sequence', index, strideBytes: strideOf(type.element), offsetBytes: 0 });
  place.type = type.element;
  // A set is changed as a whole, because its order follows from its values.
  if (type.container === 'set' && place.access === 'read-write') place.access = 'read-only';
  return undefined;
}

/** A byte of a `char *`. It is changed with the text, because not every byte makes a text. */
function enterText(place: Mutable, type: TextType, index: number): Omit<Dead, 'stepIndex'> | undefined {
  if (index < 0 || index >= type.capacityBytes) return outside(index, type.capacityBytes);
  place.hops.push({ through: 'text', index, strideBytes: 1, offsetBytes: 0 });
  place.type = CHAR;
  if (place.access === 'read-write') place.access = 'read-only';
  return undefined;
}

const CHAR: Type = { kind: 'number', name: 'char' };

function enterPointer(place: Mutable, type: PointerType, index: number): undefined {
  place.hops.push({ through: 'pointer', index, strideBytes: strideOf(type.target), offsetBytes: 0 });
  place.type = type.target;
}

/** Offset of the variable in bytes, or -1 while a pointer on its path is null or an index is too large. */
export function locate(variable: Variable, memory: Memory): number {
  let offset = variable.offsetBytes;
  for (const hop of variable.hops) {
    offset = follow(hop, memory, offset);
    if (offset < 0) return -1;
  }
  return offset;
}

/** The target of a hop, from the offset of its pointer or sequence; -1 when it has none. */
export function follow(hop: Hop, memory: Memory, offset: number): number {
  const base = BASES[hop.through](memory, offset, hop.index);
  return base < 0 ? -1 : base + hop.index * hop.strideBytes + hop.offsetBytes;
}

function pointed(memory: Memory, offset: number, index: number): number {
  const target = memory.view.getUint32(offset, true);
  return target !== NULL_OFFSET && index < memory.view.getUint32(offset + 4, true) ? target : -1;
}

const held = (memory: Memory, offset: number, index: number): number =>
  index < memory.view.getUint32(offset, true) ? offset + SEQUENCE_HEADER_BYTES : -1;

function written(memory: Memory, offset: number, index: number): number {
  const length = memory.view.getUint32(offset, true);
  return length !== NULL_TEXT && index < length ? offset + TEXT_HEADER_BYTES : -1;
}

const BASES = { pointer: pointed, sequence: held, text: written };

/**
 * The single values of a variable, flattened row-major; undefined for a structure, and while a pointer is null or an
 * index is out of range.
 */
export function leavesOf(variable: Variable, memory: Memory): Leaves | undefined {
  const offset = locate(variable, memory);
  return offset < 0 ? undefined : walk(variable.type, memory, offset, LEAVES);
}

const LEAVES: Sink<Leaves | undefined> = {
  single: (type, memory, offset) =>
    type.kind === 'array' ? leavesIn(type.element, memory, offset, type.length) : leavesIn(type, memory, offset, 1),
  elements: leavesIn,
  members: () => undefined,
  nothing: () => undefined,
};

/** Sequences inside arrays, and what several pointers point at, do not lie side by side. */
function leavesIn(element: Type, memory: Memory, offset: number, count: number): Leaves | undefined {
  if (isLeaf(element)) return { element, offsetBytes: offset, count, strideBytes: strideOf(element) };
  if (element.kind === 'array') return leavesIn(element.element, memory, offset, count * element.length);
  return count === 1 ? walk(element, memory, offset, LEAVES) : undefined;
}
