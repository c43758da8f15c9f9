// The names that checkpoints use for the parts of a state's memory.

import type { Allocation } from '../../model/state/allocations.js';
import type { SimObject } from '../../model/state/catalog.js';
import {
  type ArrayType,
  isSameType,
  SEQUENCE_HEADER_BYTES,
  sizeOf,
  strideOf,
  type Type,
} from '../../model/state/type.js';
import { type Io, narrowed } from './io.js';

/** Values side by side under one name: the target of a pointer, a variable of its own, or the elements of a container. */
export interface Block {
  readonly name: string;
  readonly element: Type;
  readonly offsetBytes: number;
  readonly count: number;
  /** Whether it is one value and no list: `Point p;`, not `Point p[1];`. */
  readonly isSingle: boolean;
  /** Distance from one value to the next, if other values lie between them: the keys of a map. */
  readonly strideBytes?: number;
  /** How Trick calls the container in one half of a pair. Trick: checkpoint_pair.hh */
  readonly innerName?: 'inner';
}

/** A named place with a value. */
export interface NamedValue {
  readonly name: string;
  readonly type: Type;
  readonly offsetBytes: number;
  /** Left out for one that is saved and restored. */
  readonly io?: Io;
}

/**
 * Whether a type is a container (std::vector and the like, std::array, std::pair), whose elements are separate blocks in
 * a checkpoint.
 */
export const isContainer = (type: Type): boolean =>
  type.kind === 'sequence' || (type.kind === 'array' && type.isContainer) || (type.kind === 'struct' && !!type.isPair);

/** Whether a value takes more than one statement in a checkpoint: structures, containers, and plain arrays of them. */
export const isEntered = (type: Type): boolean =>
  type.kind === 'struct' || isContainer(type) || (type.kind === 'array' && isEntered(type.element));

/** Trick's name for allocated memory. Trick: MemoryManager */
export const allocationName = (index: number): string => `trick_anon_local_${index}`;

/** Makes unique names for the elements of containers. Trick: checkpoint_sequence_stl */
export class ContainerNames {
  private readonly taken: Set<string>;

  /** @param taken names of objects. */
  constructor(taken: Iterable<string>) {
    this.taken = new Set(taken);
  }

  /** The path with `_` for every dot and bracket, and further `_` while another path has the same name. */
  take(path: string): string {
    return this.unique(path.replace(/[^A-Za-z0-9_]/g, '_'));
  }

  /** The name of a container within a container. */
  takeElement(container: string, index: number): string {
    return this.unique(`${container}_${index}`);
  }

  private unique(wanted: string): string {
    let name = wanted;
    while (this.taken.has(name)) name += '_';
    this.taken.add(name);
    return name;
  }
}

/** The blocks of a container's elements; a map has one of keys and one of data, a pair one for each half. */
export function listsOf(
  names: ContainerNames,
  name: string,
  { type, offsetBytes }: NamedValue,
  count: number,
): Block[] {
  if (type.kind === 'struct') {
    return type.members.map(({ name: half, type: element, offsetBytes: at }) => {
      const own = names.take(`${name}_${half}`);
      return { name: own, element, offsetBytes: offsetBytes + at, count: 1, isSingle: false, innerName: 'inner' };
    });
  }
  if (type.kind !== 'sequence')
    return [{ name, element: (type as ArrayType).element, offsetBytes, count, isSingle: false }];
  const base = offsetBytes + SEQUENCE_HEADER_BYTES;
  if (type.container !== 'map') return [{ name, element: type.element, offsetBytes: base, count, isSingle: false }];
  const strideBytes = strideOf(type.element);
  return partsOf({ name, type: type.element, offsetBytes: base }).map((part, index) => {
    const own = names.take(`${name}_${index === 0 ? 'keys' : 'data'}`);
    return { name: own, element: part.type, offsetBytes: part.offsetBytes, count, isSingle: false, strideBytes };
  });
}

/** Where an element of a block lies. */
export const offsetOfElement = ({ element, offsetBytes, strideBytes }: Block, index: number): number =>
  offsetBytes + index * (strideBytes ?? strideOf(element));

/** An element of a block. */
export const elementOf = (block: Block, index: number): NamedValue => ({
  name: `${block.name}[${index}]`,
  type: block.element,
  offsetBytes: offsetOfElement(block, index),
});

/** The elements of a block, one by one: a client's may have millions. */
export function* eachElement(block: Block): Generator<NamedValue> {
  for (let index = 0; index < block.count; index++) yield elementOf(block, index);
}

/** In the order of allocation; those without a name are numbered. */
export function blocksOf(allocated: readonly Allocation[]): Block[] {
  let unnamed = 0;
  return allocated.map(({ name = allocationName(unnamed++), type, offsetBytes, count, isSingle = false }) => ({
    name,
    element: type,
    offsetBytes,
    count,
    isSingle,
  }));
}

/** The parts one step below a structure or a plain array. A part is saved or restored only if the whole is. */
export function partsOf({ name, type, offsetBytes, io }: NamedValue): NamedValue[] {
  if (type.kind === 'struct') {
    return type.members.map((member) => ({
      name: `${name}.${member.name}`,
      type: member.type,
      offsetBytes: offsetBytes + member.offsetBytes,
      io: narrowed(io, member),
    }));
  }
  return type.kind === 'array' ? elementsOf(name, type.element, offsetBytes, type.length, io) : [];
}

function elementsOf(name: string, element: Type, offsetBytes: number, count: number, io?: Io): NamedValue[] {
  const stride = strideOf(element);
  return Array.from({ length: count }, (_, index) => ({
    name: `${name}[${index}]`,
    type: element,
    offsetBytes: offsetBytes + index * stride,
    ...(io && { io }),
  }));
}

/** A pointer's target by name, and how many values lie from there to the end of its list. */
export interface Aim {
  readonly name: string;
  readonly rest: number;
}

type Region = NamedValue & { readonly endBytes: number };

/** Finds the name of a pointer's target. */
export class MemoryMap {
  private readonly regions: readonly Region[];
  private readonly blocks: readonly Block[];

  constructor(objects: readonly SimObject[], blocks: readonly Block[]) {
    const components = objects.flatMap(({ name, type }) => partsOf({ name, type, offsetBytes: 0 }));
    this.regions = byOffset(components.map((held) => ({ ...held, endBytes: held.offsetBytes + sizeOf(held.type) })));
    this.blocks = byOffset(blocks);
  }

  /** The allocated block that contains an offset. */
  blockAt(offsetBytes: number): Block | undefined {
    const block = lastAtOrBefore(this.blocks, offsetBytes);
    return block && offsetBytes < block.offsetBytes + strideOf(block.element) * block.count ? block : undefined;
  }

  /** Where values of a type lie at an offset; undefined when none do. */
  aimAt(target: Type, offsetBytes: number): Aim | undefined {
    const block = this.blockAt(offsetBytes);
    if (block?.isSingle) return within({ ...block, type: block.element }, target, offsetBytes, 1);
    if (block) return inElements(block, target, offsetBytes);
    const region = lastAtOrBefore(this.regions, offsetBytes);
    return region && offsetBytes < region.endBytes ? within(region, target, offsetBytes, 1) : undefined;
  }
}

const byOffset = <T extends { readonly offsetBytes: number }>(places: readonly T[]): T[] =>
  [...places].sort((one, other) => one.offsetBytes - other.offsetBytes);

function lastAtOrBefore<T extends { readonly offsetBytes: number }>(places: readonly T[], at: number): T | undefined {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((places[middle] as T).offsetBytes <= at) low = middle + 1;
    else high = middle;
  }
  return places[low - 1];
}

function within(held: NamedValue, target: Type, at: number, rest: number): Aim | undefined {
  const { name, type, offsetBytes } = held;
  if (isSameType(type, target) && offsetBytes === at) return { name, rest };
  if (type.kind === 'struct') {
    const member = partsOf(held).find((part) => at >= part.offsetBytes && at < part.offsetBytes + sizeOf(part.type));
    return member && within(member, target, at, 1);
  }
  if (type.kind === 'array')
    return inElements({ name, element: type.element, offsetBytes, count: type.length }, target, at);
  if (type.kind !== 'sequence') return undefined;
  const firstBytes = offsetBytes + SEQUENCE_HEADER_BYTES;
  return inElements({ name, element: type.element, offsetBytes: firstBytes, count: type.capacity }, target, at);
}

function inElements(list: Omit<Block, 'isSingle'>, target: Type, at: number): Aim | undefined {
  const { name, element, count } = list;
  const index = Math.floor((at - list.offsetBytes) / strideOf(element));
  if (index < 0 || index >= count) return undefined;
  const offsetBytes = list.offsetBytes + index * strideOf(element);
  return within({ name: `${name}[${index}]`, type: element, offsetBytes }, target, at, count - index);
}
