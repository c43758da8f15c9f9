// The functions of the language that take numbers: round, abs, pow, divmod, hex, oct, bin, chr and ord.
import { roundTo } from './decimal.js';
import { ScriptError } from './error.js';
import { integerText } from './integer-text.js';
import type { Meter } from './meter.js';
import { toInteger } from './number-of.js';
import { binary, characters, unary } from './operators.js';
import { only } from './signature.js';
import { typeName } from './type-name.js';
import { type Arguments, arithmetic, type Callable, plain, Quantity, type ScriptValue, TupleValue } from './values.js';

/** `round(x, places)`: ties go to the even digit. */
function round(args: Arguments): ScriptValue {
  const [given = null, places = null] = only('round', args, 1, 2);
  const digits = places === null ? undefined : index(places);
  const value = arithmetic(plain(given));
  if (value === undefined)
    throw new ScriptError('TypeError', `type ${typeName(given)} doesn't define __round__ method`);
  const rounded = typeof value === 'bigint' ? roundInteger(value, digits) : roundFloat(value, digits);
  return given instanceof Quantity && given.hasUnits ? new Quantity(rounded, given.units, given.form) : rounded;
}

function roundFloat(value: number, digits: bigint | undefined): bigint | number {
  if (digits === undefined) return Number.isFinite(value) ? BigInt(roundTo(value, 0)) : toInteger(value);
  const rounded = roundTo(value, Number(digits));
  if (!Number.isFinite(rounded) && Number.isFinite(value))
    throw new ScriptError('OverflowError', 'rounded value too large to represent');
  return rounded;
}

/** Rounds to tens and hundreds for negative digits; ties go to the even one. */
function roundInteger(value: bigint, digits = 0n): bigint {
  if (digits >= 0n) return value;
  if (digits < -1300n) return 0n;
  const unit = 10n ** -digits;
  const rest = ((value % unit) + unit) % unit;
  const floor = value - rest;
  const isUp = 2n * rest > unit || (2n * rest === unit && (floor / unit) % 2n !== 0n);
  return isUp ? floor + unit : floor;
}

function magnitude(value: ScriptValue): ScriptValue {
  const number = arithmetic(plain(value));
  if (number === undefined) throw new ScriptError('TypeError', `bad operand type for abs(): '${typeName(value)}'`);
  if (value instanceof Quantity) return number < 0 ? unary('-', value) : value;
  return number < 0 || Object.is(number, -0) ? -number : number;
}

/** A whole number. Throws a TypeError for any other value. */
function index(value: ScriptValue): bigint {
  const number = arithmetic(plain(value));
  if (typeof number === 'bigint') return number;
  throw new ScriptError('TypeError', `'${typeName(value)}' object cannot be interpreted as an integer`);
}

/** `pow(x, y)`, and `pow(x, y, modulus)` of whole numbers. */
function power(args: Arguments, meter: Meter): ScriptValue {
  const [base = null, exponent = null, modulus = null] = only('pow', args, 2, 3);
  if (modulus === null) return binary('**', base, exponent, meter);
  const [most, rest] = [index(modulus), index(exponent)];
  if (most === 0n) throw new ScriptError('ValueError', 'pow() 3rd argument cannot be 0');
  if (rest < 0n) throw new ScriptError('ValueError', 'pow() takes no negative exponent with a third argument here');
  let result = 1n;
  let square = index(base) % most;
  for (let left = rest; left > 0n; left >>= 1n) {
    meter.spend(BIG_STEPS);
    if (left % 2n === 1n) result = (result * square) % most;
    square = (square * square) % most;
  }
  return binary('%', result, most, meter);
}

/** A product of integers of the most bits counts as so many steps. */
const BIG_STEPS = 4;

const inBase = (name: string, prefix: string, radix: number): Callable['call'] => {
  return (args, { meter }) => {
    const value = index(only(name, args, 1, 1)[0] as ScriptValue);
    const digits = integerText(value < 0n ? -value : value, radix, meter);
    return `${value < 0n ? '-' : ''}${prefix}${digits}`;
  };
};

const LAST_CHARACTER = 0x10ffffn;

function character(code: bigint): string {
  if (code >= 0n && code <= LAST_CHARACTER) return String.fromCodePoint(Number(code));
  throw new ScriptError('ValueError', 'chr() arg not in range(0x110000)');
}

function codeOf(value: ScriptValue, meter: Meter): bigint {
  if (typeof value !== 'string')
    throw new ScriptError('TypeError', `ord() expected string of length 1, but ${typeName(value)} found`);
  const { length } = characters(value, meter);
  if (length === 1) return BigInt(value.codePointAt(0) as number);
  throw new ScriptError('TypeError', `ord() expected a character, but string of length ${length} found`);
}

export const NUMBER_FUNCTIONS: Readonly<Record<string, Callable['call']>> = {
  round,
  abs: (args) => magnitude(only('abs', args, 1, 1)[0] as ScriptValue),
  pow: (args, { meter }) => power(args, meter),
  divmod: (args, { meter }) => {
    const [a = null, b = null] = only('divmod', args, 2, 2);
    return new TupleValue([binary('//', a, b, meter), binary('%', a, b, meter)]);
  },
  hex: inBase('hex', '0x', 16),
  oct: inBase('oct', '0o', 8),
  bin: inBase('bin', '0b', 2),
  chr: (args) => character(index(only('chr', args, 1, 1)[0] as ScriptValue)),
  ord: (args, { meter }) => codeOf(only('ord', args, 1, 1)[0] as ScriptValue, meter),
};
