// Copies values that a text may see but must not change.

import { DefinedClass, Instance, Method } from './defined-class.js';
import { ScriptError } from './error.js';
import { FileModule } from './file-module.js';
import type { Meter } from './meter.js';
import {
  BoundMethod,
  type ClassValue,
  DefinedFunction,
  DictionaryValue,
  ExceptionValue,
  isModule,
  isObject,
  ListValue,
  type ObjectValue,
  type ScriptValue,
  TupleValue,
} from './values.js';

const DEEPEST = 50;
/** Bytes that an entry of a copy takes. */
const ENTRY_BYTES = 64;

/** A value that shares no list or dictionary with this one. Throws a ScriptError when that takes too much. */
export function ownCopy(value: ScriptValue, meter: Meter): ScriptValue {
  return new Copying(meter).copy(value, 0);
}

class Copying {
  /** The copies by their originals: a value in two places is copied once, and a value that contains itself ends. */
  private readonly made = new Map<ScriptValue, ScriptValue>();

  constructor(private readonly meter: Meter) {}

  copy(value: ScriptValue, depth: number): ScriptValue {
    const known = this.made.get(value);
    if (known !== undefined) return known;
    if (depth > DEEPEST) throw new ScriptError('RecursionError', `what is copied may be ${DEEPEST} deep`);
    if (value instanceof ListValue) return this.list(value, depth);
    if (value instanceof DictionaryValue) return this.dictionary(value, depth);
    if (value instanceof TupleValue) return new TupleValue(this.all(value.items, depth));
    if (value instanceof Method) return this.method(value, depth);
    if (value instanceof DefinedClass) return this.class(value, depth);
    if (value instanceof Instance) return this.instance(value, depth);
    if (value instanceof BoundMethod) return value.of(this.copy(value.self, depth + 1));
    if (value instanceof ExceptionValue) {
      const { kind, message } = value.error;
      return new ExceptionValue(new ScriptError(kind, message), new TupleValue(this.all(value.args.items, depth)));
    }
    if (isObject(value) && value.ownCopy) return this.object(value, value.ownCopy());
    if (value instanceof DefinedFunction) return this.function(value, depth);
    if (value instanceof FileModule) return this.module(value, depth);
    if (isModule(value) && value.forOthers) return value.forOthers;
    return value;
  }

  private object(value: ObjectValue, copy: ObjectValue): ObjectValue {
    this.made.set(value, copy);
    this.pay((copy.heldBytes ?? 0) / ENTRY_BYTES);
    return copy;
  }

  /** A function of a module sees copies of the module's names. */
  private function({ definition, defaults, origin }: DefinedFunction, depth: number): DefinedFunction {
    const scope = origin.scope && { ...origin.scope, names: new Map(), inherited: origin.scope.names };
    const copies = defaults.map((item) => (item === undefined ? undefined : this.copy(item, depth + 1)));
    const owner = origin.owner && (this.copy(origin.owner, depth + 1) as ClassValue);
    return new DefinedFunction(definition, copies, { ...origin, scope, owner });
  }

  private method({ self, called }: Method, depth: number): Method {
    return new Method(this.copy(self, depth + 1), this.copy(called, depth + 1) as DefinedFunction);
  }

  private class(value: DefinedClass, depth: number): DefinedClass {
    const { name, base, attributes, identity } = value;
    if (!base) return value;
    const copy = new DefinedClass(name, this.copy(base, depth + 1) as DefinedClass, new Map(), identity);
    this.made.set(value, copy);
    this.attributes(attributes, copy.attributes, depth);
    return copy;
  }

  private instance(value: Instance, depth: number): Instance {
    const { type, self, attributes } = value;
    const whole = self === value ? undefined : (this.copy(self, depth + 1) as Instance);
    const copy = new Instance(this.copy(type, depth + 1) as DefinedClass, whole);
    this.made.set(value, copy);
    if (!whole) this.attributes(attributes, copy.attributes, depth);
    return copy;
  }

  private attributes(from: ReadonlyMap<string, ScriptValue>, to: Map<string, ScriptValue>, depth: number): void {
    this.pay(from.size);
    for (const [name, item] of from) to.set(name, this.copy(item, depth + 1));
  }

  private module(value: FileModule, depth: number): FileModule {
    const { name, scope } = value;
    const copy = new FileModule(name);
    this.made.set(value, copy);
    this.attributes(scope.names, copy.scope.names, depth);
    return copy;
  }

  private list(value: ListValue, depth: number): ListValue {
    const copy = new ListValue([]);
    this.made.set(value, copy);
    for (const item of this.all(value.items, depth)) copy.items.push(item);
    return copy;
  }

  private dictionary(value: DictionaryValue, depth: number): DictionaryValue {
    const { entries } = value;
    const copy = new DictionaryValue();
    this.made.set(value, copy);
    this.pay(entries.size);
    for (const [filed, entry] of entries)
      copy.entries.set(filed, { key: entry.key, value: this.copy(entry.value, depth + 1) });
    return copy;
  }

  private all(items: readonly ScriptValue[], depth: number): ScriptValue[] {
    this.pay(items.length);
    return items.map((item) => this.copy(item, depth + 1));
  }

  private pay(entries: number): void {
    this.meter.spend(entries);
    this.meter.allocate(entries * ENTRY_BYTES);
  }
}
