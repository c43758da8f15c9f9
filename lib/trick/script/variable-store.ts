// Stores values of the command language in variables: numbers, texts, lists and structures by value, pointers by what they
// are to point at. Trick: swig_int_templates.hh, swig_ref::__setitem__, swig_class_typedef.i
import { holdsPointers } from '../../model/pointers.js';
import { readVariable, type Value } from '../../model/read.js';
import {
  cNameOf,
  describeType,
  isSameType,
  type PointerType,
  type StructType,
  sizeOf,
  strideOf,
} from '../../model/type.js';
import type { Variable } from '../../model/variable.js';
import { OverBoundError } from '../../scheduling/account.js';
import type { Request, Source } from '../../source/source.js';
import type { Asked } from '../commands/command.js';
import { MemoryAddress, VariableAddress } from '../interpreter/address.js';
import { toModel } from '../interpreter/convert.js';
import { ScriptError } from '../interpreter/error.js';
import type { Meter } from '../interpreter/meter.js';
import { itemsOf, type Run, type ScriptValue, VariableProxy } from '../interpreter/values.js';
import type { DeclaredMemory } from '../session/declared-memory.js';
import { asCharacters, withByte } from './characters.js';

type AimRequest = Extract<Request, { readonly kind: 'aim' }>;

/** What an assignment uses of the block that runs. */
export interface StoreSurroundings {
  readonly meter: Meter;
  readonly source: Pick<Source, 'catalog' | 'frame'>;
  readonly memory: DeclaredMemory;
  canRead(path: string, part: 'all'): boolean;
  /** Throws a ScriptError for a value that does not fit. */
  assign(path: string, value: Value, units: string | undefined): void;
  ask(request: AimRequest): Run<Asked>;
}

/** Throws a ScriptError for a value that does not fit, and for a pointer that cannot point there. */
export function* storeVariable(block: StoreSurroundings, path: string, value: ScriptValue): Run<void> {
  const variable = block.source.catalog.find(path);
  const { type, hops } = variable ?? {};
  if (variable && type?.kind === 'pointer') return yield* point(block, variable, type, value);
  if (variable && value instanceof VariableProxy) return yield* copy(block, variable, value);
  if (variable && (value instanceof MemoryAddress || value instanceof VariableAddress))
    throw new ScriptError('TypeError', `${path} is no pointer, an address does not fit`);
  const items = itemsOf(value);
  if (items && type?.kind === 'array' && holdsPointers(type)) return yield* storeEach(block, path, type.length, items);
  if (variable && hops?.at(-1)?.through === 'text') return yield* storeByte(block, variable, value);
  const given = variable ? asCharacters(variable, value) : value;
  const stored = yield* toModel(given, block.meter, itemsOf(given) && variable?.units);
  block.assign(path, stored.value, stored.units);
}

/** Each pointer of an array; those that a shorter list leaves out point at nothing. */
function* storeEach(block: StoreSurroundings, path: string, length: number, items: readonly ScriptValue[]): Run<void> {
  if (items.length > length)
    throw new ScriptError('TypeError', `${path} has ${length} elements, a list of ${items.length} does not fit`);
  for (let index = 0; index < length; index++) {
    if (block.meter.isTurnOver) yield 'turn';
    yield* storeVariable(block, `${path}[${index}]`, items[index] ?? null);
  }
}

/** A byte of a text behind a pointer is changed with its text. */
function* storeByte(block: StoreSurroundings, { path }: Variable, value: ScriptValue): Run<void> {
  const holder = path.slice(0, path.lastIndexOf('['));
  const text = yield* read(block, holder);
  block.assign(holder, withByte(path, String(text), Number(path.slice(holder.length + 1, -1)), value), undefined);
}

/** The value of a variable in a frame that shows all that the session has written. */
function* read(block: StoreSurroundings, path: string): Run<Value> {
  const { source, meter } = block;
  while (!block.canRead(path, 'all')) yield 'settled';
  const variable = source.catalog.find(path);
  meter.allocate(2 * (variable ? sizeOf(variable.type) : 0));
  const value = variable && readVariable(variable, source.frame.memory);
  if (value !== undefined) return value;
  throw new ScriptError('AttributeError', variable ? notThere(path) : source.catalog.explain(path));
}

const notThere = (path: string): string => `${path} is not there: a pointer on the way is null or an index too large`;

/** Structures and arrays are copied by value, the pointers in them point where the others point. */
function* copy(block: StoreSurroundings, to: Variable, { path }: VariableProxy): Run<void> {
  const { catalog } = block.source;
  const given = catalog.find(path);
  if (!given) throw new ScriptError('AttributeError', catalog.explain(path));
  const isPointed = given.type.kind === 'pointer' && to.type.kind === 'struct';
  const from = (isPointed && catalog.find(`${path}[0]`)) || given;
  const { type } = from;
  if (to.type.kind === 'struct') {
    if (type.kind === 'struct' && isSameType(type, to.type)) return yield* copyMembers(block, to.path, type, from.path);
    throw new ScriptError('TypeError', `${to.path} is a ${cNameOf(to.type)}; ${describeType(type)} does not fit`);
  }
  if (to.type.kind !== 'array' || !holdsPointers(to.type)) {
    const isBare = to.units === from.units || from.units === '--' || from.units === '1';
    return block.assign(to.path, yield* read(block, from.path), isBare ? undefined : from.units);
  }
  if (type.kind !== 'array' || type.length > to.type.length)
    throw new ScriptError('TypeError', `${to.path} is ${describeType(to.type)}; ${describeType(type)} does not fit`);
  for (let index = 0; index < type.length; index++)
    yield* storeVariable(block, `${to.path}[${index}]`, proxyOf(block, `${from.path}[${index}]`));
}

function proxyOf({ source }: StoreSurroundings, path: string): VariableProxy {
  return new VariableProxy(path, source.catalog.find(path) as Variable);
}

function* copyMembers(block: StoreSurroundings, to: string, { members }: StructType, from: string): Run<void> {
  const values: Record<string, Value> = {};
  for (const { name, type } of members) if (!holdsPointers(type)) values[name] = yield* read(block, `${from}.${name}`);
  block.assign(to, values, undefined);
  for (const { name, type } of members)
    if (holdsPointers(type)) yield* storeVariable(block, `${to}.${name}`, proxyOf(block, `${from}.${name}`));
}

function* point(block: StoreSurroundings, { path, units }: Variable, type: PointerType, value: ScriptValue): Run<void> {
  const items = itemsOf(value);
  if (items) return yield* pointAtNew(block, path, type, (yield* toModel(value, block.meter, units)).value);
  if (value === null) yield* aim(block, { kind: 'aim', path, address: null });
  else if (value instanceof MemoryAddress) yield* aim(block, { kind: 'aim', path, address: value.offsetBytes });
  else if (value instanceof VariableProxy || value instanceof VariableAddress)
    yield* aim(block, { kind: 'aim', path, variable: value.path });
  // The sentence says what a pointer takes.
  else block.assign(path, (yield* toModel(value, block.meter)).value, undefined);
}

/** Throws a MemoryError when the client may not hold so much. */
function* pointAtNew(block: StoreSurroundings, path: string, type: PointerType, value: Value): Run<void> {
  const { memory } = block;
  const bytes = bytesOf(type, value);
  try {
    memory.take(bytes);
  } catch (error) {
    throw error instanceof OverBoundError ? new ScriptError('MemoryError', error.message) : error;
  }
  try {
    yield* aim(block, { kind: 'aim', path, values: value as readonly Value[] });
  } catch (error) {
    memory.giveBack(bytes);
    throw error;
  }
  memory.isGone(path);
  memory.isAt(path, bytes);
}

/** Bytes that the server keeps for each piece of memory besides its values. */
const OVERHEAD_BYTES = 256;

function bytesOf({ target }: PointerType, value: Value): number {
  if (!Array.isArray(value)) return 0;
  const inner = target.kind === 'pointer' ? value.reduce((sum, item) => sum + bytesOf(target, item), 0) : 0;
  return OVERHEAD_BYTES + value.length * strideOf(target) + inner;
}

function* aim({ ask }: StoreSurroundings, request: AimRequest): Run<void> {
  const asked = yield* ask(request);
  if ('refusal' in asked) throw new ScriptError('TypeError', asked.refusal);
}
