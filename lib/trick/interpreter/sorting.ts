// sorted() and list.sort(): a stable merge sort that gives way, because a comparison may cost much.
import { itemsIn } from './classes.js';
import { compare, outcomeOf } from './comparison.js';
import { keywordsOf, only } from './signature.js';
import { type Arguments, isTrue, ListValue, type Run, type ScriptValue, type Tools } from './values.js';

/** An item and what it is sorted by. */
interface Keyed {
  readonly key: ScriptValue;
  readonly item: ScriptValue;
}

/** `sorted(items, key=function, reverse=True)` */
export function* sorted(args: Arguments, tools: Tools): Run<ScriptValue> {
  const [value = null] = only('sorted', { ...args, keywords: [] }, 1, 1);
  return new ListValue(yield* sortedItems(yield* itemsIn(value, tools), args, tools));
}

/** The items in order, by the keywords of the call. */
export function* sortedItems(items: readonly ScriptValue[], args: Arguments, tools: Tools): Run<ScriptValue[]> {
  const [key = null, reverse = false] = keywordsOf('sort', args, ['key', 'reverse']);
  tools.meter.allocate(48 * items.length);
  const keyed: Keyed[] = [];
  for (const item of items) {
    if (tools.meter.isTurnOver) yield 'turn';
    keyed.push({ item, key: key === null ? item : yield* tools.call(key, { positional: [item], keywords: [] }) });
  }
  const isReversed = isTrue(reverse);
  // Equal items keep their order also when the order is turned around.
  if (isReversed) keyed.reverse();
  const ordered = (yield* mergeSort(keyed, tools)).map(({ item }) => item);
  return isReversed ? ordered.reverse() : ordered;
}

function* mergeSort(items: Keyed[], tools: Tools): Run<Keyed[]> {
  let from = items;
  let to = new Array<Keyed>(items.length);
  for (let width = 1; width < items.length; width *= 2) {
    for (let start = 0; start < items.length; start += 2 * width) yield* merge(from, to, start, width, tools);
    [from, to] = [to, from];
  }
  return from;
}

/** Merges two sorted runs of a width that lie side by side. */
function* merge(from: readonly Keyed[], to: Keyed[], start: number, width: number, { meter }: Tools): Run<void> {
  const [middle, end] = [Math.min(start + width, from.length), Math.min(start + 2 * width, from.length)];
  let [left, right] = [start, middle];
  for (let at = start; at < end; at++) {
    if (meter.isTurnOver) yield 'turn';
    meter.spend(1);
    const isLeft = left < middle && (right >= end || !(yield* isBefore(from[right], from[left], meter)));
    to[at] = from[isLeft ? left++ : right++] as Keyed;
  }
}

const isBefore = (a: Keyed | undefined, b: Keyed | undefined, meter: Tools['meter']): Run<boolean> =>
  outcomeOf(compare('<', a?.key ?? null, b?.key ?? null, meter));
