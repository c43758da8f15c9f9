// Works out what a checkpoint changes in a state: all of it or nothing. Trick: MemoryManager::read_checkpoint

import {
  type Assignment,
  type Literal,
  LongList,
  lineAt,
  type Path,
  parsePieces,
  type Statement,
} from '../../../grammar/checkpoint/index.js';
import { type Allocation, MOST_VARIABLE_BYTES, MOST_VARIABLES } from '../../model/state/allocations.js';
import { allocatedBytes, appended } from '../../model/state/arena.js';
import type { Catalog, SimObject } from '../../model/state/catalog.js';
import { clearValues } from '../../model/state/clear-value.js';
import { FreeMemory } from '../../model/state/free-memory.js';
import { isKeyed, putInOrder } from '../../model/state/keyed.js';
import { Memory } from '../../model/state/memory.js';
import type { Shape } from '../../model/state/named-type.js';
import { isOverlayObject, isReserved } from '../../model/state/reserved-names.js';
import { didYouMean, nearestNames } from '../../model/state/suggest.js';
import { type PointerType, roundUp, sizeOf, strideOf, type Type } from '../../model/state/type.js';
import { hasUnrestored } from './io.js';
import {
  type Block,
  ContainerNames,
  eachElement,
  elementOf,
  isContainer,
  isEntered,
  listsOf,
  type NamedValue,
  partsOf,
} from './memory-map.js';
import { isUnnamed, Outside } from './outside.js';
import { countAt, inBlock, inObject, isFactOf, type Located } from './places.js';
import { type FreshMemory, joined, type LoadPlan, type ReadModel } from './plan.js';
import { LiteralError, type LiteralStore, type Slot, storeElements, storeLiteral } from './store-literal.js';
import { UnusedMemory } from './unused-memory.js';
import { declared } from './writer.js';

/** Why a checkpoint cannot be loaded: one sentence with the line. Nothing has been changed. */
export class CheckpointError extends Error {
  override readonly name = 'CheckpointError';
}

/**
 * What a checkpoint changes, worked out without the state's bytes. Throws a CheckpointError.
 * @param text the file, one character per byte.
 */
export function planLoad(model: ReadModel, text: string): LoadPlan {
  const load = new CheckpointLoad(model);
  try {
    for (const { statements, error } of parsePieces(text)) {
      if (error) throw new LiteralError(error.message, error.at);
      for (const statement of statements) load.take(statement);
    }
    return load.plan();
  } catch (thrown) {
    if (!(thrown instanceof LiteralError)) throw thrown;
    throw new CheckpointError(`line ${lineAt(text, thrown.at)}: ${thrown.message}`);
  }
}

/** An allocation for a name of the file. */
interface Room {
  readonly name: string;
  readonly element: Type;
  readonly count: number;
  readonly isSingle: boolean;
}

class CheckpointLoad {
  private readonly executive = new Map<string, bigint>();
  private readonly catalog: Catalog;
  private readonly touched = new Set<SimObject>();
  /** Assignments to pointers in objects. */
  private readonly pointing: Assignment[] = [];
  private readonly outside = new Map<string, Outside>();
  private readonly blocks = new Map<string, Block>();
  private readonly fresh: FreshMemory[] = [];
  private readonly skipped: string[] = [];
  private readonly variables = { count: 0, bytes: 0 };
  private readonly ranges: number[] = [];
  private readonly kept: number[] = [];
  private usedBytes: number;
  private readonly free = new FreeMemory();
  private readonly unused: UnusedMemory;
  private readonly memory: Memory;
  private readonly store: LiteralStore;
  private readonly names: ContainerNames;
  private isClearing = false;

  constructor(private readonly model: ReadModel) {
    this.catalog = model.catalog;
    this.usedBytes = model.usedBytes;
    for (let at = 0; at < model.freeParts.length; at += 2)
      this.free.add(model.freeParts[at] as number, model.freeParts[at + 1] as number);
    this.unused = new UnusedMemory(model.allocated);
    this.names = new ContainerNames([
      ...this.catalog.objects.map(({ name }) => name),
      ...model.allocated.flatMap(({ name }) => name ?? []),
    ]);
    this.memory = new Memory(new SharedArrayBuffer(model.usedBytes, { maxByteLength: LARGEST_STATE_BYTES }));
    this.store = {
      memory: this.memory,
      aim: (type, slot, address) => this.aim(type, slot, address),
      keep: (type, slot) => this.keep(type, slot.offsetBytes),
    };
  }

  plan(): LoadPlan {
    for (const object of this.isClearing ? this.catalog.objects : []) this.touch(object);
    for (const assignment of this.pointing) this.assign(assignment);
    // In the order in which the containers were named.
    const touched = this.catalog.objects.filter((object) => this.touched.has(object));
    for (const { name, type } of touched) this.fillContainers({ name, type, offsetBytes: 0 });
    this.fillBlocks();
    this.takeRest();
    this.fillBlocks();
    // Done last, so that parts that keep their values get nothing from the file.
    for (const { name, type } of touched) this.keepUnrestored({ name, type, offsetBytes: 0 });
    return {
      version: this.model.catalog.version,
      objects: touched.flatMap(({ name }) => (this.model.withSetters.has(name) ? [name] : [])),
      executive: this.executive,
      // Of fixed length, because a buffer that can grow cannot be copied to another thread.
      bytes: new Uint8Array(this.memory.bytes),
      ranges: joined(this.ranges),
      kept: Float64Array.from(this.kept),
      fresh: this.fresh,
      gone: this.isClearing ? this.unused.names() : [],
      skipped: this.skipped,
    };
  }

  /** Clears an object before the first of its assignments. */
  private touch(object: SimObject): void {
    if (this.touched.has(object) || isOverlayObject(object.name)) return;
    this.touched.add(object);
    for (const part of partsOf({ name: object.name, type: object.type, offsetBytes: 0 }))
      this.clear(part.type, part.offsetBytes, 1);
  }

  /** Takes the statements in the order of the file. Throws a LiteralError. */
  take(statement: Statement): void {
    if (statement.kind === 'clear') this.isClearing = true;
    else if (statement.kind === 'declaration') this.outsideAt(statement.name, statement.at).declaration = statement;
    else if (isOverlayObject(statement.target.root)) this.note(statement);
    else this.takeAssignment(statement);
  }

  private takeAssignment(assignment: Assignment): void {
    const { target, value, at } = assignment;
    const object = this.catalog.object(target.root);
    if (!object) {
      this.outsideAt(target.root, at).add(assignment);
      return;
    }
    this.touch(object);
    // A pointer's target is known only when the whole file has been read.
    if (holdsAddress(value)) this.pointing.push(assignment);
    else this.assign(assignment);
  }

  private note({ target, value }: Assignment): void {
    if (value.kind !== 'number' || !/^\d{1,19}$/.test(value.image)) return;
    this.executive.set([target.root, ...target.steps].join('.'), BigInt(value.image));
  }

  private outsideAt(name: string, at: number): Outside {
    const known = this.outside.get(name);
    if (known) return known;
    const made = new Outside(name, at);
    this.outside.set(name, made);
    return made;
  }

  private assign({ target, value, at }: Assignment): void {
    const place = this.locate(target, at);
    if (place) storeLiteral(this.store, place.type, { path: place.name, offsetBytes: place.offsetBytes }, value);
  }

  /** Where a place lies; undefined for members that only Trick's objects have. Throws a LiteralError. */
  private locate({ root, steps }: Path, at: number): Located | undefined {
    const object = this.catalog.object(root);
    if (object) return isFactOf(object, steps) ? undefined : inObject(object, steps, at);
    const block = this.blocks.get(root);
    if (block) return inBlock(block, steps, at);
    throw new LiteralError(`there is no object ${root}${didYouMean(this.nearestRoots(root))}`, at);
  }

  private nearestRoots(root: string): string[] {
    return nearestNames(root, [...this.catalog.objects.map(({ name }) => name), ...this.blocks.keys()]);
  }

  private aim(type: PointerType, slot: Slot, { place, at, count }: Literal & { kind: 'address' }): void {
    const { target } = type;
    if (!this.catalog.object(place.root)) this.allocate(place.root, target, slot, at);
    const aimed = this.locate(place, at);
    if (!aimed) throw new LiteralError(`${slot.path} cannot point there`, at);
    const room = countAt(aimed, target);
    if (room === 0) throw new LiteralError(`${slot.path} cannot point at ${aimed.name}, which is of another type`, at);
    this.memory.view.setUint32(slot.offsetBytes, aimed.offsetBytes, true);
    this.memory.view.setUint32(slot.offsetBytes + 4, Math.min(room, Math.max(1, count ?? room)), true);
  }

  /** Finds or makes memory for a pointer's target, when the first pointer of the file points at it. */
  private allocate(name: string, target: Type, slot: Slot, at: number): void {
    if (this.blocks.has(name)) return;
    const outside = this.outside.get(name);
    if (!outside || outside.count < 1)
      throw new LiteralError(`${slot.path} points at ${name}, of which the file says nothing`, at);
    const { count, isSingle } = outside;
    const own = isUnnamed(name) ? undefined : outside.shapeIn(this.catalog);
    if (own) this.variable(name, own, at);
    else if (isUnnamed(name)) this.provide({ name, element: target, count, isSingle }, at);
    else throw new LiteralError(`${slot.path} cannot point at ${name}, which is of a type that is not known here`, at);
  }

  /** Memory for a variable of its own. */
  private variable(name: string, shape: Shape, at: number): void {
    if (this.catalog.object(name)) throw new LiteralError(`${name} cannot be declared, there is an object ${name}`, at);
    const known = this.unused.named(name);
    const isSame = known && declared({ ...shape, name }) === declared({ ...known, element: known.type, name });
    if (isSame) this.use(known, name, known.type);
    else if (known && !this.isClearing)
      throw new LiteralError(`${name} cannot be declared, there is a variable ${name} of another type`, at);
    else this.provide({ ...shape, name }, at);
  }

  /** Uses memory that the state has, or has more made. */
  private provide(room: Room, at: number): void {
    const { name, element, count, isSingle } = room;
    if (count * strideOf(element) > LARGEST_ALLOCATION_BYTES) {
      throw new LiteralError(`${name} takes more than ${LARGEST_ALLOCATION_BYTES} bytes`, at);
    }
    const found = isUnnamed(name) ? this.unused.fitting(name, element, count, isSingle) : undefined;
    if (found) {
      this.use(found, name, element);
      return;
    }
    if (!isUnnamed(name)) this.countVariable(name, count * strideOf(element), at);
    const offsetBytes = this.free.take(allocatedBytes(element, count)) ?? this.append(element, count);
    this.fresh.push({ offsetBytes, type: element, count, isSingle, ...(!isUnnamed(name) && { name }) });
    this.enter({ name, element, offsetBytes, count, isSingle });
  }

  /** Returns the offset of more memory behind all other. */
  private append(element: Type, count: number): number {
    const { offsetBytes, usedBytes } = appended(this.usedBytes, element, count);
    if (usedBytes > LARGEST_STATE_BYTES)
      throw new CheckpointError(`the state takes at most ${LARGEST_STATE_BYTES} bytes`);
    this.usedBytes = usedBytes;
    (this.memory.buffer as SharedArrayBuffer).grow(usedBytes);
    this.memory.remap();
    return offsetBytes;
  }

  /** A file may declare as much as clients may. */
  private countVariable(name: string, bytes: number, at: number): void {
    this.variables.count++;
    this.variables.bytes += bytes;
    if (this.variables.count > MOST_VARIABLES || this.variables.bytes > MOST_VARIABLE_BYTES)
      throw new LiteralError(
        `with ${name} there are more than ${MOST_VARIABLES} variables or ${MOST_VARIABLE_BYTES} bytes of them`,
        at,
      );
  }

  private use(allocation: Allocation, name: string, element: Type): void {
    this.unused.take(allocation);
    const { offsetBytes, count, isSingle = false } = allocation;
    this.enter({ name, element, offsetBytes, count, isSingle });
  }

  private enter(block: Block): void {
    this.clear(block.element, block.offsetBytes, block.count);
    this.blocks.set(block.name, block);
  }

  /** Sets values side by side to what a checkpoint leaves out, and has them copied into the state. */
  private clear(type: Type, offsetBytes: number, count: number): void {
    const sizeBytes = count === 1 ? sizeOf(type) : count * strideOf(type);
    // With the unused bytes behind them, so that neighbours become one range.
    this.ranges.push(offsetBytes, roundUp(sizeBytes, 8));
    clearValues(type, this.memory, offsetBytes, count, sizeBytes);
  }

  private keep(type: Type, offsetBytes: number): void {
    this.kept.push(offsetBytes, sizeOf(type));
  }

  private keepUnrestored(held: NamedValue): void {
    if (held.io && !held.io.isRestored) this.keep(held.type, held.offsetBytes);
    else if (hasUnrestored(held.type)) for (const part of partsOf(held)) this.keepUnrestored(part);
  }

  /** Fills the containers in a value from the blocks with their names. */
  private fillContainers(held: NamedValue): void {
    if (held.io && !held.io.isSaved) return;
    if (isContainer(held.type)) this.fillContainer(held, this.names.take(held.name));
    else if (isEntered(held.type)) for (const part of partsOf(held)) this.fillContainers(part);
  }

  private fillContainer(held: NamedValue, name: string): void {
    const { name: path, type, offsetBytes } = held;
    const room = type.kind === 'array' ? type.length : type.kind === 'sequence' ? type.capacity : 1;
    const lists = listsOf(this.names, name, held, 0).filter((list) => !this.blocks.has(list.name));
    const saved = lists.flatMap((list) => this.outside.get(list.name) ?? []);
    const [first] = saved;
    if (!first) return;
    const count = Math.max(...saved.map((one) => one.count));
    if (count > room) throw new LiteralError(`${path} has room for ${room} elements, not ${count}`, first.at);
    if (type.kind === 'sequence') this.memory.view.setUint32(offsetBytes, count, true);
    for (const list of lists) this.fillBlock({ ...list, count });
    if (isKeyed(type)) putInOrder(type, this.memory, offsetBytes);
  }

  private fillBlock(block: Block): void {
    const { name, element, innerName } = block;
    this.blocks.set(name, block);
    const outside = this.outside.get(name);
    this.outside.delete(name);
    if (isContainer(element)) {
      const own = innerName ? [this.names.take(`${name}_${innerName}`)] : namesIn(outside);
      for (let index = 0; index < block.count; index++)
        this.fillContainer(elementOf(block, index), own[index] ?? this.names.takeElement(name, index));
      return;
    }
    for (const assignment of outside?.assignments ?? []) this.assignBlock(assignment, block);
    if (isEntered(element)) for (const part of eachElement(block)) this.fillContainers(part);
  }

  private assignBlock(assignment: Assignment, block: Block): void {
    const { target, value } = assignment;
    if (target.steps.length > 0 || block.isSingle) {
      this.assign(assignment);
      return;
    }
    const isList = value.kind === 'list' && (block.count > 1 || value.items.length === 1);
    const { name: path, element, offsetBytes, count: most, strideBytes } = block;
    storeElements(this.store, element, { path, offsetBytes }, isList ? value.items : [value], {
      stride: strideBytes ?? strideOf(element),
      most,
    });
  }

  /** Filling one allocation may point pointers at another one. */
  private fillBlocks(): void {
    for (const [name, block] of this.blocks) if (this.outside.has(name)) this.fillBlock(block);
  }

  /**
   * Handles everything that no pointer or container of the file refers to: memory of the state that nothing points at,
   * variables of their own, Trick's own memory, and declarations that mean nothing here.
   */
  private takeRest(): void {
    for (const outside of this.outside.values()) {
      const { name, at, declaration } = outside;
      const shape = outside.shapeIn(this.catalog);
      if (isUnnamed(name)) {
        const found = shape && this.unused.spelled(name, declared({ ...shape, name }));
        if (found) this.use(found, name, found.type);
      } else if (shape && !isReserved(name)) this.variable(name, shape, at);
      else if (declaration && !isOverlayObject(name)) this.skipped.push(`${declaration.typeName} ${name}`);
      else if (!isOverlayObject(name))
        throw new LiteralError(`there is no object or container ${name}${didYouMean(this.nearestRoots(name))}`, at);
    }
    // Memory that is still unused is not in the file.
    if (this.isClearing)
      for (const { type, offsetBytes, count } of this.unused.unnamed()) this.clear(type, offsetBytes, count);
  }
}

/** The names that a container of containers gives its elements. */
function namesIn(outside: Outside | undefined): string[] {
  const value = outside?.assignments[0]?.value;
  const items = value?.kind === 'list' ? value.items : value ? [value] : [];
  return [...items].flatMap((item) => (item.kind === 'text' ? [item.bytes] : []));
}

/** Limits what a file can make a simulation allocate. */
const LARGEST_ALLOCATION_BYTES = 2 ** 26;
const LARGEST_STATE_BYTES = 2 ** 30;

function holdsAddress(literal: Literal): boolean {
  if (literal.kind !== 'list') return literal.kind === 'address';
  const { items } = literal;
  return items instanceof LongList ? items.holdsAddress : [...items].some(holdsAddress);
}
