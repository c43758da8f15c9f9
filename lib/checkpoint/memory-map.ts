// The names that checkpoints use for the parts of a state's memory.
import type { SimObject } from '../model/catalog.js';
import type { Allocation } from '../model/state.js';
import { SEQUENCE_HEADER_BYTES, sizeOf, strideOf, type Type } from '../model/type.js';

/** Values side by side under one name: the target of a pointer, or the elements of a container. */
export interface Block {
  readonly name: string;
  readonly element: Type;
  readonly offsetBytes: number;
  readonly count: number;
}

/** A named place with a value. */
export interface Held {
  readonly name: string;
  readonly type: Type;
  readonly offsetBytes: number;
}

/**
 * Whether a type is a container (std::vector and the like, std::array), whose elements are a separate block in a
 * checkpoint.
 */
export const isContainer = (type: Type): boolean =>
  type.kind === 'sequence' || (type.kind === 'array' && type.isContainer);

/** Whether a value takes more than one statement in a checkpoint: structures, containers, and plain arrays of them. */
export const isEntered = (type: Type): boolean =>
  type.kind === 'struct' || isContainer(type) || (type.kind === 'array' && isEntered(type.element));

/** Trick's name for allocated memory. Trick: MemoryManager */
export const allocationName = (index: number): string => `trick_anon_local_${index}`;

/** Makes unique names for the elements of containers. Trick: checkpoint_stl */
export class ContainerNames {
  private readonly taken: Set<string>;

  /** @param taken names of objects. */
  constructor(taken: Iterable<string>) {
    this.taken = new Set(taken);
  }

  /** The path with `_` for every dot and bracket, and further `_` while another path has the same name. */
  take(path: string): string {
    let name = path.replace(/[^A-Za-z0-9_]/g, '_');
    while (this.taken.has(name)) name += '_';
    this.taken.add(name);
    return name;
  }
}

export const blocksOf = (allocated: readonly Allocation[]): Block[] =>
  allocated.map(({ type, offsetBytes, count }, index) => ({
    name: allocationName(index),
    element: type,
    offsetBytes,
    count,
  }));

/** The parts one step below a structure or a plain array. */
export function partsOf({ name, type, offsetBytes }: Held): Held[] {
  if (type.kind === 'struct') {
    return type.members.map((member) => ({
      name: `${name}.${member.name}`,
      type: member.type,
      offsetBytes: offsetBytes + member.offsetBytes,
    }));
  }
  return type.kind === 'array' ? elementsOf(name, type.element, offsetBytes, type.length) : [];
}

export function elementsOf(name: string, element: Type, offsetBytes: number, count: number): Held[] {
  const stride = strideOf(element);
  return Array.from({ length: count }, (_, index) => ({
    name: `${name}[${index}]`,
    type: element,
    offsetBytes: offsetBytes + index * stride,
  }));
}

/** Finds the name of a pointer's target. */
export class MemoryMap {
  private readonly regions: readonly (Held & { readonly endBytes: number })[];

  constructor(
    objects: readonly SimObject[],
    private readonly blocks: readonly Block[],
  ) {
    const components = objects.flatMap(({ name, type }) => partsOf({ name, type, offsetBytes: 0 }));
    this.regions = components.map((held) => ({ ...held, endBytes: held.offsetBytes + sizeOf(held.type) }));
  }

  /** The allocated block that contains an offset. */
  blockAt(offsetBytes: number): Block | undefined {
    return this.blocks.find((block) => {
      const sizeBytes = strideOf(block.element) * block.count;
      return offsetBytes >= block.offsetBytes && offsetBytes < block.offsetBytes + sizeBytes;
    });
  }

  /** The name of `count` values of a type at an offset; undefined when there are no such values. */
  nameOf(target: Type, offsetBytes: number, count: number): string | undefined {
    const block = this.blockAt(offsetBytes);
    if (block) return this.inElements(block.name, block.element, block.offsetBytes, { target, offsetBytes, count: 1 });
    const region = this.regions.find((one) => offsetBytes >= one.offsetBytes && offsetBytes < one.endBytes);
    return region && this.within(region, { target, offsetBytes, count });
  }

  private within(held: Held, wanted: Wanted): string | undefined {
    const { name, type } = held;
    const isHere = held.offsetBytes === wanted.offsetBytes;
    if (isHere && type === wanted.target && wanted.count === 1) return name;
    if (type.kind === 'struct') {
      const member = partsOf(held).find((part) => contains(part, wanted.offsetBytes));
      return member && this.within(member, wanted);
    }
    if (type.kind === 'array') {
      if (isHere && type.element === wanted.target && wanted.count === type.length) return name;
      return this.inElements(name, type.element, held.offsetBytes, wanted);
    }
    if (type.kind !== 'sequence') return undefined;
    return this.inElements(name, type.element, held.offsetBytes + SEQUENCE_HEADER_BYTES, wanted);
  }

  private inElements(name: string, element: Type, baseBytes: number, wanted: Wanted): string | undefined {
    const index = Math.floor((wanted.offsetBytes - baseBytes) / strideOf(element));
    if (index < 0) return undefined;
    const offsetBytes = baseBytes + index * strideOf(element);
    return this.within({ name: `${name}[${index}]`, type: element, offsetBytes }, wanted);
  }
}

interface Wanted {
  readonly target: Type;
  readonly offsetBytes: number;
  readonly count: number;
}

const contains = ({ type, offsetBytes }: Held, at: number): boolean =>
  at >= offsetBytes && at < offsetBytes + sizeOf(type);
