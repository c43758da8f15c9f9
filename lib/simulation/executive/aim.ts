// Points pointers: at declared memory, at variables, at new memory with given values. Trick: typemap_in_1dp, swig_ref::__setitem__
import { type Allocation, bytesOf } from '../../model/state/allocations.js';
import { convertFor } from '../../model/state/assign.js';
import type { Catalog } from '../../model/state/catalog.js';
import type { ClientOrOperator } from '../../model/state/fair-share.js';
import { doesNotFit } from '../../model/state/misfit.js';
import { readValue, type Value } from '../../model/state/read.js';
import type { State } from '../../model/state/state.js';
import {
  type ArrayType,
  describeType,
  isNullableText,
  isSameType,
  NULL_OFFSET,
  type PointerType,
  strideOf,
  type Type,
} from '../../model/state/type.js';
import { locate, type Variable } from '../../model/state/variable.js';
import { storeValue } from '../../model/state/write.js';
import { add, type Steps } from './new-memory.js';
import type { AimRequest, AimTarget } from './request.js';

interface Running {
  readonly state: State;
  readonly catalog: Catalog;
}

/** Where a pointer points. */
interface PointedAt {
  readonly offsetBytes: number;
  readonly count: number;
}

type Reference = { readonly address: number } | { readonly variable: string };
type Aimed = Value | AimTarget;

/** A pointer, and where it is to point. */
interface Slot {
  readonly path: string;
  readonly type: PointerType;
  /** From the beginning of the asked variable, or of all memory for a pointer in new memory. */
  readonly offsetBytes: number;
  readonly isInNew: boolean;
  /** What a reference names is looked up at the end: it may change while memory is made. */
  readonly to: PointedAt | Reference;
}

/** Who asks, and what has been prepared. */
interface Plan {
  readonly by?: ClientOrOperator | undefined;
  readonly made: Allocation[];
  readonly slots: Slot[];
  references: number;
}

const NOWHERE: PointedAt = { offsetBytes: NULL_OFFSET, count: 0 };
/** Looking them up cannot be interrupted. */
const MOST_REFERENCES = 1000;
const SLOTS_PER_STEP = 100;

/** Throws an Error with one sentence; then all pointers point where they did. */
export function* aim(running: Running, { path, to, by }: AimRequest): Steps {
  const { state } = running;
  const { type } = pointersAt(running, path);
  const plan: Plan = { by, made: [], slots: [], references: 0 };
  let before: PointedAt[];
  try {
    yield* prepare(running, { path, type, to, offsetBytes: 0 }, plan);
    before = pointAll(running, path, type, plan);
  } catch (error) {
    if (plan.made.length > 0) state.allocations.remove(...plan.made);
    throw error;
  }
  for (const { offsetBytes } of before) yield* free(state, offsetBytes);
}

/** Points all of them, and tells where those of the variable have pointed. */
function pointAll(running: Running, path: string, type: Type, { slots }: Plan): PointedAt[] {
  const { state } = running;
  const base = pointersAt(running, path);
  if (base.type !== type) throw new Error(`${path} has been replaced meanwhile`);
  const places = slots.map((slot) => placeOf(running, slot));
  const before: PointedAt[] = [];
  for (const [index, { isInNew, offsetBytes, to }] of slots.entries()) {
    const place = places[index] as PointedAt;
    const at = isInNew ? offsetBytes : base.offsetBytes + offsetBytes;
    if (!isInNew) before.push(pointed(state, at));
    if (isReference(to) && place.offsetBytes !== NULL_OFFSET) state.allocations.keep(place.offsetBytes);
    point(state, at, place);
  }
  return before;
}

function pointersAt({ state, catalog }: Running, path: string): { type: Type; offsetBytes: number } {
  const { variable, offsetBytes } = found(state, catalog, path);
  const { type, access } = variable;
  if (type.kind !== 'pointer' && type.kind !== 'array') throw noPointer(path);
  if (access === 'read-only') throw new Error(`${path} is read-only`);
  return { type, offsetBytes };
}

const noPointer = (path: string): Error => new Error(`${path} is no pointer, an address does not fit`);

function found(state: State, catalog: Catalog, path: string): { variable: Variable; offsetBytes: number } {
  const variable = catalog.find(path);
  if (!variable) throw new Error(catalog.explain(path));
  const offsetBytes = locate(variable, state.arena.memory);
  if (offsetBytes >= 0) return { variable, offsetBytes };
  throw new Error(`${path} is not there: a pointer on the way is null or an index too large`);
}

/** A pointer or an array of pointers, and what is asked for it. */
interface Wanted {
  readonly path: string;
  readonly type: Type;
  readonly to: Aimed;
  readonly offsetBytes: number;
  readonly isInNew?: boolean;
}

/** Makes the memory of lists, and notes where each pointer is to point. */
function* prepare(running: Running, wanted: Wanted, plan: Plan): Steps {
  const { path, type, to, offsetBytes, isInNew = false } = wanted;
  if (type.kind === 'array') return yield* prepareEach(running, { ...wanted, type }, plan);
  if (type.kind !== 'pointer') throw noPointer(path);
  const place = yield* prepared(running, { path, type }, to, plan);
  plan.slots.push({ path, type, offsetBytes, isInNew, to: place });
  if (plan.slots.length % SLOTS_PER_STEP === 0) yield;
}

function* prepareEach(running: Running, wanted: Wanted & { readonly type: ArrayType }, plan: Plan): Steps {
  const { path, type, to, offsetBytes } = wanted;
  const targets = isReference(to) ? elementsOf(running, to) : to;
  if (!Array.isArray(targets)) throw new Error(`${path} is ${describeType(type)}, which takes a list`);
  if (targets.length > type.length)
    throw new Error(`${path} has ${type.length} elements, a list of ${targets.length} does not fit`);
  for (let index = 0; index < type.length; index++) {
    const element = {
      path: `${path}[${index}]`,
      type: type.element,
      to: (targets[index] ?? null) as Aimed,
      offsetBytes: offsetBytes + index * strideOf(type.element),
    };
    yield* prepare(running, element, plan);
  }
}

/** The elements of an array, as targets. */
function elementsOf({ state, catalog }: Running, to: Reference): AimTarget[] | undefined {
  if (!('variable' in to)) return undefined;
  const { type } = found(state, catalog, to.variable).variable;
  if (type.kind !== 'array') return undefined;
  return Array.from({ length: type.length }, (_, index) => ({ variable: `${to.variable}[${index}]` }));
}

const isReference = (to: Aimed | PointedAt | Reference): to is Reference =>
  typeof to === 'object' && to !== null && ('variable' in to || 'address' in to);

function* prepared(running: Running, target: Target, to: Aimed, plan: Plan): Steps<PointedAt | Reference> {
  if (to === null) return NOWHERE;
  if (Array.isArray(to)) return yield* filled(running, target, to, plan);
  if (!isReference(to)) throw new Error(doesNotFit(target.path, target.type, to as Value));
  const texts = 'address' in to ? textsAt(running.state, to.address, target.type) : undefined;
  // Memory for texts of another length is made anew.
  if (texts) return yield* filled(running, target, texts, plan);
  if (++plan.references > MOST_REFERENCES)
    throw new Error(`a list may name up to ${MOST_REFERENCES} variables for pointers to point at`);
  return to;
}

/** Texts of declared memory, for a pointer at texts of another length. */
function textsAt({ allocations, arena }: State, address: number, { target }: PointerType): Value[] | undefined {
  const { type, offsetBytes, count } = allocations.at(address);
  if (!isNullableText(type) || !isNullableText(target) || isTarget(target, type)) return undefined;
  return Array.from(
    { length: count },
    (_, index) => readValue(type, arena.memory, offsetBytes + index * strideOf(type)) as Value,
  );
}

/** A pointer that may not lie anywhere yet. */
type Target = Pick<Slot, 'path' | 'type'>;

function pointed({ arena: { memory } }: State, offsetBytes: number): PointedAt {
  return { offsetBytes: memory.view.getUint32(offsetBytes, true), count: memory.view.getUint32(offsetBytes + 4, true) };
}

function point({ arena: { memory } }: State, offsetBytes: number, to: PointedAt): void {
  memory.view.setUint32(offsetBytes, to.offsetBytes, true);
  memory.view.setUint32(offsetBytes + 4, to.count, true);
}

function placeOf(running: Running, slot: Slot): PointedAt {
  const { to, type: pointer } = slot;
  if (!isReference(to)) return to;
  if ('variable' in to) return placeIn(running, slot, to.variable);
  const { type, offsetBytes, count } = running.state.allocations.at(to.address);
  const place = within(pointer.target, { type, offsetBytes, count });
  if (!place) throw pointsAt(slot, type);
  return place;
}

const pointsAt = ({ path, type: { target } }: Target, type: Type): Error =>
  new Error(`${path} points at ${describeType(target)}, not at ${describeType(type)}`);

/** Values side by side as elements of a type; undefined when they are of another one. */
function within(
  target: Type,
  { type, offsetBytes, count }: PointedAt & { readonly type: Type },
): PointedAt | undefined {
  if (isTarget(target, type)) return { offsetBytes, count };
  if (type.kind !== 'array' || type.isContainer) return undefined;
  return within(target, { type: type.element, offsetBytes, count: count * type.length });
}

/** Through a pointer, a number may not get values that it may not get otherwise. */
const isTarget = (target: Type, type: Type): boolean =>
  isSameType(target, type) &&
  (target.kind !== 'number' || type.kind !== 'number' || (target.min === type.min && target.max === type.max));

/** Where a variable lies, and how many elements lie from there on. */
function placeIn({ state, catalog }: Running, pointer: Target, path: string): PointedAt {
  const { target } = pointer.type;
  const { variable, offsetBytes } = found(state, catalog, path);
  const { type, access } = variable;
  if (access !== 'read-write')
    throw new Error(`${variable.path} is ${access}, and would not be behind the pointer ${pointer.path}`);
  if (type.kind === 'pointer' && isTarget(target, type.target)) return pointed(state, offsetBytes);
  const count = isTarget(target, type) ? countFrom({ state, catalog }, variable) : 1;
  const place = within(target, { type, offsetBytes, count });
  if (!place) throw pointsAt(pointer, type);
  return place;
}

const LAST_INDEX = /\[(\d+)\]$/;

/** How many elements of one type lie from an element on: 1 for what is no element. */
function countFrom({ state, catalog }: Running, { path }: Pick<Variable, 'path'>): number {
  const index = LAST_INDEX.exec(path);
  const holder = index && catalog.find(path.slice(0, index.index));
  if (!holder) return 1;
  const at = Number(index?.[1]);
  const { type } = holder;
  const { view } = state.arena.memory;
  const offsetBytes = locate(holder, state.arena.memory);
  if (type.kind === 'pointer') return view.getUint32(offsetBytes + 4, true) - at;
  if (type.kind === 'sequence') return view.getUint32(offsetBytes, true) - at;
  if (type.kind !== 'array') return 1;
  return type.length - at + (countFrom({ state, catalog }, holder) - 1) * type.length;
}

/** New memory with these values. */
function* filled(running: Running, { path, type }: Target, values: readonly Aimed[], plan: Plan): Steps<PointedAt> {
  const { state } = running;
  const { target } = type;
  const isOfPointers = target.kind === 'pointer';
  const elements = values.map((value, index) =>
    isOfPointers
      ? value
      : convertFor({ path: `${path}[${index}]`, type: target, access: 'read-write' }, value as Value, 'trick'),
  );
  if (values.length === 0) throw new Error(`${path} points at one value or more, or at None`);
  const shape = { element: target, count: values.length, isSingle: false };
  const allocation = yield* add(state, shape, { by: plan.by, isOfPointer: true });
  plan.made.push(allocation);
  const offsetOf = (index: number): number => allocation.offsetBytes + index * strideOf(target);
  for (const [index, element] of elements.entries()) {
    if (isOfPointers) point(state, offsetOf(index), NOWHERE);
    else storeValue(state.arena.memory, target, offsetOf(index), element);
  }
  if (isOfPointers)
    for (const [index, to] of values.entries()) {
      const inner = { path: `${path}[${index}]`, type: target, to, offsetBytes: offsetOf(index), isInNew: true };
      yield* prepare(running, inner, plan);
    }
  return allocation;
}

/** Frees memory that a list made for a pointer which points elsewhere now, and what was made for the pointers in it. */
function* free(state: State, offsetBytes: number): Steps {
  const memory = state.allocations.ofPointer(offsetBytes);
  if (!memory) return;
  const inner: number[] = [];
  if (memory.type.kind === 'pointer')
    for (let at = 0; at < bytesOf(memory); at += strideOf(memory.type))
      inner.push(pointed(state, offsetBytes + at).offsetBytes);
  yield* state.allocations.removing(memory);
  for (const offset of inner) yield* free(state, offset);
}
