// Works out what a checkpoint changes in a state: all of it or nothing. Trick: MemoryManager::read_checkpoint

import {
  type Assignment,
  type Literal,
  lineAt,
  type Place,
  parseCheckpoint,
  type Statement,
  type Step,
} from '../../grammar/checkpoint/index.js';
import { appended } from '../model/arena.js';
import { Catalog, type SimObject } from '../model/catalog.js';
import { Memory } from '../model/memory.js';
import type { Allocation } from '../model/state.js';
import { didYouMean, nearestNames } from '../model/suggest.js';
import { findMember, type PointerType, SEQUENCE_HEADER_BYTES, sizeOf, strideOf, type Type } from '../model/type.js';
import { LiteralError, type LiteralStore, type Slot, storeLiteral } from './literal.js';
import {
  allocationName,
  ContainerNames,
  elementsOf,
  type Held,
  isContainer,
  isEntered,
  partsOf,
} from './memory-map.js';
import { type FreshMemory, type LoadPlan, pointerTargets, type StateModel } from './plan.js';
import { isTrickObject } from './trick-object.js';
import { clearValue } from './value.js';

/** Why a checkpoint cannot be loaded: one sentence with the line. Nothing has been changed. */
export class CheckpointError extends Error {
  override readonly name = 'CheckpointError';
}

/** Members of Trick's simulation objects besides their components. */
const OBJECT_FACTS = new Set(['name', 'id', 'object_disabled']);

/**
 * What a checkpoint changes, worked out without the state's bytes. Throws a CheckpointError.
 * @param text the file, one character per byte.
 */
export function planLoad(model: StateModel, text: string): LoadPlan {
  const { statements, error } = parseCheckpoint(text);
  if (error) throw new CheckpointError(`line ${lineAt(text, error.at)}: ${error.message}`);
  try {
    return new CheckpointLoad(model, statements).plan();
  } catch (thrown) {
    if (!(thrown instanceof LiteralError)) throw thrown;
    throw new CheckpointError(`line ${lineAt(text, thrown.at)}: ${thrown.message}`);
  }
}

/** What a checkpoint says about memory outside objects. */
interface Outside {
  readonly at: number;
  readonly assignments: Assignment[];
  /** Number of elements, from its declaration or from its assignments. */
  count: number;
}

interface Located extends Held {
  /** Number of elements from here to the end of the array or block. */
  readonly rest: number;
  /** Whether it is an element of allocated memory. */
  readonly isOutside: boolean;
}

class CheckpointLoad {
  private readonly executive = new Map<string, bigint>();
  private readonly catalog: Catalog;
  private readonly byObject = new Map<string, Assignment[]>();
  private readonly outside = new Map<string, Outside>();
  private readonly blocks = new Map<
    string,
    { readonly element: Type; readonly offsetBytes: number; readonly count: number }
  >();
  private readonly fresh: FreshMemory[] = [];
  private readonly targets: readonly Type[];
  private readonly ranges: number[] = [];
  private readonly kept: number[] = [];
  private usedBytes: number;
  private readonly unused: Set<Allocation>;
  private readonly memory: Memory;
  private readonly store: LiteralStore;
  private readonly names: ContainerNames;
  private isClearing = false;

  constructor(
    private readonly model: StateModel,
    statements: readonly Statement[],
  ) {
    this.catalog = new Catalog(model.catalog);
    this.targets = pointerTargets(model.catalog);
    this.usedBytes = model.usedBytes;
    this.names = new ContainerNames(this.catalog.objects.map(({ name }) => name));
    this.unused = new Set(model.allocated);
    this.memory = new Memory(new SharedArrayBuffer(model.usedBytes, { maxByteLength: LARGEST_STATE_BYTES }));
    this.store = {
      memory: this.memory,
      aim: (type, slot, address) => this.aim(type, slot, address.place, address.at),
      keep: (type, slot) => this.keep(type, slot),
    };
    for (const statement of statements) this.sort(statement);
  }

  plan(): LoadPlan {
    for (const { name, type } of this.touched) {
      for (const part of partsOf({ name, type, offsetBytes: 0 })) {
        this.clear(part.type, part.offsetBytes, sizeOf(part.type));
        this.ranges.push(part.offsetBytes, sizeOf(part.type));
      }
    }
    for (const assignments of this.byObject.values()) for (const assignment of assignments) this.assign(assignment);
    for (const { name, type } of this.touched) this.fillContainers({ name, type, offsetBytes: 0 });
    this.fillBlocks();
    this.refuseRest();
    return {
      version: this.model.catalog.version,
      objects: this.touched.map(({ name }) => name),
      executive: this.executive,
      // Of fixed length, because a buffer that can grow cannot be copied to another thread.
      bytes: new Uint8Array(this.memory.bytes),
      ranges: Float64Array.from(this.ranges),
      kept: Float64Array.from(this.kept),
      fresh: this.fresh,
    };
  }

  private get touched(): SimObject[] {
    return this.catalog.objects.filter(
      ({ name }) => !isTrickObject(name) && (this.isClearing || this.byObject.has(name)),
    );
  }

  private sort(statement: Statement): void {
    if (statement.kind === 'clear') this.isClearing = true;
    else if (statement.kind === 'declaration')
      this.outsideAt(statement.name, statement.at).count = statement.extents[0] ?? 1;
    else if (isTrickObject(statement.target.root)) this.note(statement);
    else if (this.catalog.object(statement.target.root)) listIn(this.byObject, statement.target.root).push(statement);
    else this.sortOutside(statement);
  }

  private note({ target, value }: Assignment): void {
    if (value.kind !== 'number' || !/^\d{1,19}$/.test(value.image)) return;
    this.executive.set([target.root, ...target.steps].join('.'), BigInt(value.image));
  }

  private sortOutside(statement: Assignment): void {
    const { target, value, at } = statement;
    const outside = this.outsideAt(target.root, at);
    const [first] = target.steps;
    const reached = typeof first === 'number' ? first + 1 : value.kind === 'list' ? value.items.length : 1;
    outside.count = Math.max(outside.count, reached);
    outside.assignments.push(statement);
  }

  private outsideAt(name: string, at: number): Outside {
    const known = this.outside.get(name);
    if (known) return known;
    const made: Outside = { at, assignments: [], count: 0 };
    this.outside.set(name, made);
    return made;
  }

  private assign({ target, value, at }: Assignment): void {
    const place = this.locate(target, at);
    if (place) storeLiteral(this.store, place.type, { path: place.name, offsetBytes: place.offsetBytes }, value);
  }

  /** Where a place lies; undefined for members that only Trick's objects have. Throws a LiteralError. */
  private locate({ root, steps }: Place, at: number): Located | undefined {
    const object = this.catalog.object(root);
    if (object) {
      if (isFactOf(object, steps)) return undefined;
      return this.follow({ name: root, type: object.type, offsetBytes: 0, rest: 1, isOutside: false }, steps, at);
    }
    const block = this.blocks.get(root);
    if (!block) throw new LiteralError(`there is no object ${root}${didYouMean(this.nearestRoots(root))}`, at);
    const [index = 0, ...rest] = steps;
    if (typeof index !== 'number') throw new LiteralError(`${root} has no member ${index}, it is a list`, at);
    if (index >= block.count) throw outOfRange(root, index, block.count, at);
    const offsetBytes = block.offsetBytes + index * strideOf(block.element);
    const first = {
      name: `${root}[${index}]`,
      type: block.element,
      offsetBytes,
      rest: block.count - index,
      isOutside: true,
    };
    return this.follow(first, rest, at);
  }

  private follow(from: Located, steps: readonly Step[], at: number): Located {
    let place = from;
    for (const step of steps)
      place = typeof step === 'number' ? this.element(place, step, at) : member(place, step, at);
    return place;
  }

  private element({ name, type, offsetBytes }: Located, index: number, at: number): Located {
    if (type.kind !== 'array' && type.kind !== 'sequence') {
      throw new LiteralError(`${name} has no element [${index}], it is not an array`, at);
    }
    const length = type.kind === 'array' ? type.length : type.capacity;
    if (index >= length) throw outOfRange(name, index, length, at);
    const base = offsetBytes + (type.kind === 'sequence' ? SEQUENCE_HEADER_BYTES : 0);
    return {
      name: `${name}[${index}]`,
      type: type.element,
      offsetBytes: base + index * strideOf(type.element),
      rest: length - index,
      isOutside: false,
    };
  }

  private nearestRoots(root: string): string[] {
    return nearestNames(root, [...this.catalog.objects.map(({ name }) => name), ...this.blocks.keys()]);
  }

  private aim(type: PointerType, slot: Slot, place: Place, at: number): void {
    const { target } = type;
    if (!this.catalog.object(place.root)) this.allocate(place.root, target, slot, at);
    const aimed = this.locate(place, at);
    if (!aimed) throw new LiteralError(`${slot.path} cannot point there`, at);
    const count = countAt(aimed, target);
    if (count === 0) throw new LiteralError(`${slot.path} cannot point at ${aimed.name}, which is of another type`, at);
    this.memory.view.setUint32(slot.offsetBytes, aimed.offsetBytes, true);
    this.memory.view.setUint32(slot.offsetBytes + 4, count, true);
  }

  /** Finds or makes memory for a pointer's target, when the first pointer of the file points at it. */
  private allocate(name: string, element: Type, slot: Slot, at: number): void {
    if (this.blocks.has(name)) return;
    const count = this.outside.get(name)?.count ?? 0;
    if (count < 1) throw new LiteralError(`${slot.path} points at ${name}, of which the file says nothing`, at);
    if (count * strideOf(element) > LARGEST_ALLOCATION_BYTES) {
      throw new LiteralError(`${name} takes more than ${LARGEST_ALLOCATION_BYTES} bytes`, at);
    }
    const offsetBytes = this.reuse(name, element, count) ?? this.extend(element, count);
    this.ranges.push(offsetBytes, strideOf(element) * count);
    this.clear(element, offsetBytes, strideOf(element) * count);
    for (const part of elementsOf(name, element, offsetBytes, count))
      this.clear(element, part.offsetBytes, sizeOf(element));
    this.blocks.set(name, { element, offsetBytes, count });
  }

  /** The allocation of the same name, or one that this file does not use yet; both must have the same type and size. */
  private reuse(name: string, element: Type, count: number): number | undefined {
    const fits = (one: Allocation) => this.unused.has(one) && one.type === element && one.count === count;
    const { allocated } = this.model;
    const found = allocated.find((one, index) => allocationName(index) === name && fits(one)) ?? allocated.find(fits);
    if (found) this.unused.delete(found);
    return found?.offsetBytes;
  }

  private extend(element: Type, count: number): number {
    const { offsetBytes, usedBytes } = appended(this.usedBytes, element, count);
    if (usedBytes > LARGEST_STATE_BYTES)
      throw new CheckpointError(`the state takes at most ${LARGEST_STATE_BYTES} bytes`);
    this.usedBytes = usedBytes;
    this.fresh.push({ target: this.targets.indexOf(element), count, offsetBytes });
    (this.memory.buffer as SharedArrayBuffer).grow(usedBytes);
    this.memory.remap();
    return offsetBytes;
  }

  private clear(type: Type, offsetBytes: number, sizeBytes: number): void {
    clearValue(type, this.memory, offsetBytes, sizeBytes);
  }

  private keep(type: Type, { offsetBytes }: Slot): void {
    this.kept.push(offsetBytes, sizeOf(type));
  }

  /** Fills the containers in a value from the blocks with their names. */
  private fillContainers(held: Held): void {
    if (isContainer(held.type)) this.fillContainer(held);
    else if (isEntered(held.type)) for (const part of partsOf(held)) this.fillContainers(part);
  }

  private fillContainer({ name: path, type, offsetBytes }: Held): void {
    if (type.kind !== 'array' && type.kind !== 'sequence') return;
    const name = this.names.take(path);
    const outside = this.outside.get(name);
    if (!outside || this.blocks.has(name)) return;
    const room = type.kind === 'array' ? type.length : type.capacity;
    const { count, at } = outside;
    if (count > room) throw new LiteralError(`${path} has room for ${room} elements, not ${count}`, at);
    if (type.kind === 'sequence') this.memory.view.setUint32(offsetBytes, count, true);
    const base = offsetBytes + (type.kind === 'sequence' ? SEQUENCE_HEADER_BYTES : 0);
    this.fillBlock(name, type.element, base, count);
  }

  private fillBlock(name: string, element: Type, offsetBytes: number, count: number): void {
    this.blocks.set(name, { element, offsetBytes, count });
    const parts = elementsOf(name, element, offsetBytes, count);
    const outside = this.outside.get(name);
    this.outside.delete(name);
    // The block of a container of containers contains only their names.
    if (!isContainer(element))
      for (const assignment of outside?.assignments ?? []) this.assignBlock(assignment, element, parts);
    for (const part of parts) this.fillContainers(part);
  }

  private assignBlock(assignment: Assignment, element: Type, parts: readonly Held[]): void {
    const { target, value } = assignment;
    if (target.steps.length > 0) {
      this.assign(assignment);
      return;
    }
    const isList = value.kind === 'list' && (parts.length > 1 || value.items.length === 1);
    const items: readonly Literal[] = isList && value.kind === 'list' ? value.items : [value];
    for (const [index, item] of items.entries()) {
      const part = parts[index];
      if (part) storeLiteral(this.store, element, { path: part.name, offsetBytes: part.offsetBytes }, item);
    }
  }

  /** Filling one allocation may point pointers at another one. */
  private fillBlocks(): void {
    for (const [name, { element, offsetBytes, count }] of this.blocks) {
      if (this.outside.has(name)) this.fillBlock(name, element, offsetBytes, count);
    }
  }

  /** Refuses statements that were not used, unless they are about Trick's own memory. */
  private refuseRest(): void {
    for (const [name, { at }] of this.outside) {
      if (!name.startsWith('trick_')) {
        throw new LiteralError(`there is no object or container ${name}${didYouMean(this.nearestRoots(name))}`, at);
      }
    }
  }
}

/** Limits what a file can make a simulation allocate. */
const LARGEST_ALLOCATION_BYTES = 2 ** 26;
const LARGEST_STATE_BYTES = 2 ** 30;

const isFactOf = ({ type }: SimObject, steps: readonly Step[]): boolean =>
  steps.length === 1 && OBJECT_FACTS.has(steps[0] as string) && !findMember(type, steps[0] as string);

function member({ name, type, offsetBytes }: Located, step: string, at: number): Located {
  const names = type.kind === 'struct' ? type.members.map((one) => one.name) : [];
  const found = type.kind === 'struct' ? type.members.find((one) => one.name === step) : undefined;
  if (!found) throw new LiteralError(`${name} has no member ${step}${didYouMean(nearestNames(step, names))}`, at);
  return {
    name: `${name}.${step}`,
    type: found.type,
    offsetBytes: offsetBytes + found.offsetBytes,
    rest: 1,
    isOutside: false,
  };
}

/** How many values of the pointer's type lie at a place; 0 for none. */
function countAt({ type, rest, isOutside }: Located, target: Type): number {
  // In an array of single numbers a pointer may mean a part of it, and Trick's files name allocated memory so.
  if (type === target || sameNumber(type, target)) return isOutside || type.kind === 'number' ? rest : 1;
  return type.kind === 'array' && (type.element === target || sameNumber(type.element, target)) ? type.length : 0;
}

const sameNumber = (one: Type, other: Type): boolean =>
  one.kind === 'number' && other.kind === 'number' && one.name === other.name;

const outOfRange = (name: string, index: number, length: number, at: number): LiteralError =>
  new LiteralError(`${name} has no element [${index}], its indices are 0 to ${length - 1}`, at);

function listIn<K, V>(map: Map<K, V[]>, key: K): V[] {
  const list = map.get(key) ?? [];
  map.set(key, list);
  return list;
}
