// Comparison with Python's meaning; quantities are compared in the left side's units.

import type { ComparisonOperator } from '../grammar/index.js';
import { keyOf } from './dictionary-key.js';
import { ScriptError } from './error.js';
import { CHARACTERS_PER_STEP, type Meter } from './meter.js';
import { inUnits } from './quantities.js';
import { DEEPEST, tooDeep } from './text.js';
import { isInText } from './text-search.js';
import { TimeValue } from './time-values.js';
import { typeName } from './type-name.js';
import {
  arithmetic,
  Bytes,
  ClassValue,
  DictionaryValue,
  itemsOf,
  ListValue,
  plain,
  Quantity,
  RangeValue,
  type Run,
  type ScriptValue,
  TupleValue,
} from './values.js';

type Order = '<' | '<=' | '>' | '>=';

/** Compares at once, or gives way now and then where there are many values to compare. */
export function compare(
  operator: ComparisonOperator,
  left: ScriptValue,
  right: ScriptValue,
  meter: Meter,
): boolean | Run<boolean> {
  switch (operator) {
    case '==':
      return equalAtOnce(left, right, meter) ?? areEqual(left, right, meter, 0);
    case '!=':
      return not(equalAtOnce(left, right, meter) ?? areEqual(left, right, meter, 0));
    case 'is':
      return isSame(left, right, meter);
    case 'is not':
      return !isSame(left, right, meter);
    case 'in':
      return isIn(left, right, meter);
    case 'not in':
      return not(isIn(left, right, meter));
    default:
      return orderedAtOnce(operator, left, right, meter) ?? areItemsOrdered(operator, left, right, meter, 0);
  }
}

/** The outcome of `compare`, which may give way. */
export function* outcomeOf(outcome: boolean | Run<boolean>): Run<boolean> {
  return typeof outcome === 'boolean' ? outcome : yield* outcome;
}

const not = (outcome: boolean | Run<boolean>): boolean | Run<boolean> =>
  typeof outcome === 'boolean' ? !outcome : negated(outcome);

function* negated(outcome: Run<boolean>): Run<boolean> {
  return !(yield* outcome);
}

/** `is`: equal texts and equal numbers of one type count as the same object; Python leaves that open. */
function isSame(left: ScriptValue, right: ScriptValue, meter: Meter): boolean {
  if (left instanceof ClassValue && right instanceof ClassValue) return isSameClass(left, right);
  if (typeof left === 'string' && typeof right === 'string') return isSameText(left, right, meter);
  return left === right;
}

const isSameClass = (left: ClassValue, right: ClassValue): boolean =>
  left.isSubclassOf(right) && right.isSubclassOf(left);

/** The block pays for the whole length, because equal texts are read to their end. */
function isSameText(left: string, right: string, meter: Meter): boolean {
  if (left.length !== right.length) return false;
  meter.spend(left.length / CHARACTERS_PER_STEP);
  return left === right;
}

/** Whether two values are equal; undefined when their items must be compared. */
function equalAtOnce(left: ScriptValue, right: ScriptValue, meter: Meter): boolean | undefined {
  meter.spend(1);
  if (typeof left === 'string' && typeof right === 'string') return isSameText(left, right, meter);
  const [a, b] = comparable(left, right);
  if (a !== undefined && b !== undefined) return a <= b && a >= b;
  if (left === right) return true;
  if (left instanceof ClassValue && right instanceof ClassValue) return isSameClass(left, right);
  if (left instanceof DictionaryValue && right instanceof DictionaryValue)
    return left.entries.size === right.entries.size ? undefined : false;
  if (left instanceof RangeValue && right instanceof RangeValue) return isEqualRange(left, right);
  if (left instanceof Bytes && right instanceof Bytes) return isSameText(left.text, right.text, meter);
  const [leftItems, rightItems] = [itemsOf(plain(left)), itemsOf(plain(right))];
  if (!leftItems || !rightItems || isList(left) !== isList(right)) return false;
  return leftItems.length === rightItems.length ? undefined : false;
}

const isList = (value: ScriptValue): boolean => plain(value) instanceof ListValue;

/** Compares the items of two lists, tuples or dictionaries of one size. */
function* areEqual(left: ScriptValue, right: ScriptValue, meter: Meter, depth: number): Run<boolean> {
  if (depth > DEEPEST) throw tooDeep();
  if (left instanceof DictionaryValue && right instanceof DictionaryValue)
    return yield* areEntriesEqual(left, right, meter, depth);
  return (yield* firstDifference(itemsOf(plain(left)) ?? [], itemsOf(plain(right)) ?? [], meter, depth)) < 0;
}

function* areEntriesEqual(left: DictionaryValue, right: DictionaryValue, meter: Meter, depth: number): Run<boolean> {
  for (const [key, { value }] of left.entries) {
    if (meter.isTurnOver) yield 'turn';
    meter.spend(key.length / CHARACTERS_PER_STEP);
    const other = right.entries.get(key);
    if (!other) return false;
    if (!(equalAtOnce(value, other.value, meter) ?? (yield* areEqual(value, other.value, meter, depth + 1))))
      return false;
  }
  return true;
}

function isEqualRange(left: RangeValue, right: RangeValue): boolean {
  const { length } = left;
  if (length !== right.length || length === 0n) return length === right.length;
  return left.start === right.start && (length === 1n || left.step === right.step);
}

/** Index of the first items that differ; -1 when the shorter list has none. */
function* firstDifference(
  left: readonly ScriptValue[],
  right: readonly ScriptValue[],
  meter: Meter,
  depth: number,
): Run<number> {
  for (let index = 0; index < left.length && index < right.length; index++) {
    if (meter.isTurnOver) yield 'turn';
    const [a, b] = [left[index] as ScriptValue, right[index] as ScriptValue];
    if (!(equalAtOnce(a, b, meter) ?? (yield* areEqual(a, b, meter, depth + 1)))) return index;
  }
  return -1;
}

/** Both sides as numbers in the left side's units. */
function comparable(left: ScriptValue, right: ScriptValue): [bigint | number | undefined, bigint | number | undefined] {
  if (left instanceof Quantity && right instanceof Quantity && left.hasUnits && right.hasUnits)
    return [arithmetic(left.magnitude), arithmetic(inUnits(right, left.units))];
  if (left instanceof TimeValue && right instanceof TimeValue && left.typeName === right.typeName)
    return [left.micros, right.micros];
  return [arithmetic(plain(left)), arithmetic(plain(right))];
}

/** Whether two values are in order; undefined when their items must be compared. */
function orderedAtOnce(operator: Order, left: ScriptValue, right: ScriptValue, meter: Meter): boolean | undefined {
  meter.spend(1);
  const [a, b] = comparable(left, right);
  if (a !== undefined && b !== undefined) return inOrder(operator, a, b);
  if (typeof left === 'string' && typeof right === 'string') {
    meter.spend(Math.min(left.length, right.length) / CHARACTERS_PER_STEP);
    return inOrder(operator, left, right);
  }
  const isBoth = (kind: typeof ListValue | typeof TupleValue): boolean => left instanceof kind && right instanceof kind;
  if (isBoth(ListValue) || isBoth(TupleValue)) return undefined;
  throw new ScriptError(
    'TypeError',
    `'${operator}' not supported between instances of '${typeName(left)}' and '${typeName(right)}'`,
  );
}

/** The first items that differ decide, else the lengths. */
function* areItemsOrdered(
  operator: Order,
  left: ScriptValue,
  right: ScriptValue,
  meter: Meter,
  depth: number,
): Run<boolean> {
  if (depth > DEEPEST) throw tooDeep();
  const [a, b] = [itemsOf(left) ?? [], itemsOf(right) ?? []];
  const index = yield* firstDifference(a, b, meter, depth);
  if (index < 0) return inOrder(operator, a.length, b.length);
  const [x, y] = [a[index] as ScriptValue, b[index] as ScriptValue];
  return orderedAtOnce(operator, x, y, meter) ?? (yield* areItemsOrdered(operator, x, y, meter, depth + 1));
}

function inOrder<T extends bigint | number | string>(operator: Order, a: T, b: T): boolean {
  switch (operator) {
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
  }
}

function isIn(item: ScriptValue, container: ScriptValue, meter: Meter): boolean | Run<boolean> {
  if (typeof container === 'string') {
    if (typeof item === 'string') return isInText(item, container, meter);
    throw new ScriptError('TypeError', `'in <string>' requires string as left operand, not ${typeName(item)}`);
  }
  if (container instanceof DictionaryValue) return container.entries.has(keyOf(item, meter));
  if (container instanceof RangeValue) {
    const number = arithmetic(plain(item));
    if (number === undefined || (typeof number === 'number' && !Number.isInteger(number))) return false;
    return rangeHas(container, BigInt(number));
  }
  const items = itemsOf(plain(container));
  if (!items) throw new ScriptError('TypeError', `argument of type '${typeName(container)}' is not iterable`);
  return isAmong(item, items, meter);
}

function* isAmong(item: ScriptValue, items: readonly ScriptValue[], meter: Meter): Run<boolean> {
  for (const candidate of items) {
    if (meter.isTurnOver) yield 'turn';
    // The same object counts as equal even where it is a NaN.
    if (typeof item !== 'string' && candidate === item) return true;
    if (equalAtOnce(candidate, item, meter) ?? (yield* areEqual(candidate, item, meter, 0))) return true;
  }
  return false;
}

const rangeHas = ({ start, step, length }: RangeValue, item: bigint): boolean => {
  const index = (item - start) / step;
  return start + index * step === item && index >= 0n && index < length;
};
