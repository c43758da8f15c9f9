// The methods of dictionaries; keys, values and items are lists of their own here.

import { fillDictionary } from './classes.js';
import { keyOf } from './dictionary-key.js';
import type { Meter } from './meter.js';
import { only } from './signature.js';
import { storeEntry } from './subscript.js';
import { keyError } from './text.js';
import {
  type Arguments,
  type CallResult,
  type DictionaryValue,
  ListValue,
  type Run,
  type ScriptValue,
  type Tools,
  TupleValue,
} from './values.js';

type Entry = { readonly key: ScriptValue; value: ScriptValue };
type Method = (self: DictionaryValue, args: Arguments, tools: Tools) => CallResult;

/** A method that makes a list with one item for each entry. */
const listOf = (name: string, of: (entry: Entry) => ScriptValue, bytes: number): Method =>
  function* (dictionary, args, { meter }): Run<ScriptValue> {
    only(name, args, 0, 0);
    meter.allocate(bytes * dictionary.entries.size);
    const made: ScriptValue[] = [];
    for (const entry of dictionary.entries.values()) {
      if (meter.isTurnOver) yield 'turn';
      meter.spend(1);
      made.push(of(entry));
    }
    return new ListValue(made);
  };

function take(dictionary: DictionaryValue, key: ScriptValue, other: ScriptValue | undefined, meter: Meter) {
  const filed = keyOf(key, meter);
  const entry = dictionary.entries.get(filed);
  if (!entry && other === undefined) throw keyError(key, meter);
  dictionary.entries.delete(filed);
  return entry ? entry.value : (other as ScriptValue);
}

export const DICTIONARY_METHODS: Readonly<Record<string, Method>> = {
  keys: listOf('keys', ({ key }) => key, 16),
  values: listOf('values', ({ value }) => value, 16),
  items: listOf('items', ({ key, value }) => new TupleValue([key, value]), 64),
  get({ entries }, args, { meter }) {
    const [key = null, other = null] = only('get', args, 1, 2);
    const entry = entries.get(keyOf(key, meter));
    return entry ? entry.value : other;
  },
  setdefault(dictionary, args, { meter }) {
    const [key = null, value = null] = only('setdefault', args, 1, 2);
    const entry = dictionary.entries.get(keyOf(key, meter));
    if (entry) return entry.value;
    storeEntry(dictionary, key, value, meter);
    return value;
  },
  pop(dictionary, args, { meter }) {
    const [key = null, other] = only('pop', args, 1, 2);
    return take(dictionary, key, other, meter);
  },
  *update(dictionary, args, tools) {
    yield* fillDictionary(dictionary, only('update', args, 1, 1)[0] as ScriptValue, tools);
    return null;
  },
};
