// What loading a checkpoint changes, as plain data that can be sent to another thread, and how a state applies it.

import type { Allocation } from '../../model/state/allocations.js';
import { Catalog } from '../../model/state/catalog.js';
import type { Client } from '../../model/state/fair-share.js';
import type { State } from '../../model/state/state.js';
import type { Type } from '../../model/state/type.js';

/** Everything about a state that writing or reading a checkpoint needs, except its bytes. */
export interface StateModel {
  readonly catalog: Catalog;
  readonly allocated: readonly Allocation[];
  readonly usedBytes: number;
}

/** What reading needs besides. */
export interface ReadModel extends StateModel {
  /** Offset and size in turn, in bytes: parts below `usedBytes` that nothing uses. */
  readonly freeParts: Float64Array;
  /** Names of the objects of which a plan says whether the file mentions them. */
  readonly withSetters: ReadonlySet<string>;
}

/** @param catalog the state's; clients may have made so many objects that another one takes long. */
export const modelOf = (state: State, catalog: Catalog = new Catalog(state.describe())): StateModel => ({
  catalog,
  // They are copied, because an allocation may get a name later.
  allocated: state.allocations.all.map((allocation) => ({ ...allocation })),
  usedBytes: state.arena.usedBytes,
});

/** Clients may leave millions of free parts; a file seldom needs more than one of the larger ones. */
const FREE_PARTS = 4096;

/** The same for reading. */
export const readModelOf = (state: State, catalog?: Catalog): ReadModel => ({
  ...modelOf(state, catalog),
  freeParts: state.arena.freeParts(FREE_PARTS),
  withSetters: state.objectsWithSetters,
});

/** New memory, for targets of pointers and for variables of their own; it is allocated in this order. */
export interface FreshMemory {
  readonly offsetBytes: number;
  readonly type: Type;
  readonly count: number;
  readonly isSingle: boolean;
  /** The name, for a variable of its own. */
  readonly name?: string;
}

export interface LoadPlan {
  /** The version of the catalog that the plan was made for. */
  readonly version: number;
  /** Objects with setters that the file mentions. */
  readonly objects: readonly string[];
  /** The values of Trick's own objects that are integers, such as `trick_sys.sched.time_tics`. */
  readonly executive: ReadonlyMap<string, bigint>;
  /** The new bytes, at the offsets of the state's layout. */
  readonly bytes: Uint8Array;
  /** Offset and length in turn, in bytes: the ranges that are copied into the state, in order and without overlaps. */
  readonly ranges: Float64Array;
  /** Offset and length in turn, in bytes: the parts of these ranges that keep their old values. */
  readonly kept: Float64Array;
  readonly fresh: readonly FreshMemory[];
  /** Variables of their own that the file does not have. */
  readonly gone: readonly string[];
  /** Declarations in the file that mean nothing to this simulation. */
  readonly skipped: readonly string[];
}

/** Offset and length in turn, of the same bytes as these, in order and without overlaps. */
export function joined(ranges: readonly number[]): Float64Array {
  const inOrder = Array.from({ length: ranges.length / 2 }, (_, index) => ranges.slice(2 * index, 2 * index + 2));
  inOrder.sort(([one = 0], [other = 0]) => one - other);
  const joint: number[] = [];
  let end = -1;
  for (const [start = 0, length = 0] of inOrder) {
    if (start > end) joint.push(start, length);
    else joint[joint.length - 1] = Math.max(end, start + length) - (joint.at(-2) as number);
    end = Math.max(end, start + length);
  }
  return Float64Array.from(joint);
}

/** The plan no longer fits, because objects came or went while the file was read. */
export class StalePlanError extends Error {
  override readonly name = 'StalePlanError';
}

/**
 * A plan that has been applied: `undo` takes it back; `end` completes it, naming and removing variables of their own.
 */
export interface TakenOver {
  readonly undo: () => void;
  readonly end: () => void;
}

/**
 * Applies a plan, whose bytes become those of the state before. Throws a StalePlanError, and then changes nothing.
 * @param by the client for which the new memory counts.
 * @param isForGood whether it is not undone, which takes a third of the time.
 */
export function takeOver(state: State, plan: LoadPlan, by?: Client, isForGood = false): TakenOver {
  if (state.version !== plan.version) throw new StalePlanError('objects came or went while the file was read');
  const fresh = allocateFresh(state, plan, by);
  const { copied } = state.allocations;
  if (copied) eachRange(plan.ranges, (start, end) => copied.note(start, end - start));
  const { bytes } = state.arena.memory;
  eachRange(plan.kept, (start, end) => copyBytes(bytes, plan.bytes, start, end));
  const exchange = (): void => eachRange(plan.ranges, (start, end) => exchangeBytes(bytes, plan.bytes, start, end));
  if (isForGood) eachRange(plan.ranges, (start, end) => copyBytes(plan.bytes, bytes, start, end));
  else exchange();
  const undo = (): void => {
    exchange();
    for (const allocation of fresh) state.allocations.release(allocation);
  };
  const end = (): void => {
    state.allocations.remove(...plan.gone.map((name) => state.allocations.named(name)));
    for (const [index, { name }] of plan.fresh.entries())
      if (name !== undefined) state.allocations.name(fresh[index] as Allocation, name);
  };
  return { undo, end };
}

const scratch = new Uint8Array(64 * 1024);

/** So few bytes are copied one by one: clients may make tens of thousands of such ranges, and views of them take long. */
const FEW_BYTES = 128;

function copyBytes(from: Uint8Array, to: Uint8Array, start: number, end: number): void {
  if (end - start > FEW_BYTES) to.set(from.subarray(start, end), start);
  else for (let at = start; at < end; at++) to[at] = from[at] as number;
}

/** Without memory for a copy of the whole: it would be touched for the first time, which takes longer than a tick. */
function exchangeBytes(one: Uint8Array, other: Uint8Array, start: number, end: number): void {
  if (end - start <= FEW_BYTES) {
    for (let at = start; at < end; at++) {
      const byte = one[at] as number;
      one[at] = other[at] as number;
      other[at] = byte;
    }
    return;
  }
  for (let at = start; at < end; at += scratch.length) {
    const pieceEnd = Math.min(at + scratch.length, end);
    const piece = scratch.subarray(0, pieceEnd - at);
    piece.set(one.subarray(at, pieceEnd));
    one.set(other.subarray(at, pieceEnd), at);
    other.set(piece, at);
  }
}

function allocateFresh(state: State, { fresh }: LoadPlan, by: Client | undefined): Allocation[] {
  if (fresh.length === 0) return [];
  const made: Allocation[] = [];
  for (const { offsetBytes, type, count, isSingle } of fresh) {
    const allocation = state.allocations.allocateAt(offsetBytes, type, count, isSingle, by);
    if (allocation) {
      made.push(allocation);
      continue;
    }
    for (const one of made) state.allocations.release(one);
    throw new StalePlanError('memory came or went while the file was read');
  }
  return made;
}

function eachRange(ranges: Float64Array, call: (start: number, end: number) => void): void {
  for (let at = 0; at < ranges.length; at += 2) {
    const start = ranges[at] as number;
    call(start, start + (ranges[at + 1] as number));
  }
}
