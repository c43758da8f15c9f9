// Members, elements and slices of the simulation's variables: read, and stored.
import { ScriptError } from './error.js';
import type { Iteration } from './iteration.js';
import type { Meter } from './meter.js';
import { inUnits } from './quantities.js';
import type { Surroundings } from './scope.js';
import { type Bounds, slice, withSlice } from './subscript.js';
import { keyError } from './text.js';
import {
  arithmetic,
  itemsOf,
  ListValue,
  NO_UNITS,
  plain,
  Quantity,
  type Run,
  type ScriptValue,
  TupleValue,
  typeName,
  unitsName,
  VariableProxy,
} from './values.js';

export class VariableAccess {
  /**
   * The path of the single value that a member or an element was, if it was one. Characters of a text are elements of the
   * variable, and not of the text, and functions may stand below it. Trick: char arrays are swig_ref
   */
  valuePath: string | undefined;

  constructor(
    private readonly surroundings: Surroundings,
    private readonly iteration: Iteration,
    private readonly meter: Meter,
  ) {}

  /** The value at a path, in a frame that shows everything this session has written. */
  *read(path: string): Run<ScriptValue | undefined> {
    while (!this.surroundings.canRead(path, 'head')) yield 'settled';
    const value = this.surroundings.variable(path);
    this.valuePath = value === undefined || value instanceof VariableProxy ? undefined : path;
    return value;
  }

  /** A member, or a method. */
  *attribute({ path: holder, variable: { type, units } }: VariableProxy, name: string): Run<ScriptValue> {
    const path = `${holder}.${name}`;
    const value = yield* this.read(path);
    if (value !== undefined) return value;
    const method = this.surroundings.method(path);
    if (method !== undefined) return method;
    if (name === 'units' && type.kind !== 'struct') return unitsName(units);
    throw new ScriptError('AttributeError', this.surroundings.explain(path));
  }

  *element(holder: VariableProxy, key: ScriptValue): Run<ScriptValue> {
    const path = yield* this.elementPath(holder, key);
    const value = path === undefined ? undefined : yield* this.read(path);
    if (value !== undefined) return value;
    if (path === undefined) throw keyError(key, this.meter);
    throw new ScriptError('IndexError', this.surroundings.explain(path));
  }

  /** A character of a text that was read at a path; undefined where it has none. */
  *character(path: string, text: string, key: ScriptValue): Run<ScriptValue | undefined> {
    const index = arithmetic(plain(key));
    if (typeof index !== 'bigint') return undefined;
    return yield* this.read(`${path}[${index < 0n ? index + BigInt(text.length) : index}]`);
  }

  *sliced(holder: VariableProxy, bounds: Bounds): Run<ScriptValue> {
    return slice(new ListValue(yield* this.iteration.elements(holder)), bounds, this.meter);
  }

  *storeElement(holder: VariableProxy, key: ScriptValue, value: ScriptValue): Run<void> {
    const path = yield* this.elementPath(holder, key);
    if (path !== undefined) return yield* this.surroundings.store(path, value);
    const pairs: ScriptValue[] = [new TupleValue([key, withoutUnits(value, unitsOfValues(holder))])];
    for (const [index] of (yield* this.iteration.elements(holder)).entries())
      pairs.push(
        new TupleValue([yield* this.entry(holder, index, 'first'), yield* this.entry(holder, index, 'second')]),
      );
    yield* this.surroundings.store(holder.path, new ListValue(pairs));
  }

  /**
   * Replaces a slice. What no longer has room in an array or behind a pointer is left out, and zeros come in for what is
   * missing. Trick: swig_ref::__setitem__
   */
  *storeSlice(holder: VariableProxy, bounds: Bounds, value: ScriptValue): Run<void> {
    const given = value instanceof VariableProxy ? yield* this.iteration.elements(value) : (itemsOf(value) ?? [value]);
    const old = yield* this.iteration.elements(holder);
    const { type } = holder.variable;
    const { kind } = type;
    const isOfPointers = kind === 'array' && type.element.kind === 'pointer';
    const replaced = withSlice(old, bounds, given, this.meter);
    if (kind === 'sequence') return yield* this.surroundings.store(holder.path, new ListValue(replaced));
    const fitted = old.map((_, index) =>
      index < replaced.length ? (replaced[index] as ScriptValue) : isOfPointers ? null : 0n,
    );
    if (isOfPointers || (kind === 'array' && !old.some((item) => item instanceof VariableProxy)))
      return yield* this.surroundings.store(holder.path, new ListValue(fitted));
    for (const [index, item] of fitted.entries())
      if (item !== old[index]) yield* this.surroundings.store(`${holder.path}[${index}]`, item);
  }

  /** Undefined for a key that a map does not have. */
  private *elementPath(holder: VariableProxy, given: ScriptValue): Run<string | undefined> {
    const key = plain(given);
    const { path, variable } = holder;
    const isMap = variable.type.kind === 'sequence' && variable.type.container === 'map';
    if (isMap && typeof key === 'string') return yield* this.entryPath(holder, key);
    const number = arithmetic(key);
    if (number === undefined || !Number.isFinite(Number(number)))
      throw new ScriptError('TypeError', `indices of ${path} must be integers, not ${typeName(key)}`);
    const index = typeof number === 'bigint' ? number : BigInt(Math.trunc(number));
    return `${path}[${index < 0n ? index + BigInt(yield* this.countOf(holder)) : index}]`;
  }

  /** How many elements a variable has, from whose end negative indices count. */
  private *countOf({ path, variable }: VariableProxy): Run<number> {
    while (!this.surroundings.canRead(path, 'head')) yield 'settled';
    return this.surroundings.elements(new VariableProxy(path, variable))?.length ?? 0;
  }

  private *entryPath(map: VariableProxy, key: string): Run<string | undefined> {
    const count = (yield* this.iteration.elements(map)).length;
    for (let index = 0; index < count; index++)
      if ((yield* this.entry(map, index, 'first')) === key) return `${map.path}[${index}].second`;
    return undefined;
  }

  private *entry({ path }: VariableProxy, index: number, half: 'first' | 'second'): Run<ScriptValue> {
    this.meter.spend(1);
    return plain((yield* this.read(`${path}[${index}].${half}`)) ?? null);
  }
}

/** The units of the values of a map. */
function unitsOfValues({ variable: { type } }: VariableProxy): string {
  const entry = type.kind === 'sequence' ? type.element : undefined;
  return (entry?.kind === 'struct' && entry.members[1]?.units) || NO_UNITS;
}

const withoutUnits = (value: ScriptValue, units: string): ScriptValue =>
  value instanceof Quantity && value.hasUnits ? inUnits(value, units === '--' ? NO_UNITS : units) : plain(value);
