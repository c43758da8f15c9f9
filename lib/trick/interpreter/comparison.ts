// Comparison with Python's meaning; quantities are compared in the left side's units.
import type { ComparisonOperator } from '../../../grammar/trick/index.js';
import { converter } from '../../units/index.js';
import { ScriptError } from './error.js';
import type { Meter } from './meter.js';
import { DEEPEST, tooDeep } from './text.js';
import {
  arithmetic,
  Bytes,
  DictionaryValue,
  itemsOf,
  keyOf,
  ListValue,
  plain,
  Quantity,
  RangeValue,
  type ScriptValue,
  TupleValue,
  typeName,
} from './values.js';

type Order = '<' | '<=' | '>' | '>=';

export function compare(operator: ComparisonOperator, left: ScriptValue, right: ScriptValue, meter: Meter): boolean {
  switch (operator) {
    case '==':
      return isEqual(left, right, meter);
    case '!=':
      return !isEqual(left, right, meter);
    case 'is':
      return isSame(left, right);
    case 'is not':
      return !isSame(left, right);
    case 'in':
      return isIn(left, right, meter);
    case 'not in':
      return !isIn(left, right, meter);
    default:
      return isOrdered(operator, left, right, meter);
  }
}

/** `is`: equal texts and equal numbers of one type count as the same object; Python leaves that open. */
const isSame = (left: ScriptValue, right: ScriptValue): boolean => left === right;

function isEqual(left: ScriptValue, right: ScriptValue, meter: Meter, depth = 0): boolean {
  meter.spend(1);
  const [a, b] = comparable(left, right);
  if (a !== undefined && b !== undefined) return a <= b && a >= b;
  if (depth > DEEPEST) throw tooDeep();
  if (left instanceof DictionaryValue && right instanceof DictionaryValue)
    return isEqualDictionary(left, right, meter, depth);
  if (left instanceof RangeValue && right instanceof RangeValue) return isEqualRange(left, right);
  if (left instanceof Bytes && right instanceof Bytes) return left.text === right.text;
  const [leftItems, rightItems] = [itemsOf(plain(left)), itemsOf(plain(right))];
  if (!leftItems || !rightItems || isList(left) !== isList(right)) return left === right;
  return leftItems.length === rightItems.length && firstDifference(leftItems, rightItems, meter, depth) < 0;
}

const isList = (value: ScriptValue): boolean => plain(value) instanceof ListValue;

function isEqualDictionary(left: DictionaryValue, right: DictionaryValue, meter: Meter, depth: number): boolean {
  if (left.entries.size !== right.entries.size) return false;
  for (const [key, { value }] of left.entries) {
    const other = right.entries.get(key);
    if (!other || !isEqual(value, other.value, meter, depth + 1)) return false;
  }
  return true;
}

function isEqualRange(left: RangeValue, right: RangeValue): boolean {
  const { length } = left;
  if (length !== right.length || length === 0n) return length === right.length;
  return left.start === right.start && (length === 1n || left.step === right.step);
}

/** Index of the first items that differ; -1 when the shorter list has none. */
function firstDifference(
  left: readonly ScriptValue[],
  right: readonly ScriptValue[],
  meter: Meter,
  depth: number,
): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const [a, b] = [left[index] as ScriptValue, right[index] as ScriptValue];
    if (a !== b && !isEqual(a, b, meter, depth + 1)) return index;
  }
  return -1;
}

/** Both sides as numbers in the left side's units. */
function comparable(left: ScriptValue, right: ScriptValue): [bigint | number | undefined, bigint | number | undefined] {
  if (left instanceof Quantity && right instanceof Quantity && left.units !== right.units) {
    return [arithmetic(plain(left)), arithmetic(inUnits(right, left.units))];
  }
  return [arithmetic(plain(left)), arithmetic(plain(right))];
}

/** The number of a quantity in other units. Throws a UnitsError when the units do not convert. */
export function inUnits({ magnitude, units }: Quantity, wanted: string): ScriptValue {
  const { convert, isIdentity } = converter(units, wanted);
  if (isIdentity) return magnitude;
  if (magnitude instanceof ListValue) return new ListValue(magnitude.items.map((item) => convert(Number(item))));
  return convert(Number(magnitude));
}

function isOrdered(operator: Order, left: ScriptValue, right: ScriptValue, meter: Meter, depth = 0): boolean {
  meter.spend(1);
  const [a, b] = comparable(left, right);
  if (a !== undefined && b !== undefined) return inOrder(operator, a, b);
  if (typeof left === 'string' && typeof right === 'string') return inOrder(operator, left, right);
  const isBoth = (kind: typeof ListValue | typeof TupleValue): boolean => left instanceof kind && right instanceof kind;
  if (isBoth(ListValue) || isBoth(TupleValue)) return areItemsOrdered(operator, left, right, meter, depth);
  throw new ScriptError(
    'TypeError',
    `'${operator}' not supported between instances of '${typeName(left)}' and '${typeName(right)}'`,
  );
}

/** The first items that differ decide, else the lengths. */
function areItemsOrdered(operator: Order, left: ScriptValue, right: ScriptValue, meter: Meter, depth: number): boolean {
  if (depth > DEEPEST) throw tooDeep();
  const [a, b] = [itemsOf(left) ?? [], itemsOf(right) ?? []];
  const index = firstDifference(a, b, meter, depth);
  if (index < 0) return inOrder(operator, a.length, b.length);
  return isOrdered(operator, a[index] as ScriptValue, b[index] as ScriptValue, meter, depth + 1);
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

function isIn(item: ScriptValue, container: ScriptValue, meter: Meter): boolean {
  if (typeof container === 'string') return isInText(item, container, meter);
  if (container instanceof DictionaryValue) return container.entries.has(keyOf(item, meter));
  if (container instanceof RangeValue) {
    const number = arithmetic(plain(item));
    if (number === undefined || (typeof number === 'number' && !Number.isInteger(number))) return false;
    return rangeHas(container, BigInt(number));
  }
  const items = itemsOf(plain(container));
  if (!items) throw new ScriptError('TypeError', `argument of type '${typeName(container)}' is not iterable`);
  return items.some((candidate) => candidate === item || isEqual(candidate, item, meter));
}

const LONGEST_SEARCH = 2e7;

function isInText(item: ScriptValue, text: string, meter: Meter): boolean {
  if (typeof item !== 'string') {
    throw new ScriptError('TypeError', `'in <string>' requires string as left operand, not ${typeName(item)}`);
  }
  // The block pays before the search, which cannot be stopped halfway.
  if (item.length * text.length > LONGEST_SEARCH)
    throw new ScriptError('RuntimeError', 'texts this long are not searched for each other');
  meter.spend((item.length * text.length) / 4096);
  return text.includes(item);
}

const rangeHas = ({ start, step, length }: RangeValue, item: bigint): boolean => {
  const index = (item - start) / step;
  return start + index * step === item && index >= 0n && index < length;
};
