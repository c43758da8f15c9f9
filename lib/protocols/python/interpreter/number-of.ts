// int(x) and float(x): numbers from numbers and from text.
import { ScriptError } from './error.js';
import { bounded, toFloat } from './numbers.js';
import { typeName } from './type-name.js';
import { arithmetic, plain, type ScriptValue } from './values.js';

const INTEGER = /^\s*[-+]?\d(?:_?\d)*\s*$/;
const FLOAT =
  /^\s*[-+]?(?:(?:\d(?:_?\d)*(?:\.(?:\d(?:_?\d)*)?)?|\.\d(?:_?\d)*)(?:e[-+]?\d(?:_?\d)*)?|inf(?:inity)?|nan)\s*$/i;
/** A longer text is not parsed as an integer. */
const MAX_DIGITS = 1000;

/** `int(x)`: a float is cut toward zero. */
export function toInteger(value: ScriptValue): bigint {
  const given = plain(value);
  const number = arithmetic(given);
  if (typeof number === 'bigint') return number;
  if (number !== undefined) {
    if (Number.isNaN(number)) throw new ScriptError('ValueError', 'cannot convert float NaN to integer');
    if (!Number.isFinite(number)) throw new ScriptError('OverflowError', 'cannot convert float infinity to integer');
    return BigInt(Math.trunc(number));
  }
  if (typeof given !== 'string')
    throw notANumber('int() argument must be a string, a bytes-like object or a real number', given);
  if (given.length > MAX_DIGITS || !INTEGER.test(given)) {
    throw new ScriptError('ValueError', `invalid literal for int() with base 10: '${excerpt(given)}'`);
  }
  const digits = given.trim().replaceAll('_', '');
  return digits.startsWith('-') ? -BigInt(digits.slice(1)) : BigInt(digits.replace('+', ''));
}

const PREFIXES: Readonly<Record<number, string>> = { 2: '0b', 8: '0o', 16: '0x' };

/** `int("ff", 16)`: digits of a base, with its prefix or without; of base 0 the prefix says which. */
export function toIntegerOfBase(value: ScriptValue, asked: bigint): bigint {
  if (typeof value !== 'string')
    throw new ScriptError('TypeError', "int() can't convert non-string with explicit base");
  if (asked < 0n || asked === 1n || asked > 36n)
    throw new ScriptError('ValueError', 'int() base must be >= 2 and <= 36, or 0');
  const [, sign, digits = ''] = /^\s*([-+]?)(\w*)\s*$/.exec(value.slice(0, MAX_DIGITS + 1)) ?? [];
  const lower = digits.toLowerCase();
  const [prefixed] = Object.entries(PREFIXES).find(([, prefix]) => lower.startsWith(prefix)) ?? [];
  const base = Number(asked) || Number(prefixed ?? 10);
  const own = PREFIXES[base];
  const bare = (own && lower.startsWith(own) ? lower.slice(2).replace(/^_/, '') : lower).replace(/(?<=\w)_(?=\w)/g, '');
  const numbers = [...bare].map((digit) => Number.parseInt(digit, 36));
  if (bare === '' || value.length > MAX_DIGITS || !numbers.every((digit) => digit < base))
    throw new ScriptError('ValueError', `invalid literal for int() with base ${asked}: '${excerpt(value)}'`);
  const magnitude = numbers.reduce((total, digit) => total * BigInt(base) + BigInt(digit), 0n);
  return bounded(sign === '-' ? -magnitude : magnitude);
}

export function toReal(value: ScriptValue): number {
  const given = plain(value);
  const number = arithmetic(given);
  if (number !== undefined) return toFloat(number);
  if (typeof given !== 'string') throw notANumber('float() argument must be a string or a real number', given);
  if (given.length > MAX_DIGITS || !FLOAT.test(given)) {
    throw new ScriptError('ValueError', `could not convert string to float: '${excerpt(given)}'`);
  }
  return realFrom(given.trim().toLowerCase().replaceAll('_', ''));
}

/** The number that a text is; undefined for any other text. */
export function numberIn(text: string): bigint | number | undefined {
  if (text.length > MAX_DIGITS) return undefined;
  return INTEGER.test(text) ? toInteger(text) : FLOAT.test(text) ? toReal(text) : undefined;
}

function realFrom(text: string): number {
  if (text.includes('nan')) return Number.NaN;
  if (text.includes('inf')) return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return Number(text);
}

const excerpt = (text: string): string => text.slice(0, 60).replace(/[\0-\x1f]/g, ' ');

const notANumber = (expected: string, value: ScriptValue): ScriptError =>
  new ScriptError('TypeError', `${expected}, not '${typeName(value)}'`);
