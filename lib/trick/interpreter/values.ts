// The values that the command language computes with; integers are bigint, floats are number, as Python keeps them apart.
import type { FunctionDefinition } from '../../../grammar/trick/index.js';
import type { Variable } from '../../model/variable.js';
import { ScriptError } from './error.js';
import { CHARACTERS_PER_STEP, type Meter } from './meter.js';

export type ScriptValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | Bytes
  | ListValue
  | TupleValue
  | DictionaryValue
  | RangeValue
  | Quantity
  | VariableProxy
  | ModuleValue
  | ObjectValue
  | Callable
  | DefinedFunction;

/** `b"..."`, one character a byte. */
export class Bytes {
  constructor(readonly text: string) {}
}

export class ListValue {
  constructor(readonly items: ScriptValue[]) {}
}

export class TupleValue {
  constructor(readonly items: readonly ScriptValue[]) {}
}

export class DictionaryValue {
  /** Each entry is filed under `keyOf` its key. */
  readonly entries = new Map<string, { readonly key: ScriptValue; value: ScriptValue }>();
}

export class RangeValue {
  constructor(
    readonly start: bigint,
    readonly stop: bigint,
    readonly step: bigint,
  ) {}

  get length(): bigint {
    const span = this.step > 0n ? this.stop - this.start : this.start - this.stop;
    const step = this.step > 0n ? this.step : -this.step;
    return span <= 0n ? 0n : (span + step - 1n) / step;
  }

  *items(): Generator<bigint> {
    const { length } = this;
    for (let index = 0n; index < length; index++) yield this.start + index * this.step;
  }
}

/** A number or list of numbers with units: a variable that was read, or trick.attach_units. */
export class Quantity {
  constructor(
    readonly magnitude: bigint | number | boolean | ListValue,
    readonly units: string,
  ) {}
}

/** A simulation object, component, structure or array by its path; single values are read at once instead. */
export class VariableProxy {
  constructor(
    readonly path: string,
    readonly variable: Variable,
  ) {}
}

/** `trick`, `sys`: a name with attributes that cannot be changed. */
export interface ModuleValue {
  readonly kind: 'module';
  readonly name: string;
  /** Undefined when there is no such attribute; `names` are the ones to suggest. */
  attribute(name: string): ScriptValue | undefined;
  names(): Iterable<string>;
}

/** An object of the server's own, such as an event: attributes that can be read, set and called. */
export interface ObjectValue {
  readonly kind: 'object';
  readonly typeName: string;
  /** What print shows. Default: the name of its type. */
  readonly text?: string;
  /** Undefined when there is no such attribute; `names` are the ones to suggest. */
  attribute(name: string): ScriptValue | undefined;
  /** Throws a ScriptError for a value that does not fit; false when there is no such attribute to set. */
  setAttribute(name: string, value: ScriptValue): boolean;
  names(): Iterable<string>;
}

/** Arguments as given in a call. */
export interface Arguments {
  readonly positional: readonly ScriptValue[];
  readonly keywords: readonly (readonly [name: string, value: ScriptValue])[];
}

/** Something that others do for a computation, which goes on when it is done. */
export abstract class Errand {
  readonly kind = 'errand';
}

/**
 * What a computation waits for: that its requests have settled, that its client has taken its answers, its next turn, an
 * errand, or something that is under way.
 */
export type Wait = 'settled' | 'taken' | 'turn' | Errand | Promise<void>;
/** A computation that may have to wait on its way. */
export type Run<T> = Generator<Wait, T, void>;

/** A command, a function of the language, or a function of the simulation. */
export interface Callable {
  readonly kind: 'callable';
  readonly name: string;
  call(args: Arguments): ScriptValue | Run<ScriptValue>;
}

/** A function that the client's text has defined. */
export class DefinedFunction {
  constructor(
    readonly definition: FunctionDefinition,
    readonly defaults: readonly (ScriptValue | undefined)[],
  ) {}
}

/** The value as a number; True and False count as 1 and 0. Undefined for any other value. */
export const arithmetic = (value: ScriptValue): bigint | number | undefined =>
  typeof value === 'boolean'
    ? BigInt(value)
    : typeof value === 'bigint' || typeof value === 'number'
      ? value
      : undefined;

/** The value without its units. */
export const plain = (value: ScriptValue): ScriptValue => (value instanceof Quantity ? value.magnitude : value);

export const itemsOf = (value: ScriptValue): readonly ScriptValue[] | undefined =>
  value instanceof ListValue || value instanceof TupleValue ? value.items : undefined;

/** The text under which a dictionary files a key: equal keys give equal text. Throws a TypeError for a value that cannot be a key. */
export function keyOf(key: ScriptValue, meter: Meter): string {
  return partOfKey(key, meter, { parts: 0 });
}

/** A tuple that is a key holds at most so many values, each as often as it is there. */
const MOST_PARTS = 10_000;

function partOfKey(key: ScriptValue, meter: Meter, count: { parts: number }): string {
  meter.spend(typeof key === 'string' ? 1 + key.length / CHARACTERS_PER_STEP : 1);
  if (++count.parts > MOST_PARTS)
    throw new ScriptError('RuntimeError', `a key is limited to ${MOST_PARTS} values in a tuple`);
  const value = plain(key);
  if (value === null) return 'None';
  if (typeof value === 'string') return `'${value}`;
  if (value instanceof Bytes) return `b${value.text}`;
  const number = arithmetic(value);
  if (number !== undefined)
    return typeof number === 'bigint' || Number.isInteger(number) ? `#${BigInt(number).toString(16)}` : `${number}`;
  if (!(value instanceof TupleValue)) throw new ScriptError('TypeError', `unhashable type: '${typeName(value)}'`);
  const parts = value.items.map((item) => partOfKey(item, meter, count));
  const text = parts.map((part) => `${part.length}:${part}`).join();
  meter.allocate(text.length);
  return `(${text})`;
}

export const isCallable = (value: ScriptValue): value is Callable =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'callable';

export const isModule = (value: ScriptValue): value is ModuleValue =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'module';

export const isObject = (value: ScriptValue): value is ObjectValue =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'object';

/** Python's name of a value's type, for error sentences. */
export function typeName(value: ScriptValue): string {
  if (value === null) return 'NoneType';
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return 'float';
    case 'string':
      return 'str';
    default:
      return objectTypeName(value);
  }
}

function objectTypeName(value: object): string {
  if (value instanceof ListValue) return 'list';
  if (value instanceof TupleValue) return 'tuple';
  if (value instanceof DictionaryValue) return 'dict';
  if (value instanceof RangeValue) return 'range';
  if (value instanceof Bytes) return 'bytes';
  if (value instanceof Quantity) return typeName(value.magnitude);
  if (value instanceof VariableProxy) return 'variable';
  if (isObject(value as ScriptValue)) return (value as ObjectValue).typeName;
  return isModule(value as ScriptValue) ? 'module' : 'function';
}

/** Python's truth of a value. */
export function isTrue(value: ScriptValue): boolean {
  if (value === null || value === false || value === 0n || value === 0 || value === '') return false;
  if (value instanceof ListValue || value instanceof TupleValue) return value.items.length > 0;
  if (value instanceof DictionaryValue) return value.entries.size > 0;
  if (value instanceof RangeValue) return value.length > 0n;
  if (value instanceof Bytes) return value.text.length > 0;
  if (value instanceof Quantity) return isTrue(value.magnitude);
  return true;
}
