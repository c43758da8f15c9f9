// The arithmetic operators on any values: numbers, quantities with units, texts and lists.
import type { BinaryOperator, UnaryOperator } from '../grammar/index.js';
import { ScriptError } from './error.js';
import { CHARACTERS_PER_STEP, type Meter } from './meter.js';
import { floats, integers, toFloat } from './numbers.js';
import { inUnits, unitsOfResult } from './quantities.js';
import { combinedTimes, TimeValue } from './time-values.js';
import { typeName } from './type-name.js';
import {
  arithmetic,
  Bytes,
  DictionaryValue,
  isTrue,
  itemsOf,
  ListValue,
  plain,
  Quantity,
  RangeValue,
  type ScriptValue,
  TupleValue,
} from './values.js';

/** The most characters of a text and items of a list. */
export const MAX_ITEMS = 100_000;
/** A slot of a list, in bytes. */
const SLOT_BYTES = 16;

export function binary(operator: BinaryOperator, left: ScriptValue, right: ScriptValue, meter: Meter): ScriptValue {
  if (left instanceof Quantity || right instanceof Quantity) return withUnits(operator, left, right, meter);
  const [a, b] = [arithmetic(left), arithmetic(right)];
  if (typeof a === 'bigint' && typeof b === 'bigint') return integral(operator, left, right, meter);
  if (a !== undefined && b !== undefined)
    return floats(operator, toFloat(a), toFloat(b)) ?? unsupported(operator, left, right);
  return sequences(operator, left, right, meter);
}

function integral(operator: BinaryOperator, left: ScriptValue, right: ScriptValue, meter: Meter): ScriptValue {
  const [a, b] = [BigInt(left as bigint), BigInt(right as bigint)];
  if (isLarge(a) || isLarge(b)) meter.allocate(LARGE_INTEGER_BYTES);
  const result = integers(operator, a, b);
  if (isLarge(result)) meter.allocate(LARGE_INTEGER_BYTES);
  // `True & False` is a truth value, not a number.
  const isLogical = typeof left === 'boolean' && typeof right === 'boolean' && /[&|^]/.test(operator);
  return isLogical ? result !== 0n : result;
}

const MAX_CHEAP = 2n ** 64n;
/** The size of an integer of the most bits. */
const LARGE_INTEGER_BYTES = 512;
const isLarge = (value: bigint | number): boolean => value > MAX_CHEAP || value < -MAX_CHEAP;

/** The right side of a sum is converted whole, also a temperature: 100 degF - 20 degC is 32 degF. */
function withUnits(operator: BinaryOperator, left: ScriptValue, right: ScriptValue, meter: Meter): ScriptValue {
  const [a, b] = [unitsOf(left), unitsOf(right)];
  if ((a ?? b) !== undefined && (left instanceof TimeValue || right instanceof TimeValue))
    return unsupported(operator, left, right);
  const isSum = operator === '+' || operator === '-';
  const operand = isSum && a !== undefined && b !== undefined ? inUnits(right as Quantity, a) : plain(right);
  const units = unitsOfResult(operator, a, b, operand);
  const { form } = (left instanceof Quantity ? left : right) as Quantity;
  const result = binary(operator, plain(left), operand, meter);
  meter.allocate(units.length);
  return typeof result === 'bigint' || typeof result === 'number' ? new Quantity(result, units, form) : result;
}

const unitsOf = (value: ScriptValue): string | undefined =>
  value instanceof Quantity && value.hasUnits ? value.units : undefined;

function unsupported(operator: string, left: ScriptValue, right: ScriptValue): never {
  const shown = operator === '**' ? '** or pow()' : operator;
  throw new ScriptError(
    'TypeError',
    `unsupported operand type(s) for ${shown}: '${typeName(left)}' and '${typeName(right)}'`,
  );
}

function sequences(operator: BinaryOperator, left: ScriptValue, right: ScriptValue, meter: Meter): ScriptValue {
  const joined = operator === '+' ? concatenate(left, right, meter) : undefined;
  if (joined !== undefined) return joined;
  const repeated = operator === '*' ? (repeat(left, right, meter) ?? repeat(right, left, meter)) : undefined;
  if (repeated !== undefined) return repeated;
  if (operator === '*' && (isSequence(left) || isSequence(right))) {
    throw new ScriptError(
      'TypeError',
      `can't multiply sequence by non-int of type '${typeName(isSequence(left) ? right : left)}'`,
    );
  }
  return combinedTimes(operator, left, right) ?? unsupported(operator, left, right);
}

const isSequence = (value: ScriptValue): boolean =>
  typeof value === 'string' || value instanceof Bytes || itemsOf(value) !== undefined;

function concatenate(left: ScriptValue, right: ScriptValue, meter: Meter): ScriptValue | undefined {
  if (typeof left === 'string' && typeof right === 'string') {
    takeText(left.length + right.length, meter);
    return left + right;
  }
  if (left instanceof Bytes && right instanceof Bytes) {
    takeText(left.text.length + right.text.length, meter);
    return new Bytes(left.text + right.text);
  }
  const [a, b] = [itemsOf(left), itemsOf(right)];
  if (!a && typeof left !== 'string') return undefined;
  if (!a || !b || left instanceof ListValue !== right instanceof ListValue) {
    const kind = typeName(left);
    throw new ScriptError('TypeError', `can only concatenate ${kind} (not "${typeName(right)}") to ${kind}`);
  }
  takeList(a.length + b.length, meter);
  return left instanceof ListValue ? new ListValue([...a, ...b]) : new TupleValue([...a, ...b]);
}

function repeat(sequence: ScriptValue, count: ScriptValue, meter: Meter): ScriptValue | undefined {
  const number = arithmetic(count);
  if (typeof number !== 'bigint') return undefined;
  const times = number < 0n ? 0 : Number(number);
  if (typeof sequence === 'string' || sequence instanceof Bytes) {
    const text = typeof sequence === 'string' ? sequence : sequence.text;
    takeText(text === '' ? 0 : times * text.length, meter);
    const repeated = text.repeat(text === '' ? 0 : times);
    return typeof sequence === 'string' ? repeated : new Bytes(repeated);
  }
  const items = itemsOf(sequence);
  if (!items) return undefined;
  const length = items.length === 0 ? 0 : times * items.length;
  takeList(length, meter);
  const repeated = repeatedItems(items, length);
  return sequence instanceof ListValue ? new ListValue(repeated) : new TupleValue(repeated);
}

/** A plain loop: `Array.from` with a function takes ten times as long, 10 ms for the longest list. */
function repeatedItems(items: readonly ScriptValue[], length: number): ScriptValue[] {
  const repeated = new Array<ScriptValue>(length);
  for (let at = 0, from = 0; at < length; at++) {
    repeated[at] = items[from] as ScriptValue;
    from = from + 1 === items.length ? 0 : from + 1;
  }
  return repeated;
}

/** Pays for a text before it is made. */
export function takeText(length: number, meter: Meter): void {
  if (length > MAX_ITEMS) throw tooLong('text', 'characters');
  meter.allocate(length);
}

/** A text with more at its end, which is paid for. */
export function grown(text: string, more: string, meter: Meter): string {
  if (text.length + more.length > MAX_ITEMS) throw tooLong('text', 'characters');
  meter.allocate(more.length);
  return text + more;
}

/** Pays for a list before it is made. */
export function takeList(length: number, meter: Meter): void {
  if (length > MAX_ITEMS) throw tooLong('list', 'items');
  meter.allocate(SLOT_BYTES * length);
}

const tooLong = (what: string, of: string): ScriptError =>
  new ScriptError('MemoryError', `a ${what} is limited to ${MAX_ITEMS} ${of}`);

export function unary(operator: UnaryOperator, value: ScriptValue): ScriptValue {
  if (operator === 'not') return !isTrue(value);
  if (value instanceof Quantity && (operator !== '~' || typeof value.magnitude !== 'number'))
    return new Quantity(unary(operator, value.magnitude) as number, value.units, value.form);
  const number = arithmetic(plain(value));
  if (number === undefined || (operator === '~' && typeof number !== 'bigint')) {
    throw new ScriptError('TypeError', `bad operand type for unary ${operator}: '${typeName(value)}'`);
  }
  if (operator === '+') return number;
  return operator === '-' ? -number : -(number as bigint) - 1n;
}

/** Number of elements of a text, list, range or dictionary; undefined for any other value. */
export function lengthOf(value: ScriptValue, meter: Meter): bigint | undefined {
  if (typeof value === 'string') return BigInt(characters(value, meter).length);
  if (value instanceof RangeValue) return value.length;
  if (value instanceof DictionaryValue) return BigInt(value.entries.size);
  if (value instanceof Bytes) return BigInt(value.text.length);
  const items = itemsOf(plain(value));
  return items ? BigInt(items.length) : undefined;
}

/** The characters of a text, as Python counts them. */
export function characters(text: string, meter: Meter): ArrayLike<string> & Iterable<string> {
  meter.spend(text.length / CHARACTERS_PER_STEP);
  if (!/[\ud800-\udfff]/.test(text)) return text;
  meter.spend(text.length / 4);
  return [...text];
}
