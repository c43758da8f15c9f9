// Elements and slices of lists, tuples, texts, ranges and dictionaries.
import { keyOf } from './dictionary-key.js';
import { ScriptError } from './error.js';
import { CHARACTERS_PER_STEP, type Meter } from './meter.js';
import { bounded } from './numbers.js';
import { characters, MAX_ITEMS, takeList } from './operators.js';
import { keyError } from './text.js';
import { typeName } from './type-name.js';
import {
  arithmetic,
  type Bounds,
  Bytes,
  DictionaryValue,
  ListValue,
  itemsOf as listItemsOf,
  plain,
  RangeValue,
  type ScriptValue,
  TupleValue,
} from './values.js';

/** A dictionary's entry, in bytes. */
const ENTRY_BYTES = 128;

export function item(holder: ScriptValue, key: ScriptValue, meter: Meter): ScriptValue {
  if (holder instanceof DictionaryValue) {
    const entry = holder.entries.get(keyOf(key, meter));
    if (!entry) throw keyError(key, meter);
    return entry.value;
  }
  if (holder instanceof RangeValue) return holder.start + indexIn(holder, key, holder.length) * holder.step;
  if (holder instanceof Bytes)
    return BigInt(holder.text.charCodeAt(Number(indexIn(holder, key, BigInt(holder.text.length)))));
  const items = elementsOf(holder, meter);
  return items[Number(indexIn(holder, key, BigInt(items.length)))] as ScriptValue;
}

function elementsOf(holder: ScriptValue, meter: Meter): ArrayLike<ScriptValue> {
  const items = listItemsOf(plain(holder));
  if (items) return items;
  if (typeof holder !== 'string')
    throw new ScriptError('TypeError', `'${typeName(holder)}' object is not subscriptable`);
  return characters(holder, meter);
}

const nameOf = (holder: ScriptValue): string => (typeof holder === 'string' ? 'string' : typeName(holder));

/** An index from the start. Throws an IndexError, in which `what` names the value, for an index beyond an end. */
export function indexIn(holder: ScriptValue, key: ScriptValue, length: bigint, what = ''): bigint {
  const index = arithmetic(plain(key));
  if (typeof index !== 'bigint') {
    const tail = typeof holder === 'string' ? `, not '${typeName(key)}'` : ` or slices, not ${typeName(key)}`;
    throw new ScriptError('TypeError', `${nameOf(holder)} indices must be integers${tail}`);
  }
  const fromStart = index < 0n ? index + length : index;
  const range = holder instanceof RangeValue ? 'range object' : nameOf(holder);
  if (fromStart < 0n || fromStart >= length) throw new ScriptError('IndexError', `${what || range} index out of range`);
  return fromStart;
}

export function slice(holder: ScriptValue, bounds: Bounds, meter: Meter): ScriptValue {
  if (holder instanceof RangeValue) return sliceRange(holder, bounds, meter);
  if (holder instanceof Bytes || holder instanceof DictionaryValue) {
    throw new ScriptError('TypeError', `a ${typeName(holder)} is not sliced here, make a list of it first`);
  }
  const items = elementsOf(holder, meter);
  const { from, to, step } = clamped(items.length, bounds);
  takeList(Math.max(0, Math.ceil((to - from) / step)), meter);
  if (typeof holder === 'string' && items === holder && step === 1) return holder.slice(from, Math.max(from, to));
  const values = picked(items, from, to, step);
  if (typeof holder === 'string') return values.join('');
  return holder instanceof TupleValue ? new TupleValue(values) : new ListValue(values);
}

/** A slice of a range is a range. */
function sliceRange(range: RangeValue, bounds: Bounds, meter: Meter): ScriptValue {
  const [start, stop, step = 1n] = bounds.map((bound) => wholeBound(bound ?? null));
  if (step === 0n) throw new ScriptError('ValueError', 'slice step cannot be zero');
  const { length } = range;
  const [lowest, highest] = step > 0n ? [0n, length] : [-1n, length - 1n];
  const clamp = (bound: bigint): bigint => {
    const index = bound < 0n ? bound + length : bound;
    return index < lowest ? lowest : index > highest ? highest : index;
  };
  const from = start === undefined ? (step > 0n ? lowest : highest) : clamp(start);
  const to = stop === undefined ? (step > 0n ? highest : lowest) : clamp(stop);
  const [first, end] = [bounded(range.start + from * range.step), bounded(range.start + to * range.step)];
  const made = new RangeValue(first, end, bounded(range.step * step));
  meter.allocate(made.heldBytes);
  return made;
}

/** No list has an index this large. */
const FAR = BigInt(10 * MAX_ITEMS);

function sliceBound(bound: ScriptValue): number | undefined {
  const index = wholeBound(bound);
  return index === undefined ? undefined : Number(index > FAR ? FAR : index < -FAR ? -FAR : index);
}

function wholeBound(bound: ScriptValue): bigint | undefined {
  if (bound === null) return undefined;
  const index = arithmetic(plain(bound));
  if (typeof index !== 'bigint')
    throw new ScriptError('TypeError', 'slice indices must be integers or None or have an __index__ method');
  return index;
}

/** The first index of a slice, and the one before which it ends. */
function clamped(
  length: number,
  bounds: Bounds,
): { readonly from: number; readonly to: number; readonly step: number } {
  const [start, stop, step = 1] = bounds.map((bound) => sliceBound(bound ?? null));
  if (step === 0) throw new ScriptError('ValueError', 'slice step cannot be zero');
  const [lowest, highest] = step > 0 ? [0, length] : [-1, length - 1];
  const clamp = (bound: number): number => Math.max(lowest, Math.min(highest, bound < 0 ? bound + length : bound));
  const from = start === undefined ? (step > 0 ? lowest : highest) : clamp(start);
  const to = stop === undefined ? (step > 0 ? highest : lowest) : clamp(stop);
  return { from, to, step };
}

/** The items with others in place of a slice. Throws a ValueError for a slice with a step and another number of items. */
export function withSlice(
  items: readonly ScriptValue[],
  bounds: Bounds,
  values: readonly ScriptValue[],
  meter: Meter,
): ScriptValue[] {
  const { from, to, step } = clamped(items.length, bounds);
  takeList(items.length + values.length, meter);
  if (step === 1) return [...items.slice(0, from), ...values, ...items.slice(Math.max(from, to))];
  const count = Math.max(0, Math.ceil((to - from) / step));
  if (values.length !== count)
    throw new ScriptError(
      'ValueError',
      `attempt to assign sequence of size ${values.length} to extended slice of size ${count}`,
    );
  const replaced = [...items];
  for (const [index, value] of values.entries()) replaced[from + index * step] = value;
  return replaced;
}

/** `holder[start:stop] = values` */
export function storeSlice(holder: ScriptValue, bounds: Bounds, values: Iterable<ScriptValue>, meter: Meter): void {
  if (!(holder instanceof ListValue))
    throw new ScriptError('TypeError', `'${typeName(holder)}' object does not support item assignment`);
  replaceItems(holder, withSlice(holder.items, bounds, [...values], meter), meter);
}

function replaceItems({ items }: ListValue, others: readonly ScriptValue[], meter: Meter): void {
  meter.spend((items.length + others.length) / CHARACTERS_PER_STEP);
  items.length = 0;
  for (const item of others) items.push(item);
}

function picked(items: ArrayLike<ScriptValue>, from: number, to: number, step: number): ScriptValue[] {
  // Long lists are copied much faster as a whole.
  if (step === 1 && Array.isArray(items)) return items.slice(from, Math.max(from, to));
  const found: ScriptValue[] = [];
  for (let index = from; step > 0 ? index < to : index > to; index += step) found.push(items[index] as ScriptValue);
  return found;
}

export function store(holder: ScriptValue, key: ScriptValue, value: ScriptValue, meter: Meter): void {
  if (holder instanceof DictionaryValue) storeEntry(holder, key, value, meter);
  else if (holder instanceof ListValue) storeItem(holder, key, value, meter);
  else throw new ScriptError('TypeError', `'${typeName(holder)}' object does not support item assignment`);
}

function storeItem(list: ListValue, key: ScriptValue, value: ScriptValue, meter: Meter): void {
  const index = arithmetic(plain(key));
  const length = list.items.length;
  if (typeof index === 'bigint' && (index >= BigInt(length) || index < -BigInt(length))) {
    throw new ScriptError('IndexError', 'list assignment index out of range');
  }
  // Counts one byte, because names are measured only after blocks that have stored something.
  meter.allocate(1);
  list.items[Number(indexIn(list, key, BigInt(length)))] = value;
}

/** A key that the dictionary has already keeps its first spelling, as in Python. */
export function storeEntry(dictionary: DictionaryValue, key: ScriptValue, value: ScriptValue, meter: Meter): void {
  const filed = keyOf(key, meter);
  const entry = dictionary.entries.get(filed);
  if (entry) {
    meter.allocate(1);
    entry.value = value;
    return;
  }
  if (dictionary.entries.size >= MAX_ITEMS)
    throw new ScriptError('MemoryError', `a dictionary is limited to ${MAX_ITEMS} entries`);
  meter.allocate(ENTRY_BYTES + filed.length);
  dictionary.entries.set(filed, { key, value });
}

/** `del holder[key]` */
export function remove(holder: ScriptValue, key: ScriptValue, meter: Meter): void {
  if (holder instanceof DictionaryValue) {
    if (!holder.entries.delete(keyOf(key, meter))) throw keyError(key, meter);
  } else if (holder instanceof ListValue) {
    meter.spend(holder.items.length / CHARACTERS_PER_STEP);
    holder.items.splice(Number(indexIn(holder, key, BigInt(holder.items.length), 'list assignment')), 1);
  } else throw new ScriptError('TypeError', `'${typeName(holder)}' object doesn't support item deletion`);
}

/** `del holder[start:stop]` */
export function removeSlice(holder: ScriptValue, bounds: Bounds, meter: Meter): void {
  if (!(holder instanceof ListValue))
    throw new ScriptError('TypeError', `'${typeName(holder)}' object does not support item deletion`);
  const { from, to, step } = clamped(holder.items.length, bounds);
  takeList(holder.items.length, meter);
  const isGone = (index: number): boolean =>
    (index - from) % step === 0 && (step > 0 ? index >= from && index < to : index <= from && index > to);
  replaceItems(
    holder,
    holder.items.filter((_, index) => !isGone(index)),
    meter,
  );
}
