// The methods of lists and tuples.
import { itemsIn } from './classes.js';
import { compare, outcomeOf } from './comparison.js';
import { ScriptError } from './error.js';
import { CHARACTERS_PER_STEP, type Meter } from './meter.js';
import { MAX_ITEMS, takeList } from './operators.js';
import { only } from './signature.js';
import { sortedItems } from './sorting.js';
import { indexIn } from './subscript.js';
import {
  type Arguments,
  arithmetic,
  type CallResult,
  ListValue,
  plain,
  type Run,
  type ScriptValue,
  type Tools,
  type TupleValue,
} from './values.js';

type Method<Self> = (self: Self, args: Arguments, tools: Tools) => CallResult;

/** A slot of a list, in bytes. */
const SLOT_BYTES = 16;

/** Pays for items that are added to a list. Throws a MemoryError before the list gets too long. */
function grow(list: ListValue, count: number, meter: Meter): void {
  if (list.items.length + count > MAX_ITEMS) takeList(list.items.length + count, meter);
  meter.allocate(SLOT_BYTES * count);
}

/** Pays for items that move to other places. */
const move = (count: number, meter: Meter): void => meter.spend(count / CHARACTERS_PER_STEP);

/** Adds the items of a value to a list: `list += value` too. */
export function* extend(list: ListValue, value: ScriptValue, tools: Tools): Run<null> {
  const items = yield* itemsIn(value, tools);
  grow(list, items.length, tools.meter);
  for (const item of items) list.items.push(item);
  return null;
}

/** Index of the first equal item within bounds; -1 when there is none. */
function* find(items: readonly ScriptValue[], wanted: ScriptValue, meter: Meter, start = 0): Run<number> {
  for (let index = start; index < items.length; index++) {
    if (meter.isTurnOver) yield 'turn';
    if (yield* outcomeOf(compare('==', items[index] as ScriptValue, wanted, meter))) return index;
  }
  return -1;
}

/** A place in a list as `insert` takes it: a place beyond an end means that end. */
function placeIn(length: number, given: ScriptValue): number {
  const place = arithmetic(plain(given));
  if (typeof place !== 'bigint') throw new ScriptError('TypeError', 'a place in a list is a whole number');
  const fromStart = place < 0n ? place + BigInt(length) : place;
  return Number(fromStart < 0n ? 0n : fromStart > BigInt(length) ? BigInt(length) : fromStart);
}

/** `index` and `count`, which tuples have too. */
export const TUPLE_METHODS: Readonly<Record<string, Method<ListValue | TupleValue>>> = {
  *index({ items }, args, { meter }) {
    const [wanted = null, start = 0n] = only('index', args, 1, 2);
    const index = yield* find(items, wanted, meter, placeIn(items.length, start));
    if (index < 0) throw new ScriptError('ValueError', 'the value is not in the list');
    return BigInt(index);
  },
  *count({ items }, args, { meter }) {
    const [wanted = null] = only('count', args, 1, 1);
    let count = 0n;
    for (let at = yield* find(items, wanted, meter); at >= 0; at = yield* find(items, wanted, meter, at + 1)) count++;
    return count;
  },
};

export const LIST_METHODS: Readonly<Record<string, Method<ListValue>>> = {
  ...TUPLE_METHODS,
  append(list, args, { meter }) {
    const [item = null] = only('append', args, 1, 1);
    grow(list, 1, meter);
    list.items.push(item);
    return null;
  },
  extend: (list, args, tools) => extend(list, only('extend', args, 1, 1)[0] as ScriptValue, tools),
  insert(list, args, { meter }) {
    const [place = null, item = null] = only('insert', args, 2, 2);
    const at = placeIn(list.items.length, place);
    grow(list, 1, meter);
    move(list.items.length - at, meter);
    list.items.splice(at, 0, item);
    return null;
  },
  *remove(list, args, { meter }) {
    const [wanted = null] = only('remove', args, 1, 1);
    const index = yield* find(list.items, wanted, meter);
    if (index < 0) throw new ScriptError('ValueError', 'list.remove(x): x not in list');
    move(list.items.length - index, meter);
    list.items.splice(index, 1);
    return null;
  },
  pop(list, args, { meter }) {
    const [place = -1n] = only('pop', args, 0, 1);
    if (list.items.length === 0) throw new ScriptError('IndexError', 'pop from empty list');
    const index = Number(indexIn(list, place, BigInt(list.items.length), 'pop'));
    move(list.items.length - index, meter);
    return list.items.splice(index, 1)[0] as ScriptValue;
  },
  clear(list, args) {
    only('clear', args, 0, 0);
    list.items.length = 0;
    return null;
  },
  reverse(list, args, { meter }) {
    only('reverse', args, 0, 0);
    move(list.items.length, meter);
    list.items.reverse();
    return null;
  },
  *sort(list, args, tools) {
    only('sort', { ...args, keywords: [] }, 0, 0);
    const ordered = yield* sortedItems([...list.items], args, tools);
    list.items.length = 0;
    for (const item of ordered) list.items.push(item);
    // Counts one byte, because names are measured only after blocks that have stored something.
    tools.meter.allocate(1);
    return null;
  },
  *copy(list, args, tools) {
    only('copy', args, 0, 0);
    return new ListValue(yield* itemsIn(list, tools));
  },
};
