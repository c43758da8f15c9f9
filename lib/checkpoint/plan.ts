// What loading a checkpoint changes, as plain data that can cross threads, and how a state takes it over.
import type { CatalogDescription } from '../model/catalog.js';
import type { Allocation, State } from '../model/state.js';
import type { Type } from '../model/type.js';

/** All that is needed of a state to write or to read a checkpoint, but for its bytes. */
export interface StateModel {
  readonly catalog: CatalogDescription;
  readonly allocated: readonly Allocation[];
  readonly usedBytes: number;
}

export const modelOf = (state: State): StateModel => ({
  catalog: state.describe(),
  allocated: state.allocated,
  usedBytes: state.arena.usedBytes,
});

/** Memory for pointers to aim at that there was not before. */
export interface FreshMemory {
  /** Index of its type among the `pointerTargets`. */
  readonly target: number;
  readonly count: number;
  readonly offsetBytes: number;
}

export interface LoadPlan {
  /** Of the state that it was made for. */
  readonly version: number;
  /** Objects that the file says something about. */
  readonly objects: readonly string[];
  /** What it says of Trick's own objects, where that is a whole number: `trick_sys.sched.time_tics`. */
  readonly executive: ReadonlyMap<string, bigint>;
  /** Laid out as the state is. */
  readonly bytes: Uint8Array;
  /** Offset and length in turn: what is taken over, in bytes. */
  readonly ranges: Float64Array;
  /** Offset and length in turn: what within these ranges stays as it is. */
  readonly kept: Float64Array;
  readonly fresh: readonly FreshMemory[];
}

/** Every type that a pointer of the catalog aims at, in an order that a copy of the catalog has too. */
export function pointerTargets({ objects }: CatalogDescription): readonly Type[] {
  const seen = new Set<Type>();
  const targets = new Set<Type>();
  const visit = (type: Type): void => {
    if (seen.has(type)) return;
    seen.add(type);
    if (type.kind === 'pointer') {
      targets.add(type.target);
      visit(type.target);
    } else if (type.kind === 'array' || type.kind === 'sequence') visit(type.element);
    else if (type.kind === 'struct') for (const member of type.members) visit(member.type);
  };
  for (const { type } of objects) visit(type);
  return [...targets];
}

/** Objects came or went while the file was read: the plan does not fit any more. */
export class StalePlanError extends Error {
  override readonly name = 'StalePlanError';
}

/** Takes a plan over; returns what undoes that. Throws a StalePlanError that has changed nothing. */
export function takeOver(state: State, plan: LoadPlan): () => void {
  if (state.version !== plan.version) throw new StalePlanError('objects came or went while the file was read');
  const fresh = allocateFresh(state, plan);
  const { bytes } = state.arena.memory;
  eachRange(plan.kept, (start, end) => plan.bytes.set(bytes.subarray(start, end), start));
  const before: Buffer[] = [];
  eachRange(plan.ranges, (start, end) => {
    before.push(Buffer.from(bytes.subarray(start, end)));
    bytes.set(plan.bytes.subarray(start, end), start);
  });
  return () => {
    eachRange(plan.ranges, (start) => bytes.set(before.shift() as Buffer, start));
    for (const allocation of fresh) state.release(allocation);
  };
}

function allocateFresh(state: State, { fresh }: LoadPlan): Allocation[] {
  if (fresh.length === 0) return [];
  const targets = pointerTargets(state.describe());
  return fresh.map(({ target, count }) => state.append(targets[target] as Type, count));
}

function eachRange(ranges: Float64Array, call: (start: number, end: number) => void): void {
  for (let at = 0; at < ranges.length; at += 2) {
    const start = ranges[at] as number;
    call(start, start + (ranges[at + 1] as number));
  }
}
