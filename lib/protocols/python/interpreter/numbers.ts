// Arithmetic on numbers with Python's meaning: floor division, exact integers, floats that overflow with an error.
import type { BinaryOperator } from '../grammar/index.js';
import { bitLength, divideIntegers } from './decimal.js';
import { ScriptError } from './error.js';

/** The longest integer that a block may make, in bits. */
const MAX_INTEGER_BITS = 4096;
const LIMIT = 1n << BigInt(MAX_INTEGER_BITS);

/** Arithmetic on floats; undefined for an operator that floats do not have. */
export function floats(operator: BinaryOperator, a: number, b: number): number | undefined {
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
      return b === 0 ? divisionByZero('float floor division by zero') : floorDivide(a, b);
    case '%':
      return b === 0 ? divisionByZero('float modulo') : modulo(a, b);
    case '**':
      return power(a, b);
    default:
      return undefined;
  }
}

export function integers(operator: BinaryOperator, a: bigint, b: bigint): bigint | number {
  switch (operator) {
    case '+':
      return bounded(a + b);
    case '-':
      return bounded(a - b);
    case '*':
      return bounded(a * b);
    case '/':
      return b === 0n
        ? divisionByZero('division by zero')
        : finite(divideIntegers(a, b), 'integer division result too large for a float');
    case '//':
      return b === 0n ? divisionByZero('integer division or modulo by zero') : floorDivideIntegers(a, b);
    case '%':
      return b === 0n ? divisionByZero('integer modulo by zero') : a - floorDivideIntegers(a, b) * b;
    case '**':
      return integerPower(a, b);
    default:
      return bitwise(operator, a, b);
  }
}

function bitwise(operator: BinaryOperator, a: bigint, b: bigint): bigint {
  switch (operator) {
    case '<<':
      return shift(a, b);
    case '>>':
      return b < 0n ? negativeShift() : a >> (b > MAX_INTEGER_BITS ? BigInt(MAX_INTEGER_BITS) : b);
    case '&':
      return a & b;
    case '|':
      return a | b;
    default:
      return a ^ b;
  }
}

/** An integer as a float. */
export const toFloat = (value: bigint | number): number =>
  typeof value === 'number' ? value : finite(Number(value), 'int too large to convert to float');

function finite(x: number, message: string): number {
  if (!Number.isFinite(x)) throw new ScriptError('OverflowError', message);
  return x;
}

function shift(a: bigint, b: bigint): bigint {
  if (b < 0n) return negativeShift();
  if (b > MAX_INTEGER_BITS && a !== 0n) throw tooLarge();
  return a === 0n ? 0n : bounded(a << b);
}

function negativeShift(): never {
  throw new ScriptError('ValueError', 'negative shift count');
}

function divisionByZero(message: string): never {
  throw new ScriptError('ZeroDivisionError', message);
}

const tooLarge = (): ScriptError =>
  new ScriptError('OverflowError', `an integer is limited to ${MAX_INTEGER_BITS} bits`);

/** Throws a ScriptError for an integer that is too long. */
export function bounded(value: bigint): bigint {
  if (value >= LIMIT || value <= -LIMIT) throw tooLarge();
  return value;
}

function floorDivideIntegers(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

function integerPower(a: bigint, b: bigint): bigint | number {
  if (b < 0n) return power(toFloat(a), toFloat(b));
  if (a !== 0n && a !== 1n && a !== -1n && BigInt(bitLength(a < 0n ? -a : a) - 1) * b > MAX_INTEGER_BITS)
    throw tooLarge();
  if (a === 0n || a === 1n || a === -1n) return b === 0n ? 1n : b % 2n === 0n ? a * a : a;
  return bounded(a ** b);
}

/** The result has the divisor's sign. */
function modulo(a: number, b: number): number {
  const remainder = a % b;
  if (remainder === 0) return b < 0 ? -0 : 0;
  return remainder < 0 !== b < 0 ? remainder + b : remainder;
}

/** Floor division by way of the exact remainder, because 1.0 // 0.1 is 9. */
function floorDivide(a: number, b: number): number {
  const remainder = a % b;
  let quotient = (a - remainder) / b;
  if (remainder !== 0 && remainder < 0 !== b < 0) quotient -= 1;
  if (quotient === 0) return a / b < 0 || Object.is(a / b, -0) ? -0 : 0;
  const floor = Math.floor(quotient);
  return quotient - floor > 0.5 ? floor + 1 : floor;
}

function power(a: number, b: number): number {
  if (a === 0 && b < 0) return divisionByZero('0.0 cannot be raised to a negative power');
  // 1 ** Infinity and (-1) ** Infinity are NaN in JavaScript, and 1 in C and Python.
  if (a === 1 || b === 0 || (a === -1 && Math.abs(b) === Number.POSITIVE_INFINITY)) return 1;
  const result = a ** b;
  if (Number.isNaN(result) && !Number.isNaN(a) && !Number.isNaN(b)) {
    throw new ScriptError('ValueError', 'a negative number to a fractional power is complex, which no variable is');
  }
  if (!Number.isFinite(result) && Number.isFinite(a) && Number.isFinite(b)) {
    throw new ScriptError('OverflowError', "(34, 'Numerical result out of range')");
  }
  return result;
}
