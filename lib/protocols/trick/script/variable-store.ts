// Stores values of the command language in variables: numbers, texts, lists and structures by value, pointers by what they
// are to point at. Trick: swig_int_templates.hh, swig_ref::__setitem__, swig_class_typedef.i
import { holdsPointers } from '../../../model/state/pointers.js';
import { readVariable, type Value } from '../../../model/state/read.js';
import {
  cNameOf,
  describeType,
  isSameType,
  type StructType,
  sizeOf,
  strideOf,
  type Type,
} from '../../../model/state/type.js';
import type { Variable } from '../../../model/state/variable.js';
import { OverBoundError } from '../../../serving/scheduling/account.js';
import type { Request, Source } from '../../../source/source.js';
import { HostVariable, itemsOf, type Meter, type Run, ScriptError, type ScriptValue } from '../../python/index.js';
import { MemoryAddress, VariableAddress } from '../commands/address.js';
import type { RequestResult } from '../commands/command.js';
import { toModel } from '../commands/convert.js';
import type { DeclaredMemory } from '../session/declared-memory.js';
import { asCharacters, withByte } from './characters.js';
import { SimulationVariable } from './simulation-variable.js';

type AimRequest = Extract<Request, { readonly kind: 'aim' }>;
type AimTarget = AimRequest['to'];

/** What an assignment uses of the block that runs. */
export interface StoreSurroundings {
  readonly meter: Meter;
  readonly source: Pick<Source, 'catalog' | 'frame'>;
  readonly memory: DeclaredMemory;
  canRead(path: string, part: 'all'): boolean;
  /** Throws a ScriptError for a value that does not fit. */
  assign(path: string, value: Value, units: string | undefined): void;
  ask(request: AimRequest): Run<RequestResult>;
}

/** Throws a ScriptError for a value that does not fit, and for a pointer that cannot point there. */
export function* storeVariable(block: StoreSurroundings, path: string, value: ScriptValue): Run<void> {
  const variable = block.source.catalog.find(path);
  const { type, hops } = variable ?? {};
  if (variable && type?.kind === 'pointer' && (value === null || typeof value === 'object'))
    return yield* aim(block, variable, value);
  if (variable && value instanceof HostVariable) return yield* copy(block, variable, value);
  if (variable && (value instanceof MemoryAddress || value instanceof VariableAddress))
    throw new ScriptError('TypeError', `${path} is no pointer, an address does not fit`);
  if (variable && type && itemsOf(value) && isOfPointers(type)) return yield* aim(block, variable, value);
  if (variable && hops?.at(-1)?.through === 'text') return yield* storeByte(block, variable, value);
  const given = variable ? asCharacters(variable, value) : value;
  const stored = yield* toModel(given, block.meter, itemsOf(given) ? variable?.units : undefined);
  block.assign(path, stored.value, stored.units);
}

const isOfPointers = (type: Type): boolean =>
  type.kind === 'pointer' || (type.kind === 'array' && isOfPointers(type.element));

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
function* copy(block: StoreSurroundings, to: Variable, { path }: HostVariable): Run<void> {
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
  if (!isOfPointers(to.type)) {
    const isBare = to.units === from.units || from.units === '--' || from.units === '1';
    return block.assign(to.path, yield* read(block, from.path), isBare ? undefined : from.units);
  }
  yield* aim(block, to, proxyOf(block, from.path));
}

function proxyOf({ source }: StoreSurroundings, path: string): HostVariable {
  return new SimulationVariable(path, source.catalog.find(path) as Variable);
}

function* copyMembers(block: StoreSurroundings, to: string, { members }: StructType, from: string): Run<void> {
  const values: Record<string, Value> = {};
  for (const { name, type } of members) if (!holdsPointers(type)) values[name] = yield* read(block, `${from}.${name}`);
  block.assign(to, values, undefined);
  for (const { name, type } of members)
    if (holdsPointers(type)) yield* storeVariable(block, `${to}.${name}`, proxyOf(block, `${from}.${name}`));
}

/** Points a pointer, or each pointer of an array. Throws a MemoryError when the client may not hold so much. */
function* aim(
  { ask, memory, meter }: StoreSurroundings,
  { path, type, units }: Variable,
  value: ScriptValue,
): Run<void> {
  const to = yield* targetOf(type, value, units, meter);
  const pieces = [...piecesOf(path, type, to)];
  const bytes = pieces.reduce((sum, [, piece]) => sum + piece, 0);
  try {
    memory.take(bytes);
  } catch (error) {
    throw error instanceof OverBoundError ? new ScriptError('MemoryError', error.message) : error;
  }
  const asked = yield* ask({ kind: 'aim', path, to: to as AimTarget });
  if ('refusal' in asked) {
    memory.giveBack(bytes);
    throw new ScriptError('TypeError', asked.refusal);
  }
  for (const [at, piece] of pieces) {
    memory.isGone(at);
    if (piece > 0) memory.isAt(at, piece);
  }
}

type Aimed = Value | AimTarget;

function* targetOf(type: Type, value: ScriptValue, units: string, meter: Meter): Run<Aimed> {
  if (value instanceof MemoryAddress) return { address: value.offsetBytes };
  if (value instanceof HostVariable || value instanceof VariableAddress) return { variable: value.path };
  const items = itemsOf(value);
  const element = elementOf(type);
  if (!items || !element || !isOfPointers(element)) return (yield* toModel(value, meter, items && units)).value;
  meter.allocate(16 * items.length);
  const targets: Aimed[] = [];
  for (const item of items) {
    if (meter.isTurnOver) yield 'turn';
    targets.push(yield* targetOf(element, item, units, meter));
  }
  return targets as AimTarget;
}

function elementOf(type: Type): Type | undefined {
  if (type.kind === 'pointer') return type.target;
  return type.kind === 'array' ? type.element : undefined;
}

/** The pointers of a variable, with the bytes of new memory for each. */
function* piecesOf(path: string, type: Type, to: Aimed | undefined): Generator<[path: string, bytes: number]> {
  if (type.kind !== 'array') return yield [path, bytesOf(type, to)];
  for (let index = 0; index < type.length; index++)
    yield* piecesOf(`${path}[${index}]`, type.element, Array.isArray(to) ? to[index] : undefined);
}

/** Bytes that the server keeps for each piece of memory besides its values. */
const OVERHEAD_BYTES = 256;

function bytesOf(type: Type, to: Aimed | undefined): number {
  if (!Array.isArray(to) || type.kind !== 'pointer') return 0;
  const { target } = type;
  return to.reduce((sum, item) => sum + bytesOf(target, item), OVERHEAD_BYTES + to.length * strideOf(target));
}
