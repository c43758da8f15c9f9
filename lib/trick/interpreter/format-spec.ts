// format(value, spec) of f-strings and the format function: `.3f`, `>10`, `08.2e`, `,d`, `x`.
import { ScriptError } from './error.js';
import { str } from './text.js';
import { Quantity, typeName, type Value } from './values.js';

const SPEC = /^(?:(.)?([<>=^]))?([-+ ])?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?([a-zA-Z%])?$/su;
/** Wider than this nobody needs, and a client must not fill memory with blanks. */
const MAX_WIDTH = 1000;

interface Spec {
  readonly fill: string;
  readonly align: string;
  readonly sign: string;
  readonly hasPrefix: boolean;
  readonly width: number;
  readonly grouping: string;
  readonly precision: number | undefined;
  readonly type: string;
}

export function formatValue(value: Value, spec: string): string {
  if (spec === '') return str(value);
  const plain = value instanceof Quantity ? (value.magnitude as Value) : value;
  const parsed = parse(spec, plain);
  if (typeof plain === 'string' || (typeof plain !== 'number' && typeof plain !== 'bigint' && typeof plain !== 'boolean')) {
    return formatText(str(plain), parsed, plain);
  }
  return formatNumber(typeof plain === 'boolean' ? BigInt(plain) : plain, parsed);
}

function parse(spec: string, value: Value): Spec {
  const match = SPEC.exec(spec);
  if (!match) throw new ScriptError('ValueError', `Invalid format specifier '${spec}' for object of type '${typeName(value)}'`);
  const [, fill, align, sign, prefix, zero, width, grouping, precision, type] = match;
  const parsed = {
    fill: fill ?? (zero ? '0' : ' '),
    align: align ?? (zero ? '=' : ''),
    sign: sign ?? '-',
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
      const signLength = /^[-+ ]/.test(text) ? 1 : 0;
      return text.slice(0, signLength) + fill(missing) + text.slice(signLength);
    }
    default:
      return fill(missing) + text;
  }
}

function formatText(text: string, spec: Spec, value: Value): string {
  if (spec.type !== '' && spec.type !== 's') throw unknownCode(spec.type, value);
  return pad(spec.precision === undefined ? text : [...text].slice(0, spec.precision).join(''), spec, '<');
}

const unknownCode = (code: string, value: Value): ScriptError =>
  new ScriptError('ValueError', `Unknown format code '${code}' for object of type '${typeName(value)}'`);

const RADIX: Readonly<Record<string, readonly [number, string]>> = { x: [16, '0x'], X: [16, '0X'], o: [8, '0o'], b: [2, '0b'] };

function formatNumber(value: bigint | number, spec: Spec): string {
  const isNegative = value < 0 || Object.is(value, -0);
  const sign = isNegative ? '-' : spec.sign === '-' ? '' : spec.sign;
  return pad(sign + digitsOf(value, spec), spec, '>');
}

function digitsOf(value: bigint | number, spec: Spec): string {
  const magnitude = value < 0 ? -value : value;
  if (typeof magnitude === 'bigint' && (spec.type === '' || spec.type === 'd')) return group(magnitude.toString(), spec);
  if (typeof magnitude === 'bigint' && RADIX[spec.type]) {
    const [radix, prefix] = RADIX[spec.type] as readonly [number, string];
    const digits = magnitude.toString(radix);
    return (spec.hasPrefix ? prefix : '') + (spec.type === 'X' ? digits.toUpperCase() : digits);
  }
  if (!/^[eEfFgG%]?$/.test(spec.type)) throw unknownCode(spec.type, value);
  return group(floatDigits(Math.abs(Number(magnitude)), spec), spec);
}

function floatDigits(x: number, spec: Spec): string {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? 'nan' : 'inf';
  const precision = spec.precision ?? 6;
  switch (spec.type.toLowerCase()) {
    case 'f':
      return fixed(x, precision);
    case '%':
      return `${fixed(100 * x, precision)}%`;
    case 'e':
      return exponent(x.toExponential(precision), spec.type);
    case 'g':
      return general(x, precision || 1, spec.type);
    default:
      return spec.precision === undefined ? str(x) : general(x, precision || 1, 'g');
  }
}

/** toFixed goes over to exponents at 1e21. */
const fixed = (x: number, precision: number): string =>
  x < 1e21 ? x.toFixed(precision) : BigInt(x).toString() + (precision > 0 ? `.${'0'.repeat(precision)}` : '');

function exponent(text: string, type: string): string {
  const padded = text.replace(/e([-+])(\d)$/, 'e$10$2');
  return type === 'E' ? padded.toUpperCase() : padded;
}

function general(x: number, precision: number, type: string): string {
  const power = x === 0 ? 0 : Number(x.toExponential(precision - 1).split('e')[1]);
  const text = power < -4 || power >= precision ? x.toExponential(precision - 1) : x.toFixed(precision - 1 - power);
  const [mantissa = '', tail = ''] = text.split(/(?=e)/);
  const trimmed = mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa;
  return exponent(trimmed + tail, type === 'G' ? 'E' : 'e');
}

function group(digits: string, spec: Spec): string {
  if (!spec.grouping) return digits;
  const [whole = '', ...rest] = digits.split(/(?=[.e])/);
  return whole.replace(/\B(?=(\d{3})+$)/g, spec.grouping) + rest.join('');
}
