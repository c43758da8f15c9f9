// Memory that clients declare while a simulation runs: variables of their own, and targets of pointers. Trick: TMM_declare_var_s
import { type Allocation, bytesOf, MOST_VARIABLE_BYTES, MOST_VARIABLES } from '../model/allocations.js';
import type { Catalog } from '../model/catalog.js';
import { clearValues } from '../model/clear-value.js';
import { copyShared } from '../model/copy-shared.js';
import { requireDeclaredShare } from '../model/declared-share.js';
import { type AskedBy, askerOf } from '../model/fair-share.js';
import { readDeclaration, type Shape, shapeOfDeclaration } from '../model/named-type.js';
import { checkFreeName } from '../model/reserved-names.js';
import type { State } from '../model/state.js';
import { describeType, isSameType, NULL_OFFSET, sizeOf, strideOf, type Type } from '../model/type.js';
import { locate } from '../model/variable.js';
import type { MemoryRequest } from './request.js';

interface Changed {
  readonly state: State;
  readonly catalog: Catalog;
}

/**
 * Carries out a request; returns the address of declared or resized memory. Throws an Error with one sentence, and then
 * changes nothing.
 */
export function applyMemory({ state, catalog }: Changed, request: MemoryRequest): number | undefined {
  switch (request.kind) {
    case 'declare':
      return declare(state, catalog, request);
    case 'resize':
      return resize(state, found(state, request.what), request);
    case 'clear-memory':
      clear(state, found(state, request.what));
      return undefined;
    case 'delete-memory': {
      const gone = found(state, request.what);
      state.allocations.remove(gone);
      return gone.offsetBytes;
    }
    case 'name-memory':
      return nameMemory(state, catalog, request);
    case 'aim':
      aim(state, catalog, request.path, request.address);
      return undefined;
  }
}

function declare(
  state: State,
  catalog: Catalog,
  { declaration, count, by }: Extract<MemoryRequest, { readonly kind: 'declare' }>,
): number {
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
  return add(state, shape, { name, by }).offsetBytes;
}

function nameMemory(
  state: State,
  catalog: Catalog,
  { address, declaration }: Extract<MemoryRequest, { readonly kind: 'name-memory' }>,
): number {
  const read = readDeclaration(declaration);
  const shape = read && shapeOfDeclaration(catalog, read);
  const memory = state.allocations.at(address);
  if (read?.name === undefined || !shape) throw new Error(`${JSON.stringify(declaration.slice(0, 100))} names nothing`);
  if (memory.name !== undefined) throw new Error(`the memory has the name ${memory.name} already`);
  const isFitting =
    describeType(shape.element) === describeType(memory.type) &&
    shape.count === memory.count &&
    shape.isSingle === (memory.isSingle ?? false);
  if (!isFitting) throw new Error(`${JSON.stringify(declaration.slice(0, 100))} does not fit the memory`);
  checkFreeName(read.name);
  state.allocations.name(memory, read.name);
  return memory.offsetBytes;
}

interface Wanted {
  readonly name?: string | undefined;
  readonly by?: AskedBy | undefined;
  /** Memory that the new memory replaces. */
  readonly old?: Allocation;
}

function add(state: State, { element, count, isSingle }: Shape, { name, by, old }: Wanted): Allocation {
  const bytes = strideOf(element) * count;
  const { ownCount, ownBytes } = state.allocations;
  if (ownCount >= MOST_VARIABLES) throw new Error(`there are ${ownCount} declared variables, as many as there may be`);
  const freedBytes = old ? bytesOf(old) : 0;
  if (!(ownBytes - freedBytes + bytes <= MOST_VARIABLE_BYTES))
    throw new Error(`declared variables take up to ${MOST_VARIABLE_BYTES} bytes together, and this one ${bytes}`);
  const asker = askerOf(by);
  if (asker) requireDeclaredShare(state.allocations, asker, { count: 1, bytes }, (one) => one === old);
  if (name !== undefined) state.allocations.requireFree(name);
  const made = state.allocations.allocate(element, count, isSingle, asker);
  if (name !== undefined) state.allocations.name(made, name);
  return made;
}

/** Keeps the elements that both sizes have. Pointers into the old memory become null. Trick: MemoryManager::resize_array */
function resize(
  state: State,
  old: Allocation,
  { extents, by }: Extract<MemoryRequest, { readonly kind: 'resize' }>,
): number {
  const { dimensions, leaf } = dimensionsOf(old);
  if (extents.length !== dimensions.length || extents.some((extent) => !(extent >= 1)))
    throw new Error(`a new size needs ${dimensions.length} whole numbers from 1 up, one for each dimension`);
  const element = extents.slice(1).reduceRight<Type>(arrayOf, leaf);
  const [count = 1] = extents;
  const made = add(state, { element, count, isSingle: false }, { by, old });
  const [from, to] = [
    { ...old, extents: dimensions },
    { ...made, extents },
  ];
  copyShared(state.arena.memory, from, to, strideOf(leaf));
  const { name } = old;
  state.allocations.remove(old);
  if (name !== undefined) state.allocations.name(made, name);
  return made.offsetBytes;
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

/** Points a pointer at declared memory, or at nothing. */
function aim(state: State, catalog: Catalog, path: string, address: number | null): void {
  const variable = catalog.find(path);
  if (!variable) throw new Error(catalog.explain(path));
  if (variable.type.kind !== 'pointer') throw new Error(`${path} is no pointer, an address does not fit`);
  if (variable.access === 'read-only') throw new Error(`${path} is read-only`);
  const { memory } = state.arena;
  const offset = locate(variable, memory);
  if (offset < 0) throw new Error(`${path} is not there: a pointer on the way is null or an index too large`);
  const target = address === null ? undefined : state.allocations.at(address);
  if (target && !isSameType(target.type, variable.type.target))
    throw new Error(`${path} points at ${describeType(variable.type.target)}, not at ${describeType(target.type)}`);
  memory.view.setUint32(offset, target?.offsetBytes ?? NULL_OFFSET, true);
  memory.view.setUint32(offset + 4, target?.count ?? 0, true);
}

function clear({ arena }: State, { type, offsetBytes, count }: Allocation): void {
  clearValues(type, arena.memory, offsetBytes, count, strideOf(type) * (count - 1) + sizeOf(type));
}
