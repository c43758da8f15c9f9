// format(value, spec) of f-strings and the format function: `.3f`, `>10`, `08.2e`, `,d`, `x`.
import { exponentDigits, fixedDigits } from './decimal.js';
import { ScriptError } from './error.js';
import { integerText } from './integer-text.js';
import type { Meter } from './meter.js';
import { toFloat } from './numbers.js';
import { floatText } from './text.js';
import { typeName } from './type-name.js';
import { Quantity, type ScriptValue } from './values.js';

const SPEC = /^(?:(.)?([<>=^]))?([-+ ])?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?([a-zA-Z%])?$/su;
/** The largest width and precision, so that a client cannot fill memory with blanks. */
const MAX_WIDTH = 1000;

interface Spec {
  readonly fill: string;
  readonly align: string;
  readonly sign: string;
  readonly hasSign: boolean;
  /** Whether `=` asked for it, and not a leading zero. */
  readonly hasEqualSign: boolean;
  readonly hasPrefix: boolean;
  readonly width: number;
  readonly grouping: string;
  readonly precision: number | undefined;
  readonly type: string;
}

/** @param spec not empty. */
export function formatValue(value: ScriptValue, spec: string, meter: Meter): string {
  const text = formatted(value, spec, meter);
  // The width and the precision are bounded, so the text may be paid for when it is there.
  meter.allocate(FIELD_BYTES + text.length);
  return text;
}

const FIELD_BYTES = 32;

function formatted(value: ScriptValue, spec: string, meter: Meter): string {
  const plain = value instanceof Quantity ? (value.magnitude as ScriptValue) : value;
  if (plain === null || typeof plain === 'object') {
    throw new ScriptError('TypeError', `unsupported format string passed to ${typeName(plain)}.__format__`);
  }
  const parsed = parse(spec, plain);
  if (typeof plain === 'string') {
    meter.spend(plain.length / 4);
    return formatText(plain, parsed);
  }
  return formatNumber(typeof plain === 'boolean' ? BigInt(plain) : plain, parsed, meter);
}

function parse(spec: string, value: ScriptValue): Spec {
  const match = SPEC.exec(spec);
  if (!match)
    throw new ScriptError('ValueError', `Invalid format specifier '${spec}' for object of type '${typeName(value)}'`);
  const [, fill, align, sign, prefix, zero, width, grouping, precision, type] = match;
  const parsed = {
    fill: fill ?? (zero ? '0' : ' '),
    align: align ?? (zero && typeof value !== 'string' ? '=' : ''),
    sign: sign ?? '-',
    hasSign: sign !== undefined,
    hasEqualSign: align === '=',
    hasPrefix: prefix !== undefined,
    width: Number(width ?? 0),
    grouping: grouping ?? '',
    precision: precision === undefined ? undefined : Number(precision),
    type: type ?? '',
  };
  if (parsed.width > MAX_WIDTH || (parsed.precision ?? 0) > 100) {
    throw new ScriptError('ValueError', `a width is at most ${MAX_WIDTH} and a precision at most 100`);
  }
  return parsed;
}

function pad(text: string, spec: Spec, standard: string): string {
  const missing = spec.width - [...text].length;
  if (missing <= 0) return text;
  const fill = (count: number): string => spec.fill.repeat(count);
  switch (spec.align || standard) {
    case '<':
      return text + fill(missing);
    case '^':
      return fill(Math.floor(missing / 2)) + text + fill(Math.ceil(missing / 2));
    case '=': {
      const signLength = /^[-+ ]?(?:0[xXob])?/.exec(text)?.[0].length ?? 0;
      return text.slice(0, signLength) + fill(missing) + text.slice(signLength);
    }
    default:
      return fill(missing) + text;
  }
}

function formatText(text: string, spec: Spec): string {
  if (spec.type !== '' && spec.type !== 's') throw unknownCode(spec.type, text);
  if (spec.grouping) throw new ScriptError('ValueError', `Cannot specify '${spec.grouping}' with 's'.`);
  if (spec.hasSign) throw new ScriptError('ValueError', 'Sign not allowed in string format specifier');
  if (spec.hasPrefix) throw new ScriptError('ValueError', 'Alternate form (#) not allowed in string format specifier');
  if (spec.hasEqualSign) throw new ScriptError('ValueError', "'=' alignment not allowed in string format specifier");
  return pad(spec.precision === undefined ? text : [...text].slice(0, spec.precision).join(''), spec, '<');
}

const unknownCode = (code: string, value: ScriptValue): ScriptError =>
  new ScriptError('ValueError', `Unknown format code '${code}' for object of type '${typeName(value)}'`);

const RADIX: Readonly<Record<string, readonly [number, string]>> = {
  x: [16, '0x'],
  X: [16, '0X'],
  o: [8, '0o'],
  b: [2, '0b'],
};

function formatNumber(value: bigint | number, spec: Spec, meter: Meter): string {
  const isNegative = value < 0 || Object.is(value, -0);
  const sign = isNegative ? '-' : spec.sign === '-' ? '' : spec.sign;
  const isInteger = typeof value === 'bigint' && /^[dxXobc]?$/.test(spec.type);
  if (isInteger && spec.precision !== undefined) {
    throw new ScriptError('ValueError', 'Precision not allowed in integer format specifier');
  }
  if (spec.type === 'c') return pad(characterOf(value), spec, '<');
  const digits = isInteger ? integerDigits(value < 0n ? -value : value, spec, meter) : floatDigits(value, spec);
  return pad(sign + withZeros(digits, sign.length, spec), spec, '>');
}

/** Fills grouped digits up with grouped zeros: `000,001`. */
function withZeros(digits: string, signLength: number, spec: Spec): string {
  if (!spec.grouping || spec.fill !== '0' || spec.align !== '=') return group(digits, spec);
  const [, whole = '', tail = ''] = /^(\d*)(.*)$/s.exec(digits) ?? [];
  const size = RADIX[spec.type] ? 4 : 3;
  let length = whole.length;
  while (signLength + length + Math.floor(Math.max(0, length - 1) / size) + tail.length < spec.width) length++;
  return group(whole.padStart(length, '0'), spec) + tail;
}

function characterOf(code: bigint | number): string {
  if (typeof code === 'number') throw unknownCode('c', code);
  if (code < 0n || code > 0x10ffffn) throw new ScriptError('OverflowError', '%c arg not in range(0x110000)');
  return String.fromCodePoint(Number(code));
}

function integerDigits(magnitude: bigint, spec: Spec, meter: Meter): string {
  const [radix, prefix] = RADIX[spec.type] ?? [10, ''];
  if (radix !== 10 && spec.grouping === ',')
    throw new ScriptError('ValueError', `Cannot specify ',' with '${spec.type}'.`);
  const digits = integerText(magnitude, radix, meter);
  return (spec.hasPrefix ? prefix : '') + (spec.type === 'X' ? digits.toUpperCase() : digits);
}

function floatDigits(value: bigint | number, spec: Spec): string {
  if (!/^[eEfFgG%]?$/.test(spec.type)) throw unknownCode(spec.type, value);
  const x = Math.abs(toFloat(value));
  const isUpper = spec.type === 'E' || spec.type === 'F' || spec.type === 'G';
  const text = Number.isFinite(x)
    ? finiteDigits(x, spec)
    : (Number.isNaN(x) ? 'nan' : 'inf') + (spec.type === '%' ? '%' : '');
  return isUpper ? text.toUpperCase() : text;
}

function finiteDigits(x: number, spec: Spec): string {
  const places = spec.precision ?? 6;
  switch (spec.type.toLowerCase()) {
    case 'f':
      return fixedDigits(x, places) + (spec.hasPrefix && places === 0 ? '.' : '');
    case '%':
      return `${fixedDigits(x * 100, places)}%`;
    case 'e': {
      const { digits, power } = exponentDigits(x, places);
      return digits + (spec.hasPrefix && places === 0 ? '.' : '') + exponent(power);
    }
    case 'g':
      return general(x, places || 1, spec.hasPrefix, 0);
    default:
      if (spec.precision === undefined) return floatText(x);
      return general(x, places || 1, spec.hasPrefix, 1);
  }
}

const exponent = (power: number): string => `e${power < 0 ? '-' : '+'}${Math.abs(power).toString().padStart(2, '0')}`;

/** @param least fewest digits after the point: 0 for `g`, 1 where no type is given. */
function general(x: number, precision: number, keepsZeros: boolean, least: 0 | 1): string {
  const { digits, power } = exponentDigits(x, precision - 1);
  // Without a type an exponent is taken one digit earlier, so that the point has a digit behind it.
  const isLong = power < -4 || power >= precision - (least && precision > 0 ? 1 : 0) + (least && power < 0 ? 1 : 0);
  if (isLong) return trimmed(digits, keepsZeros) + exponent(power);
  const text = trimmed(fixedDigits(x, precision - 1 - power), keepsZeros);
  return least && !text.includes('.') ? `${text}.0` : text;
}

const trimmed = (digits: string, keepsZeros: boolean): string =>
  keepsZeros
    ? digits.includes('.')
      ? digits
      : `${digits}.`
    : digits.includes('.')
      ? digits.replace(/\.?0+$/, '')
      : digits;

/** Groups decimal digits in threes, others in fours. */
function group(digits: string, spec: Spec): string {
  if (!spec.grouping) return digits;
  const parts = RADIX[spec.type] ? /^(0[xXob])?([0-9a-fA-F]*)(.*)$/s : /^()(\d*)(.*)$/s;
  const [, prefix = '', whole = '', rest = ''] = parts.exec(digits) ?? [];
  const size = RADIX[spec.type] ? 4 : 3;
  const groups: string[] = [];
  for (let end = whole.length; end > 0; end -= size) groups.unshift(whole.slice(Math.max(0, end - size), end));
  return prefix + groups.join(spec.grouping) + rest;
}
