// The memory of a state outside its components: targets of pointers, and variables of their own, which have a name and
// belong to no component.
import { LIMITS } from '../bounds/limits.js';
import type { Arena } from './arena.js';
import type { Client, Figures } from './fair-share.js';
import { checkName } from './name.js';
import { holdsPointers, type Range, rangeOf } from './pointers.js';
import { type Member, strideOf, type Type } from './type.js';

/**
 * The most declared variables that all clients together may have, and their most bytes; a client gets a share of both.
 */
export const MOST_VARIABLES = LIMITS.declaredVariables.all;
export const MOST_VARIABLE_BYTES = 2 ** 26;

export interface Allocation {
  readonly type: Type;
  readonly offsetBytes: number;
  readonly count: number;
  /** Whether it is a single value, not a list. */
  readonly isSingle?: boolean;
  /** The name, if it is a variable of its own. */
  readonly name?: string;
  /** The client that declared it. */
  readonly by?: Client;
  /** Whether a list that was assigned to a pointer made it: it is freed when that pointer points elsewhere. */
  readonly isOfPointer?: true;
}

interface Room {
  readonly isSingle?: boolean;
  readonly isOfPointer?: true | undefined;
  /** The component with which it is freed. */
  readonly owner?: Member;
  /** The client that asked for it. */
  readonly by?: Client | undefined;
}

/** Memory to enter. */
type Reserved = Pick<Allocation, 'type' | 'count'> & {
  readonly isSingle: boolean;
  readonly by?: Client | undefined;
  readonly isOfPointer?: true | undefined;
};

/** What allocations need of the state that they belong to. */
interface Surroundings {
  /** Called when a catalog of before is out of date, with the variable that has come or gone. */
  readonly changed: (name?: string, isRemoved?: boolean) => void;
  /** Sets pointers into freed memory to null. */
  readonly clearPointers: (gone: readonly Allocation[]) => void;
  /** The same in steps. */
  readonly clearingPointers: (gone: Range) => Generator<void, void>;
  readonly isObject: (name: string) => boolean;
}

/** Notes whether clients write into memory while it is copied in steps. */
export class CopiedMemory {
  isWritten = false;

  constructor(private readonly range: Range) {}

  /** Somebody has written a value at an offset. */
  note(offsetBytes: number, sizeBytes: number): void {
    const { startBytes, endBytes } = this.range;
    if (offsetBytes < endBytes && offsetBytes + sizeBytes > startBytes) this.isWritten = true;
  }
}

type Kept = { -readonly [K in keyof Allocation]: Allocation[K] };

export class Allocations {
  /** In the order of allocation. */
  private readonly kept = new Set<Kept>();
  private readonly byOwner = new Map<Member, Kept[]>();
  /** Allocations that belong to no component, by their offsets. */
  private readonly free = new Map<number, Kept>();
  private readonly byName = new Map<string, Kept>();
  private readonly holders = new Set<Kept>();
  /** Of the memory that belongs to no component: its number and bytes, and how often a client was refused more. */
  counts: Figures = { held: 0, refusals: 0 };
  sizes: Figures = { held: 0, refusals: 0 };
  /** Memory that is copied in steps. */
  copied: CopiedMemory | undefined;
  /** Those who change memory that belongs to no component, in turn: what one does in steps, no other one sees half done. */
  readonly turns = new Set<object>();

  constructor(
    private readonly arena: Arena,
    private readonly state: Surroundings,
  ) {}

  get all(): readonly Allocation[] {
    return [...this.kept];
  }

  /** Allocations that hold pointers. */
  get holdersOfPointers(): ReadonlySet<Allocation> {
    return this.holders;
  }

  /** The variables of their own, as members at their offsets in the arena. */
  get variables(): Member[] {
    return [...this.byName.values()].map(asMember);
  }

  /** The variable of a name as a member; undefined when there is none. */
  described(name: string): Member | undefined {
    const found = this.byName.get(name);
    return found && asMember(found);
  }

  /** Zeroed memory for pointers to aim at; it belongs to no component and stays until it is released. */
  allocate(type: Type, count: number, isSingle: boolean, by?: Client): Allocation {
    this.state.changed();
    return this.add(type, count, { isSingle, by });
  }

  /** Enters memory that the arena has reserved and that is zero by now. */
  allocateReserved(offsetBytes: number, { type, count, ...room }: Reserved): Allocation {
    this.state.changed();
    return this.enter(offsetBytes, type, count, room);
  }

  /** The same at an offset; undefined when that is not free. */
  allocateAt(offsetBytes: number, type: Type, count: number, isSingle: boolean, by?: Client): Allocation | undefined {
    this.state.changed();
    return this.arena.allocateAt(offsetBytes, type, count)
      ? this.enter(offsetBytes, type, count, { isSingle, by })
      : undefined;
  }

  /** Adds zeroed memory, of a component if it has an owner. */
  add(type: Type, count: number, room: Room): Allocation {
    return this.enter(this.arena.allocate(type, count), type, count, room);
  }

  private enter(offsetBytes: number, type: Type, count: number, room: Room): Allocation {
    const { isSingle = false, owner, by, isOfPointer } = room;
    const made: Kept = {
      type,
      offsetBytes,
      count,
      ...(isSingle && { isSingle }),
      ...(by !== undefined && { by }),
      ...(isOfPointer && { isOfPointer }),
    };
    this.kept.add(made);
    if (!owner) {
      this.free.set(offsetBytes, made);
      this.counts.held++;
      this.sizes.held += bytesOf(made);
    }
    if (holdsPointers(type)) this.holders.add(made);
    if (owner && !this.byOwner.get(owner)?.push(made)) this.byOwner.set(owner, [made]);
    return made;
  }

  /** Removes the memory of a component from the list and returns it; the memory is not freed yet. */
  disown(owner: Member): readonly Allocation[] {
    const owned = this.byOwner.get(owner) ?? [];
    this.byOwner.delete(owner);
    for (const one of owned) {
      this.kept.delete(one);
      this.holders.delete(one);
    }
    return owned;
  }

  has(name: string): boolean {
    return this.byName.has(name);
  }

  /** The variable of its own with this name. Throws an Error when there is none. */
  named(name: string): Allocation {
    const found = this.byName.get(name);
    if (!found) throw new Error(`there is no variable ${name} that was declared`);
    return found;
  }

  /** The variable of its own with this name, if a client has declared it. */
  ofClient(name: string): Allocation | undefined {
    const found = this.byName.get(name);
    return found?.by && found;
  }

  /** The memory that begins at an offset in bytes and belongs to no component. Throws an Error when there is none. */
  at(offsetBytes: number): Allocation {
    const found = this.free.get(offsetBytes);
    if (!found) throw new Error('there is no declared memory at this address');
    return found;
  }

  /** The memory that a list made which was assigned to a pointer, if it begins at an offset. */
  ofPointer(offsetBytes: number): Allocation | undefined {
    const found = this.free.get(offsetBytes);
    return found?.isOfPointer && found;
  }

  /** Memory at which a second pointer points stays when the first one points elsewhere. */
  keep(offsetBytes: number): void {
    for (const one of this.free.values())
      if (offsetBytes >= one.offsetBytes && offsetBytes < one.offsetBytes + bytesOf(one)) delete one.isOfPointer;
  }

  /** Throws an Error for text that is no name, and for a name that is taken. */
  requireFree(name: string, what = 'a variable'): void {
    checkName(what, name);
    if (this.state.isObject(name)) throw new Error(`there is an object ${name} already`);
    if (this.byName.has(name)) throw new Error(`there is a variable ${name} already`);
  }

  /**
   * Gives memory that belongs to no component a name: it is then a variable of its own. Throws an Error for a taken
   * name.
   */
  name(allocation: Allocation, name: string): void {
    this.requireFree(name);
    const kept = allocation as Kept;
    kept.name = name;
    this.byName.set(name, kept);
    this.state.changed(name);
  }

  /** Frees memory that belongs to no component, and its name if it has one; pointers into it become null. */
  remove(...gone: readonly Allocation[]): void {
    this.state.clearPointers(gone);
    for (const allocation of gone) this.release(allocation);
  }

  /**
   * The same in steps: from now on nobody finds the memory, and code of the simulation sees null instead of pointers into
   * it; who calls takes the steps.
   */
  removing(gone: Allocation): Generator<void, void> {
    this.forget(gone);
    const { type, offsetBytes, count } = gone;
    const range = rangeOf(type, offsetBytes, count);
    this.arena.setGoing(range);
    return this.freeing(gone, range);
  }

  private *freeing({ type, offsetBytes, count }: Allocation, range: Range): Generator<void, void> {
    yield* this.state.clearingPointers(range);
    this.arena.setGoing(undefined);
    this.arena.release(type, offsetBytes, count);
  }

  /** Frees memory that belongs to no component and at which no pointer points. */
  release(allocation: Allocation): void {
    const { type, offsetBytes, count } = allocation;
    if (this.forget(allocation)) this.arena.release(type, offsetBytes, count);
  }

  /** Takes memory and its name off the lists; returns whether it was there. */
  private forget(allocation: Allocation): boolean {
    const { offsetBytes, name } = allocation;
    if (!this.free.delete(offsetBytes)) return false;
    this.counts.held--;
    this.sizes.held -= bytesOf(allocation);
    this.holders.delete(allocation as Kept);
    this.kept.delete(allocation as Kept);
    if (name !== undefined) this.byName.delete(name);
    this.state.changed(name, true);
    return true;
  }

  /** Whether memory that belongs to no component is still there. */
  holds(allocation: Allocation): boolean {
    return this.kept.has(allocation as Kept);
  }

  /** Number of allocations that belong to no component. */
  get ownCount(): number {
    return this.free.size;
  }

  get ownBytes(): number {
    return this.sizes.held;
  }

  /** All allocations that belong to no component. */
  get own(): Iterable<Allocation> {
    return this.free.values();
  }
}

export const bytesOf = ({ type, count }: Allocation): number => strideOf(type) * count;

function asMember({ name = '', type, count, isSingle, offsetBytes }: Allocation): Member {
  const whole: Type = isSingle ? type : { kind: 'array', element: type, length: count, isContainer: false };
  return { name, type: whole, offsetBytes, units: '--', about: '', access: 'read-write' };
}
