// Arithmetic and comparison with Python's meaning.
import type { BinaryOperator, ComparisonOperator } from '../../../grammar/trick/index.js';
import { converter } from '../../units/index.js';
import { ScriptError } from './error.js';
import { repr } from './text.js';
import {
  Bytes,
  DictionaryValue,
  ListValue,
  Quantity,
  RangeValue,
  TupleValue,
  typeName,
  type Value,
  VariableProxy,
} from './values.js';

/** An integer or text longer than this is no simulation's business. */
const MAX_INTEGER_BITS = 4096n;
const MAX_ITEMS = 100_000;

export function binary(operator: BinaryOperator, left: Value, right: Value): Value {
  if (left instanceof Quantity || right instanceof Quantity) return withUnits(operator, left, right);
  const [a, b] = [arithmetic(left), arithmetic(right)];
  if (typeof a === 'bigint' && typeof b === 'bigint') return integers(operator, a, b);
  if (a !== undefined && b !== undefined) return floats(operator, Number(a), Number(b), left, right);
  return sequences(operator, left, right);
}

const arithmetic = (value: Value): bigint | number | undefined =>
  typeof value === 'boolean' ? BigInt(value) : typeof value === 'bigint' || typeof value === 'number' ? value : undefined;

/** Sums and differences are in the left side's units, products with a plain number keep units, the rest drop them. */
function withUnits(operator: BinaryOperator, left: Value, right: Value): Value {
  const units = left instanceof Quantity ? left.units : (right as Quantity).units;
  const isSum = operator === '+' || operator === '-';
  const both = left instanceof Quantity && right instanceof Quantity;
  const b = both && isSum ? inUnits(right, left.units) : plain(right);
  const result = binary(operator, plain(left), b);
  const keeps = isSum || (!both && (operator === '*' || (operator === '/' && left instanceof Quantity)));
  return keeps && (typeof result === 'bigint' || typeof result === 'number') ? new Quantity(result, units) : result;
}

const plain = (value: Value): Value => (value instanceof Quantity ? value.magnitude : value);

function inUnits(quantity: Quantity, units: string): Value {
  const { convert, isIdentity } = converter(quantity.units, units);
  return isIdentity ? quantity.magnitude : convert(Number(quantity.magnitude));
}

const unsupported = (operator: string, left: Value, right: Value): ScriptError =>
  new ScriptError('TypeError', `unsupported operand type(s) for ${operator}: '${typeName(left)}' and '${typeName(right)}'`);

function integers(operator: BinaryOperator, a: bigint, b: bigint): Value {
  switch (operator) {
    case '+':
      return bounded(a + b);
    case '-':
      return bounded(a - b);
    case '*':
      return bounded(a * b);
    case '/':
      return b === 0n ? divisionByZero('division by zero') : Number(a) / Number(b);
    case '//':
      return b === 0n ? divisionByZero('integer division or modulo by zero') : floorDivide(a, b);
    case '%':
      return b === 0n ? divisionByZero('integer modulo by zero') : a - floorDivide(a, b) * b;
    case '**':
      return integerPower(a, b);
    default:
      return bitwise(operator, a, b);
  }
}

function bitwise(operator: BinaryOperator, a: bigint, b: bigint): Value {
  switch (operator) {
    case '<<':
      return shift(a, b);
    case '>>':
      return b < 0n ? negativeShift() : a >> (b > MAX_INTEGER_BITS ? MAX_INTEGER_BITS : b);
    case '&':
      return a & b;
    case '|':
      return a | b;
    default:
      return a ^ b;
  }
}

function shift(a: bigint, b: bigint): bigint {
  if (b < 0n) return negativeShift();
  if (b > MAX_INTEGER_BITS) throw tooLarge();
  return bounded(a << b);
}

function negativeShift(): never {
  throw new ScriptError('ValueError', 'negative shift count');
}

function divisionByZero(message: string): never {
  throw new ScriptError('ZeroDivisionError', message);
}

const tooLarge = (): ScriptError => new ScriptError('OverflowError', `an integer is limited to ${MAX_INTEGER_BITS} bits`);

const LIMIT = 1n << MAX_INTEGER_BITS;
function bounded(value: bigint): bigint {
  if (value >= LIMIT || value <= -LIMIT) throw tooLarge();
  return value;
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

function integerPower(a: bigint, b: bigint): Value {
  if (b < 0n) return a === 0n ? divisionByZero('0.0 cannot be raised to a negative power') : Number(a) ** Number(b);
  const bits = BigInt((a < 0n ? -a : a).toString(2).length);
  if (a !== 0n && a !== 1n && a !== -1n && bits * b > 2n * MAX_INTEGER_BITS) throw tooLarge();
  return bounded(a ** b);
}

function floats(operator: BinaryOperator, a: number, b: number, left: Value, right: Value): Value {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return b === 0 ? divisionByZero('float division by zero') : a / b;
    case '//':
      return b === 0 ? divisionByZero('float floor division by zero') : Math.floor(a / b);
    case '%':
      return b === 0 ? divisionByZero('float modulo') : floatModulo(a, b);
    case '**':
      return floatPower(a, b);
    default:
      throw unsupported(operator, left, right);
  }
}

/** The result has the divisor's sign. */
function floatModulo(a: number, b: number): number {
  const remainder = a % b;
  if (remainder === 0) return b < 0 ? -0 : 0;
  return remainder < 0 !== b < 0 ? remainder + b : remainder;
}

function floatPower(a: number, b: number): number {
  if (a === 0 && b < 0) return divisionByZero('0.0 cannot be raised to a negative power');
  // JavaScript has NaN for 1 ** Infinity, C and Python have 1.
  if (a === 1 || b === 0) return 1;
  const power = a ** b;
  if (Number.isNaN(power) && !Number.isNaN(a) && !Number.isNaN(b)) {
    throw new ScriptError('ValueError', 'a negative number to a fractional power is complex, which variables are not');
  }
  if (!Number.isFinite(power) && Number.isFinite(a) && Number.isFinite(b)) {
    throw new ScriptError('OverflowError', "(34, 'Numerical result out of range')");
  }
  return power;
}

function sequences(operator: BinaryOperator, left: Value, right: Value): Value {
  if (operator === '+') {
    if (typeof left === 'string' && typeof right === 'string') return left + right;
    if (left instanceof ListValue && right instanceof ListValue) return new ListValue([...left.items, ...right.items]);
    if (left instanceof TupleValue && right instanceof TupleValue) return new TupleValue([...left.items, ...right.items]);
  }
  if (operator === '*') {
    const repeated = repeat(left, right) ?? repeat(right, left);
    if (repeated !== undefined) return repeated;
  }
  throw unsupported(operator, left, right);
}

function repeat(sequence: Value, count: Value): Value | undefined {
  if (typeof count !== 'bigint') return undefined;
  const length = typeof sequence === 'string' ? sequence.length : sequence instanceof ListValue ? sequence.items.length : undefined;
  if (length === undefined) return undefined;
  const times = count < 0n ? 0 : Number(count);
  if (times * length > MAX_ITEMS) throw new ScriptError('OverflowError', `a text or list is limited to ${MAX_ITEMS} items`);
  if (typeof sequence === 'string') return sequence.repeat(times);
  return new ListValue(Array.from({ length: times }, () => (sequence as ListValue).items).flat());
}

export function compare(operator: ComparisonOperator, left: Value, right: Value): boolean {
  switch (operator) {
    case '==':
      return isEqual(left, right);
    case '!=':
      return !isEqual(left, right);
    case 'is':
      return isSame(left, right);
    case 'is not':
      return !isSame(left, right);
    case 'in':
      return isIn(left, right);
    case 'not in':
      return !isIn(left, right);
    default:
      return order(operator, left, right);
  }
}

const isSame = (left: Value, right: Value): boolean =>
  left === right || (left === null || typeof left === 'boolean' ? false : isEqual(left, right) && typeof left === typeof right);

export function isEqual(left: Value, right: Value): boolean {
  const [a, b] = comparable(left, right);
  if (a !== undefined && b !== undefined) return a == b;
  const [itemsOfLeft, itemsOfRight] = [itemsOf(left), itemsOf(right)];
  if (itemsOfLeft && itemsOfRight && left instanceof ListValue === right instanceof ListValue) {
    return itemsOfLeft.length === itemsOfRight.length && itemsOfLeft.every((item, i) => isEqual(item, itemsOfRight[i] as Value));
  }
  return left === right;
}

const itemsOf = (value: Value): readonly Value[] | undefined =>
  value instanceof ListValue || value instanceof TupleValue ? value.items : undefined;

/** Both sides as numbers in the left side's units. */
function comparable(left: Value, right: Value): [bigint | number | undefined, bigint | number | undefined] {
  if (left instanceof Quantity && right instanceof Quantity && left.units !== right.units) {
    return [arithmetic(plain(left)), arithmetic(inUnits(right, left.units))];
  }
  return [arithmetic(plain(left)), arithmetic(plain(right))];
}

function order(operator: '<' | '<=' | '>' | '>=', left: Value, right: Value): boolean {
  const [a, b] = comparable(left, right);
  if (a !== undefined && b !== undefined) return ordered(operator, a, b);
  if (typeof left === 'string' && typeof right === 'string') return ordered(operator, left, right);
  throw new ScriptError(
    'TypeError',
    `'${operator}' not supported between instances of '${typeName(left)}' and '${typeName(right)}'`,
  );
}

function ordered<T extends bigint | number | string>(operator: '<' | '<=' | '>' | '>=', a: T, b: T): boolean {
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

function isIn(item: Value, container: Value): boolean {
  if (typeof container === 'string' && typeof item === 'string') return container.includes(item);
  if (container instanceof DictionaryValue) return container.entries.has(repr(item));
  if (container instanceof RangeValue && typeof item === 'bigint') return rangeHas(container, item);
  const items = itemsOf(container);
  if (!items) throw new ScriptError('TypeError', `argument of type '${typeName(container)}' is not iterable`);
  return items.some((candidate) => isEqual(candidate, item));
}

const rangeHas = ({ start, step, length }: RangeValue, item: bigint): boolean => {
  const index = (item - start) / step;
  return start + index * step === item && index >= 0n && index < length;
};

export function negate(value: Value): Value {
  if (value instanceof Quantity) return new Quantity(negate(value.magnitude) as number, value.units);
  const number = arithmetic(value);
  if (number === undefined) throw new ScriptError('TypeError', `bad operand type for unary -: '${typeName(value)}'`);
  return -number;
}

export function positive(value: Value): Value {
  if (value instanceof Quantity) return value;
  const number = arithmetic(value);
  if (number === undefined) throw new ScriptError('TypeError', `bad operand type for unary +: '${typeName(value)}'`);
  return number;
}

export function invert(value: Value): Value {
  const number = arithmetic(plain(value));
  if (typeof number !== 'bigint') throw new ScriptError('TypeError', `bad operand type for unary ~: '${typeName(value)}'`);
  return -number - 1n;
}

/** Number of elements of a text, list, range or dictionary; undefined for what has none. */
export function lengthOf(value: Value): bigint | undefined {
  if (typeof value === 'string') return BigInt([...value].length);
  if (value instanceof RangeValue) return value.length;
  if (value instanceof DictionaryValue) return BigInt(value.entries.size);
  if (value instanceof Bytes) return BigInt(value.text.length);
  if (value instanceof Quantity && value.magnitude instanceof ListValue) return BigInt(value.magnitude.items.length);
  const items = itemsOf(value);
  return items ? BigInt(items.length) : undefined;
}

export const isProxy = (value: Value): value is VariableProxy => value instanceof VariableProxy;
