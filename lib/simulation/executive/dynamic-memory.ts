// Memory that clients declare while a simulation runs: variables of their own, and targets of pointers. Trick: TMM_declare_var_s
import { type Allocation, CopiedMemory } from '../../model/state/allocations.js';
import type { Catalog } from '../../model/state/catalog.js';
import { clearing } from '../../model/state/clear-value.js';
import { copyShared } from '../../model/state/copy-shared.js';
import { type ClientOrOperator, clientOf } from '../../model/state/fair-share.js';
import { readDeclaration, shapeOfDeclaration } from '../../model/state/named-type.js';
import { rangeOf } from '../../model/state/pointers.js';
import { checkFreeName } from '../../model/state/reserved-names.js';
import type { State } from '../../model/state/state.js';
import { describeType, isNullableText, strideOf, type Type } from '../../model/state/type.js';
import { storeValue } from '../../model/state/write.js';
import { aim } from './aim.js';
import { add, DECLARED, type Steps } from './new-memory.js';
import type { MemoryRequest } from './request.js';

interface Changed {
  readonly state: State;
  readonly catalog: Catalog;
}

/**
 * Carries out a request when those before it are done; returns the address of declared or resized memory. What is large
 * is done in steps. Throws an Error with one sentence; then only memory that was being cleared has changed.
 */
export function* applyMemory(running: Changed, request: MemoryRequest): Steps<number | undefined> {
  const { turns } = running.state.allocations;
  const turn = {};
  turns.add(turn);
  try {
    while (turns.values().next().value !== turn) yield;
    return yield* carryOut(running, request);
  } finally {
    turns.delete(turn);
  }
}

function* carryOut(running: Changed, request: MemoryRequest): Steps<number | undefined> {
  const { state, catalog } = running;
  switch (request.kind) {
    case 'declare':
      return yield* declare(state, catalog, request);
    case 'resize':
      return yield* resize(state, ownOf(state, request), request);
    case 'clear-memory': {
      const cleared = found(state, request.what);
      yield* whileHeld(state, cleared, clearing(cleared, state.arena.memory));
      return undefined;
    }
    case 'delete-memory': {
      const gone = ownOf(state, request);
      yield* state.allocations.removing(gone);
      return gone.offsetBytes;
    }
    case 'name-memory':
      return nameMemory(state, catalog, request);
    case 'aim':
      yield* aim(running, request);
      return undefined;
  }
}

/** Throws an Error when the memory has gone between two steps. */
function* whileHeld({ allocations }: State, memory: Allocation, steps: Iterable<void>): Steps {
  for (const _ of steps) {
    yield;
    if (!allocations.holds(memory)) throw new Error('the memory has been replaced meanwhile');
  }
}

function* declare(
  state: State,
  catalog: Catalog,
  { declaration, count, by }: Extract<MemoryRequest, { readonly kind: 'declare' }>,
): Steps<number> {
  const read = readDeclaration(declaration);
  const shown = JSON.stringify(declaration.slice(0, 100));
  if (!read) throw new Error(`${shown} is no declaration of a variable`);
  const { name, extents } = read;
  if (name !== undefined) checkFreeName(name);
  const lengths = count === undefined ? extents : [count, ...extents];
  const wrong = lengths.find((length) => !(Number.isSafeInteger(length) && length > 0));
  if (wrong !== undefined) throw new Error(`an array has 1 item or more, and ${shown} would have ${wrong}`);
  const shape = shapeOfDeclaration(catalog, { ...read, extents: lengths });
  if (!shape) throw new Error(`there is no type ${read.typeName} for ${shown}`);
  const made = yield* add(state, shape, { name, by });
  if (isNullableText(shape.element)) storeNulls(state, made);
  return made.offsetBytes;
}

/** A pointer to characters is null at first, as every pointer is. */
function storeNulls({ arena }: State, { type, offsetBytes, count }: Allocation): void {
  for (let index = 0; index < count; index++)
    storeValue(arena.memory, type, offsetBytes + index * strideOf(type), null);
}

function nameMemory(
  state: State,
  catalog: Catalog,
  { address, declaration, by }: Extract<MemoryRequest, { readonly kind: 'name-memory' }>,
): number {
  const read = readDeclaration(declaration);
  const shape = read && shapeOfDeclaration(catalog, read);
  const memory = ownOf(state, { what: address, by });
  if (read?.name === undefined || !shape) throw new Error(`${JSON.stringify(declaration.slice(0, 100))} names nothing`);
  if (memory.name !== undefined) throw new Error(`the memory has the name ${memory.name} already`);
  const isFitting =
    describeType(shape.element) === describeType(memory.type) &&
    shape.count === memory.count &&
    shape.isSingle === (memory.isSingle ?? false);
  if (!isFitting) throw new Error(`${JSON.stringify(declaration.slice(0, 100))} does not fit the memory`);
  checkFreeName(read.name);
  if (!clientOf(by)) state.makeWay(read.name, DECLARED);
  state.allocations.name(memory, read.name);
  return memory.offsetBytes;
}

/** Keeps the elements that both sizes have. Pointers into the old memory become null. Trick: MemoryManager::resize_array */
function* resize(
  state: State,
  old: Allocation,
  { extents, by }: Extract<MemoryRequest, { readonly kind: 'resize' }>,
): Steps<number> {
  const { dimensions, leaf } = dimensionsOf(old);
  if (extents.length !== dimensions.length || extents.some((extent) => !(extent >= 1)))
    throw new Error(`a new size needs ${dimensions.length} whole numbers from 1 up, one for each dimension`);
  const element = extents.slice(1).reduceRight<Type>(arrayOf, leaf);
  const [count = 1] = extents;
  const made = yield* add(state, { element, count, isSingle: false }, { by, old });
  const to = { offsetBytes: made.offsetBytes, extents };
  const copy = () => copyShared({ ...old, extents: dimensions }, to, { memory, elementBytes: strideOf(leaf) });
  const { memory } = state.arena;
  try {
    yield* copyUnchanged(state, old, copy);
  } catch (error) {
    state.allocations.remove(made);
    throw error;
  }
  const { name } = old;
  const removing = state.allocations.removing(old);
  if (name !== undefined) state.allocations.name(made, name);
  yield* removing;
  return made.offsetBytes;
}

/** So often memory is copied anew because a client has written into it meanwhile. */
const MOST_TRIES = 5;

/** Copies memory until no client has written into it meanwhile. Throws an Error when clients write all the time. */
function* copyUnchanged(state: State, old: Allocation, copy: () => Iterable<void>): Steps {
  const { allocations } = state;
  const { type, offsetBytes, count } = old;
  try {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      allocations.copied = new CopiedMemory(rangeOf(type, offsetBytes, count));
      yield* whileHeld(state, old, copy());
      if (!allocations.copied.isWritten) return;
    }
  } finally {
    allocations.copied = undefined;
  }
  throw new Error(`the memory was written ${MOST_TRIES} times while it was copied`);
}

const arrayOf = (element: Type, length: number): Type => ({ kind: 'array', element, length, isContainer: false });

function dimensionsOf({ type, count, isSingle }: Allocation): { dimensions: readonly number[]; leaf: Type } {
  const dimensions = isSingle ? [] : [count];
  let leaf = type;
  for (; leaf.kind === 'array' && !leaf.isContainer; leaf = leaf.element) dimensions.push(leaf.length);
  return { dimensions, leaf };
}

/** A variable's name, or an address. */
function found(state: State, what: string | number): Allocation {
  return typeof what === 'string' ? state.allocations.named(what) : state.allocations.at(what);
}

/**
 * What somebody may delete, resize and name. Throws an Error for a client if it was not declared by one of its address:
 * the others' pointers into it would become null.
 */
function ownOf(
  state: State,
  { what, by }: { readonly what: string | number; readonly by?: ClientOrOperator | undefined },
) {
  const memory = found(state, what);
  const client = clientOf(by);
  if (!client || memory.by?.address === client.address) return memory;
  const whose = memory.by ? 'a client of another address' : 'the input file';
  throw new Error(`${memory.name ?? 'the memory'} was declared by ${whose}: this client may only read and write it`);
}
