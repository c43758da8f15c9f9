// Elements of lists, tuples, texts, ranges and dictionaries.
import { ScriptError } from './error.js';
import { repr } from './text.js';
import { DictionaryValue, ListValue, Quantity, RangeValue, TupleValue, typeName, type Value } from './values.js';

const MAX_LIST = 100_000;

function item(holder: Value, key: Value): Value {
  if (holder instanceof DictionaryValue) {
    const entry = holder.entries.get(repr(key));
    if (!entry) throw new ScriptError('KeyError', repr(key));
    return entry.value;
  }
  if (holder instanceof RangeValue) return holder.start + indexIn(holder, key, Number(holder.length)) * holder.step;
  const items = itemsOf(holder);
  return items[Number(indexIn(holder, key, items.length))] as Value;
}

function itemsOf(holder: Value): readonly Value[] {
  if (holder instanceof Quantity) return itemsOf(holder.magnitude);
  if (holder instanceof ListValue || holder instanceof TupleValue) return holder.items;
  if (typeof holder === 'string') return [...holder];
  throw new ScriptError('TypeError', `'${typeName(holder)}' object is not subscriptable`);
}

function indexIn(holder: Value, key: Value, length: number): bigint {
  if (typeof key !== 'bigint') {
    throw new ScriptError('TypeError', `${typeName(holder)} indices must be integers, not ${typeName(key)}`);
  }
  const index = key < 0n ? key + BigInt(length) : key;
  if (index < 0n || index >= BigInt(length)) throw new ScriptError('IndexError', `${typeName(holder)} index out of range`);
  return index;
}

function slice(holder: Value, bounds: readonly (Value | undefined)[]): Value {
  const items = itemsOf(holder);
  const [start, stop, step = 1] = bounds.map((bound) => sliceBound(bound ?? null));
  if (step === 0) throw new ScriptError('ValueError', 'slice step cannot be zero');
  const picked = indices(items.length, start, stop, step).map((index) => items[index] as Value);
  if (typeof holder === 'string') return picked.join('');
  return holder instanceof TupleValue ? new TupleValue(picked) : new ListValue(picked);
}

function sliceBound(bound: Value): number | undefined {
  if (bound === null) return undefined;
  if (typeof bound !== 'bigint') throw new ScriptError('TypeError', 'slice indices must be integers or None');
  return Math.max(-MAX_LIST, Math.min(MAX_LIST, Number(bound)));
}

function indices(length: number, start: number | undefined, stop: number | undefined, step: number): number[] {
  const [lowest, highest] = step > 0 ? [0, length] : [-1, length - 1];
  const clamp = (bound: number): number => Math.max(lowest, Math.min(highest, bound < 0 ? bound + length : bound));
  const from = start === undefined ? (step > 0 ? lowest : highest) : clamp(start);
  const to = stop === undefined ? (step > 0 ? highest : lowest) : clamp(stop);
  const found: number[] = [];
  for (let index = from; step > 0 ? index < to : index > to; index += step) found.push(index);
  return found;
}

function store(holder: Value, key: Value, value: Value): void {
  if (holder instanceof DictionaryValue) holder.entries.set(repr(key), { key, value });
  else if (holder instanceof ListValue) holder.items[Number(indexIn(holder, key, holder.items.length))] = value;
  else throw new ScriptError('TypeError', `'${typeName(holder)}' object does not support item assignment`);
}

export const subscript = { item, slice, store };
