// The simulation's objects and arrays as Trick's Python shows them. Trick: swig_ref, PythonPrint::write_rvalue
import { formatDouble, formatFloat } from '../../../model/state/number-text.js';
import type { Type } from '../../../model/state/type.js';
import type { Variable } from '../../../model/state/variable.js';
import {
  arithmetic,
  type Bounds,
  HostVariable,
  hostOf,
  inUnits,
  itemsOf,
  ListValue,
  NO_UNITS,
  type NumberForm,
  plain,
  Quantity,
  quantityText,
  type Run,
  ScriptError,
  type ScriptValue,
  type Tools,
  TupleValue,
  typeName,
  unitsName,
  withSlice,
} from '../../python/index.js';

/** Numbers of variables, and of trick.attach_units, as C++ shows them. Trick: swig_double::__str__, swig_int::__str__ */
function numberForm(text: NumberForm['text']): NumberForm {
  const nameOf: NumberForm['typeName'] = (magnitude) => (typeof magnitude === 'number' ? 'swig_double' : 'swig_int');
  return { typeName: nameOf, className: (magnitude) => `${nameOf(magnitude)}.${nameOf(magnitude)}`, text };
}

export const DOUBLE: NumberForm = numberForm(formatDouble);
/** A C float, which is shown with fewer digits. */
export const FLOAT: NumberForm = numberForm(formatFloat);

/** An object, component, structure or array. */
export class SimulationVariable extends HostVariable {
  constructor(
    path: string,
    readonly variable: Variable,
  ) {
    super(path);
  }

  get typeName(): string {
    const { type } = this.variable;
    if (type.kind === 'struct') return type.name;
    return type.kind === 'array' || type.kind === 'pointer' ? 'swig_ref' : 'SwigPyObject';
  }

  override get className(): string {
    return this.typeName === 'swig_ref' ? 'swig_ref.swig_ref' : this.typeName;
  }

  get isArray(): boolean {
    return this.variable.type.kind !== 'struct';
  }

  /** SWIG adds two names of its own. */
  names(): Iterable<string> {
    const { type } = this.variable;
    return type.kind === 'struct' ? [...type.members.map(({ name }) => name), 'this', 'thisown'] : [];
  }

  attribute(name: string): ScriptValue | undefined {
    return name === 'units' && this.isArray ? unitsName(this.variable.units) : undefined;
  }

  /**
   * `[1 m, 2 m]`, rows of a fixed array without a blank between them: `[[1, 2],[3, 4]]`; a null pointer, and what is
   * behind one, is NULL.
   */
  *text(tools: Tools): Run<string> {
    const { meter } = tools;
    const { type } = this.variable;
    if (type.kind === 'struct') return `<variable ${this.path}>`;
    if (!hostOf(tools).elements(this)) return 'NULL';
    const element = elementOf(type);
    const comma = type.kind === 'array' && element?.kind === 'array' ? ',' : ', ';
    let text = '';
    for (const item of tools.iterate(this)) {
      if (meter.isTurnOver) yield 'turn';
      const written = item instanceof HostVariable ? yield* item.text(tools) : elementText(item, element, tools);
      meter.allocate(written.length);
      text += text === '' ? written : `${comma}${written}`;
    }
    return text === '' && type.kind === 'pointer' ? 'NULL' : `[${text}]`;
  }

  *elementPath(given: ScriptValue, tools: Tools): Run<string | undefined> {
    const key = plain(given);
    const { path, variable } = this;
    const isMap = variable.type.kind === 'sequence' && variable.type.container === 'map';
    if (isMap && typeof key === 'string') return yield* this.entryPath(key, tools);
    const number = arithmetic(key);
    if (number === undefined || !Number.isFinite(Number(number)))
      throw new ScriptError('TypeError', `indices of ${path} must be integers, not ${typeName(key)}`);
    const index = typeof number === 'bigint' ? number : BigInt(Math.trunc(number));
    return `${path}[${index < 0n ? index + BigInt(yield* this.count(tools)) : index}]`;
  }

  /** How many elements there are, from whose end negative indices count. */
  private *count(tools: Tools): Run<number> {
    const host = hostOf(tools);
    while (!host.canRead(this.path, 'head')) yield 'settled';
    return host.elements(this)?.length ?? 0;
  }

  private *entryPath(key: string, tools: Tools): Run<string | undefined> {
    const count = (yield* tools.elements(this)).length;
    for (let index = 0; index < count; index++)
      if ((yield* this.entry(index, 'first', tools)) === key) return `${this.path}[${index}].second`;
    return undefined;
  }

  private *entry(index: number, half: 'first' | 'second', tools: Tools): Run<ScriptValue> {
    tools.meter.spend(1);
    const host = hostOf(tools);
    const path = `${this.path}[${index}].${half}`;
    while (!host.canRead(path, 'head')) yield 'settled';
    return plain(host.variable(path) ?? null);
  }

  /** A map gets a further entry. */
  *addElement(key: ScriptValue, value: ScriptValue, tools: Tools): Run<void> {
    const pairs: ScriptValue[] = [new TupleValue([key, withoutUnits(value, unitsOfValues(this.variable.type))])];
    for (const [index] of (yield* tools.elements(this)).entries())
      pairs.push(new TupleValue([yield* this.entry(index, 'first', tools), yield* this.entry(index, 'second', tools)]));
    yield* hostOf(tools).store(this.path, new ListValue(pairs));
  }

  /**
   * What no longer has room in an array or behind a pointer is left out, and zeros come in for what is missing. Trick:
   * swig_ref::__setitem__
   */
  *storeSlice(bounds: Bounds, value: ScriptValue, tools: Tools): Run<void> {
    const given = value instanceof HostVariable ? yield* tools.elements(value) : (itemsOf(value) ?? [value]);
    const old = yield* tools.elements(this);
    const { path } = this;
    const { type } = this.variable;
    const host = hostOf(tools);
    const isOfPointers = type.kind === 'array' && type.element.kind === 'pointer';
    const replaced = withSlice(old, bounds, given, tools.meter);
    if (type.kind === 'sequence') return yield* host.store(path, new ListValue(replaced));
    const fitted = old.map((_, index) =>
      index < replaced.length ? (replaced[index] as ScriptValue) : isOfPointers ? null : 0n,
    );
    if (isOfPointers || (type.kind === 'array' && !old.some((item) => item instanceof HostVariable)))
      return yield* host.store(path, new ListValue(fitted));
    for (const [index, item] of fitted.entries()) if (item !== old[index]) yield* host.store(`${path}[${index}]`, item);
  }
}

function elementText(value: ScriptValue, type: Type | undefined, { meter }: Tools): string {
  if (value instanceof Quantity) {
    if (typeof value.magnitude !== 'boolean') return quantityText(value, meter);
    const truth = value.magnitude ? 'True' : 'False';
    return value.hasUnits ? `${truth} ${value.units}` : truth;
  }
  if (value === '' && type?.kind === 'array') return `[${Array(type.length).fill(0).join(', ')}]`;
  if (typeof value === 'string') return quoted(value);
  return value === null ? 'NULL' : `${value as bigint}`;
}

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\b': '\\b', '"': '\\"' };
const quoted = (text: string): string =>
  `"${text.replace(/[\n\t\x08"]/g, (character) => ESCAPES[character] as string)}"`;

function elementOf(type: Type): Type | undefined {
  if (type.kind === 'array' || type.kind === 'sequence') return type.element;
  return type.kind === 'pointer' ? type.target : undefined;
}

/** The units of the values of a map. */
function unitsOfValues(type: Type): string {
  const entry = type.kind === 'sequence' ? type.element : undefined;
  return (entry?.kind === 'struct' && entry.members[1]?.units) || NO_UNITS;
}

const withoutUnits = (value: ScriptValue, units: string): ScriptValue =>
  value instanceof Quantity && value.hasUnits ? inUnits(value, unitsName(units)) : plain(value);
