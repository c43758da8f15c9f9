// Points pointers: at declared memory, at variables, at new memory with given values. Trick: typemap_in_1dp, swig_ref::__setitem__
import { type Allocation, bytesOf } from '../model/allocations.js';
import { convertFor } from '../model/assign.js';
import type { Catalog } from '../model/catalog.js';
import type { AskedBy } from '../model/fair-share.js';
import { doesNotFit } from '../model/misfit.js';
import { readValue, type Value } from '../model/read.js';
import type { State } from '../model/state.js';
import { describeType, isNullableText, isSameType, NULL_OFFSET, strideOf, type Type } from '../model/type.js';
import { locate, type Variable } from '../model/variable.js';
import { storeValue } from '../model/write.js';
import { add, type Steps } from './new-memory.js';
import type { AimRequest } from './request.js';

interface Running {
  readonly state: State;
  readonly catalog: Catalog;
}

/** Where a pointer points. */
interface Place {
  readonly offsetBytes: number;
  readonly count: number;
}

/** What new memory holds, and who asks for it. */
interface Values {
  readonly values: readonly Value[];
  readonly by?: AskedBy | undefined;
}

const NOWHERE: Place = { offsetBytes: NULL_OFFSET, count: 0 };

/** Throws an Error with one sentence; then the pointer points where it did. */
export function* aim(running: Running, request: AimRequest): Steps {
  const { state } = running;
  const before = pointerAt(running, request.path);
  const made: Allocation[] = [];
  let pointer: Pointer;
  try {
    const place = yield* placeOf(running, before, request, made);
    pointer = pointerAt(running, request.path);
    point(state, pointer.offsetBytes, place);
  } catch (error) {
    if (made.length > 0) state.allocations.remove(...made);
    throw error;
  }
  yield* free(state, pointer.at.offsetBytes);
}

interface Pointer {
  readonly path: string;
  readonly target: Type;
  readonly offsetBytes: number;
  /** Where it points. */
  readonly at: Place;
}

function pointerAt({ state, catalog }: Running, path: string): Pointer {
  const { variable, offsetBytes } = found(state, catalog, path);
  if (variable.type.kind !== 'pointer') throw new Error(`${path} is no pointer, an address does not fit`);
  if (variable.access === 'read-only') throw new Error(`${path} is read-only`);
  return { path: variable.path, target: variable.type.target, offsetBytes, at: pointed(state, offsetBytes) };
}

function found(state: State, catalog: Catalog, path: string): { variable: Variable; offsetBytes: number } {
  const variable = catalog.find(path);
  if (!variable) throw new Error(catalog.explain(path));
  const offsetBytes = locate(variable, state.arena.memory);
  if (offsetBytes >= 0) return { variable, offsetBytes };
  throw new Error(`${path} is not there: a pointer on the way is null or an index too large`);
}

function pointed({ arena: { memory } }: State, offsetBytes: number): Place {
  return { offsetBytes: memory.view.getUint32(offsetBytes, true), count: memory.view.getUint32(offsetBytes + 4, true) };
}

function point({ arena: { memory } }: State, offsetBytes: number, to: Place): void {
  memory.view.setUint32(offsetBytes, to.offsetBytes, true);
  memory.view.setUint32(offsetBytes + 4, to.count, true);
}

function* placeOf(running: Running, pointer: Pointer, request: AimRequest, made: Allocation[]): Steps<Place> {
  const { state } = running;
  if ('values' in request) return yield* filled(state, pointer, request, made);
  if ('variable' in request) return kept(state, placeIn(running, pointer, request.variable));
  if (request.address === null) return NOWHERE;
  const { type, offsetBytes, count } = state.allocations.at(request.address);
  const place = within(pointer.target, { type, offsetBytes, count });
  if (place) return kept(state, place);
  if (!isNullableText(type) || !isNullableText(pointer.target)) throw pointsAt(pointer, type);
  // Memory for texts of another length is made anew.
  const texts = Array.from({ length: count }, (_, index) =>
    readValue(type, state.arena.memory, offsetBytes + index * strideOf(type)),
  );
  return yield* filled(state, pointer, { values: texts as Value[], by: request.by }, made);
}

function kept({ allocations }: State, place: Place): Place {
  if (place.offsetBytes !== NULL_OFFSET) allocations.keep(place.offsetBytes);
  return place;
}

const pointsAt = ({ path, target }: Pointer, type: Type): Error =>
  new Error(`${path} points at ${describeType(target)}, not at ${describeType(type)}`);

/** Values side by side as elements of a type; undefined when they are of another one. */
function within(target: Type, { type, offsetBytes, count }: Place & { readonly type: Type }): Place | undefined {
  if (isTarget(target, type)) return { offsetBytes, count };
  if (type.kind !== 'array' || type.isContainer) return undefined;
  return within(target, { type: type.element, offsetBytes, count: count * type.length });
}

/** Through a pointer, a number may not get values that it may not get otherwise. */
const isTarget = (target: Type, type: Type): boolean =>
  isSameType(target, type) &&
  (target.kind !== 'number' || type.kind !== 'number' || (target.min === type.min && target.max === type.max));

/** Where a variable lies, and how many elements lie from there on. */
function placeIn({ state, catalog }: Running, pointer: Pointer, path: string): Place {
  const { variable, offsetBytes } = found(state, catalog, path);
  const { type, access } = variable;
  if (access !== 'read-write')
    throw new Error(`${variable.path} is ${access}, and would not be behind the pointer ${pointer.path}`);
  if (type.kind === 'pointer' && isTarget(pointer.target, type.target)) return pointed(state, offsetBytes);
  const count = isTarget(pointer.target, type) ? countFrom({ state, catalog }, variable) : 1;
  const place = within(pointer.target, { type, offsetBytes, count });
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
function* filled(
  state: State,
  pointer: Pick<Pointer, 'path' | 'target'>,
  { values, by }: Values,
  made: Allocation[],
): Steps<Place> {
  const { path, target } = pointer;
  const elements: unknown[] = [];
  for (const [index, value] of values.entries()) {
    const at = `${path}[${index}]`;
    if (target.kind !== 'pointer')
      elements.push(convertFor({ path: at, type: target, access: 'read-write' }, value, 'trick'));
    else if (value === null) elements.push(NOWHERE);
    else if (!Array.isArray(value)) throw new Error(doesNotFit(at, target, value));
    else elements.push(yield* filled(state, { path: at, target: target.target }, { values: value, by }, made));
  }
  if (values.length === 0) throw new Error(`${path} points at one value or more, or at None`);
  const shape = { element: target, count: values.length, isSingle: false };
  const allocation = yield* add(state, shape, { by, isOfPointer: true });
  made.push(allocation);
  for (const [index, element] of elements.entries()) {
    const offsetBytes = allocation.offsetBytes + index * strideOf(target);
    if (target.kind === 'pointer') point(state, offsetBytes, element as Place);
    else storeValue(state.arena.memory, target, offsetBytes, element);
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
