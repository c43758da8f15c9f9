// sorted() and list.sort(): a stable merge sort that gives way, because a comparison may cost much.
import { itemsIn } from './classes.js';
import { compare, outcomeOf } from './comparison.js';
import { keywordsOf, only } from './signature.js';
import { type Arguments, isTrue, ListValue, type Run, type ScriptValue, type Tools } from './values.js';

/** `sorted(items, key=function, reverse=True)` */
export function* sorted(args: Arguments, tools: Tools): Run<ScriptValue> {
  const [value = null] = only('sorted', { ...args, keywords: [] }, 1, 1);
  return new ListValue(yield* sortedItems(yield* itemsIn(value, tools), args, tools));
}

/** The items in order, by the keywords of the call. */
export function* sortedItems(items: readonly ScriptValue[], args: Arguments, tools: Tools): Run<ScriptValue[]> {
  const [key = null, reverse = false] = keywordsOf('sort', args, ['key', 'reverse']);
  tools.meter.allocate(24 * items.length);
  const keys = key === null ? items : yield* keysOf(items, key, tools);
  // Places are sorted instead of items: numbers that the garbage collector need not look at.
  const places = new Uint32Array(items.length).map((_, place) => place);
  const isReversed = isTrue(reverse);
  // Equal items keep their order also when the order is turned around.
  if (isReversed) places.reverse();
  const ordered = Array.from(yield* mergeSort(places, keys, tools), (place) => items[place] as ScriptValue);
  return isReversed ? ordered.reverse() : ordered;
}

function* keysOf(items: readonly ScriptValue[], key: ScriptValue, tools: Tools): Run<ScriptValue[]> {
  const keys: ScriptValue[] = [];
  for (const item of items) {
    if (tools.meter.isTurnOver) yield 'turn';
    keys.push(yield* tools.call(key, { positional: [item], keywords: [] }));
  }
  return keys;
}

function* mergeSort(places: Uint32Array, keys: readonly ScriptValue[], tools: Tools): Run<Uint32Array> {
  let from: Uint32Array = places;
  let to: Uint32Array = new Uint32Array(places.length);
  for (let width = 1; width < places.length; width *= 2) {
    for (let start = 0; start < places.length; start += 2 * width)
      yield* merge({ from, to, keys }, start, width, tools);
    [from, to] = [to, from];
  }
  return from;
}

/** One pass of a sort: the places before and after it, and what each place is sorted by. */
interface Pass {
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly keys: readonly ScriptValue[];
}

/** Merges two sorted runs of a width that lie side by side. */
function* merge({ from, to, keys }: Pass, start: number, width: number, { meter }: Tools): Run<void> {
  const [middle, end] = [Math.min(start + width, from.length), Math.min(start + 2 * width, from.length)];
  let [left, right] = [start, middle];
  const keyAt = (index: number): ScriptValue => keys[from[index] as number] as ScriptValue;
  for (let at = start; at < end; at++) {
    if (meter.isTurnOver) yield 'turn';
    meter.spend(1);
    const isLeft =
      left < middle && (right >= end || !(yield* outcomeOf(compare('<', keyAt(right), keyAt(left), meter))));
    to[at] = from[isLeft ? left++ : right++] as number;
  }
}
