// The items of values and the elements of variables, one by one.
import { ScriptError } from './error.js';
import type { Elements, Host } from './host.js';
import type { Meter } from './meter.js';
import { takeList } from './operators.js';
import { typeName } from './type-name.js';
import {
  DictionaryValue,
  HostVariable,
  isObject,
  ListValue,
  plain,
  RangeValue,
  type Run,
  type ScriptValue,
  TupleValue,
} from './values.js';

/** A list of the keys is made before the first one is used. */
const KEY_BYTES = 16;

export class Iteration {
  constructor(
    private readonly host: Host,
    private readonly meter: Meter,
  ) {}

  /** Waits until a frame that shows all that this session has written carries a variable's elements. */
  *awaitElements(value: ScriptValue): Run<void> {
    if (!(value instanceof HostVariable) || !value.isArray) return;
    while (!this.host.canRead(value.path, 'all')) yield 'settled';
  }

  /**
   * The items of a value, one by one; a list may change meanwhile. For a variable, the caller has awaited its elements.
   */
  *iterate(value: ScriptValue): Generator<ScriptValue, void, void> {
    for (const item of this.itemsOf(value)) {
      this.meter.spend(1);
      yield item;
    }
  }

  private itemsOf(value: ScriptValue): Iterable<ScriptValue> {
    const bare = plain(value);
    if (bare instanceof ListValue || bare instanceof TupleValue) return bare.items;
    if (typeof bare === 'string') return bare;
    if (bare instanceof RangeValue) return bare.items();
    if (bare instanceof DictionaryValue) {
      this.meter.allocate(KEY_BYTES * bare.entries.size);
      return Array.from(bare.entries.values(), ({ key }) => key);
    }
    if (isObject(bare) && bare.items) return bare.items();
    if (!(bare instanceof HostVariable)) throw notIterable(value);
    const elements = this.elementsAt(bare);
    takeList(elements.length, this.meter);
    return elements.all();
  }

  /** Throws a TypeError for a variable without elements. */
  elementsAt(proxy: HostVariable): Elements {
    const elements = this.host.elements(proxy);
    if (!elements) throw notIterable(proxy);
    return elements;
  }

  /** The elements of a variable, awaited. */
  *elements(proxy: HostVariable): Run<ScriptValue[]> {
    yield* this.awaitElements(proxy);
    const elements: ScriptValue[] = [];
    for (const element of this.iterate(proxy)) {
      if (this.meter.isTurnOver) yield 'turn';
      elements.push(element);
    }
    return elements;
  }
}

const notIterable = (value: ScriptValue): ScriptError =>
  new ScriptError('TypeError', `'${typeName(value)}' object is not iterable`);
