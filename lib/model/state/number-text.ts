// Numbers as C prints them: `%.16g` for double and `%.8g` for float, to the last digit.
// By hand: JavaScript writes the shortest digits, C so many.

const ZERO = 48;
const DOT = 46;
const MINUS = 45;

const DOUBLE_DIGITS = 16;
const FLOAT_DIGITS = 8;

/** A double as C's `%.16g`: `0.1`, `1e-07`, `1e+16`, `-0`, `nan`, `-inf`. Trick: VariableReference::writeValueAscii */
export function formatDouble(x: number): string {
  // One template: from two of them the engine would convert every number, also those that the lines below format.
  if (Number.isInteger(x) && x < 1e16 && x > -1e16) return x === 0 && 1 / x < 0 ? '-0' : `${x}`;
  if (!Number.isFinite(x)) return formatNonFinite(x);
  const rounded = x.toPrecision(DOUBLE_DIGITS);
  return tidy(mayBeDoubleTie(x) ? roundTieToEven(x, rounded, DOUBLE_DIGITS) : rounded);
}

/** The float nearest to x as C's `%.8g`. Trick: VariableReference::writeValueAscii */
export function formatFloat(x: number): string {
  const single = Math.fround(x);
  if (Number.isInteger(single) && single < 1e8 && single > -1e8) return single === 0 && 1 / x < 0 ? '-0' : `${single}`;
  if (!Number.isFinite(single)) return formatNonFinite(single);
  const rounded = single.toPrecision(FLOAT_DIGITS);
  // 2^-12 is the smallest float halfway between two numbers of 8 digits; from 1e8 on there are no such floats.
  const isTieable = single < 1e8 && single > -1e8 && Number.isInteger(single * 4096);
  return tidy(isTieable ? roundTieToEven(single, rounded, FLOAT_DIGITS) : rounded);
}

function formatNonFinite(x: number): string {
  if (x === Number.POSITIVE_INFINITY) return 'inf';
  return x === Number.NEGATIVE_INFINITY ? '-inf' : 'nan';
}

/**
 * Whether x may lie exactly halfway between two numbers of 16 digits. A tie below 10^k has at most 17-k fraction bits;
 * 2^-24 is the smallest tie, and from 1e16 on there are none.
 */
function mayBeDoubleTie(x: number): boolean {
  const size = Math.abs(x);
  if (size >= 1e16) return false;
  if (size < 1) return Number.isInteger(x * 2 ** 24);
  return Number.isInteger(x * (size < 1e6 ? 2 ** 16 : size < 1e12 ? 2 ** 10 : 2 ** 4));
}

/** C rounds ties to the even digit, JavaScript away from zero: an odd last digit is one too large. */
function roundTieToEven(x: number, rounded: string, digits: number): string {
  const end = mantissaEnd(rounded);
  const last = rounded.charCodeAt(end - 1);
  if ((last & 1) === 0 || !isTie(x, digits)) return rounded;
  return rounded.slice(0, end - 1) + String.fromCharCode(last - 1) + rounded.slice(end);
}

/** Numbers that pass the check for ties have at most 40 digits, so 46 digits show them exactly. */
function isTie(x: number, digits: number): boolean {
  const exact = x.toPrecision(46);
  const mantissa = exact.slice(0, mantissaEnd(exact)).replace('.', '').replace(/^-?0*/, '');
  return /^50*$/.test(mantissa.slice(digits));
}

function mantissaEnd(text: string): number {
  const exponent = text.indexOf('e');
  return exponent < 0 ? text.length : exponent;
}

/** From toPrecision's form to `%g`'s: no trailing zeros, and an exponent of at least two digits below 1e-4. */
function tidy(text: string): string {
  const exponent = text.indexOf('e');
  const end = exponent < 0 ? text.length : exponent;
  const mantissa = withoutTrailingZeros(text, end);
  if (exponent >= 0) return mantissa + twoDigitExponent(text, exponent);
  const start = text.charCodeAt(0) === MINUS ? 1 : 0;
  return text.startsWith('0.0000', start) ? smallAsExponent(mantissa, start) : mantissa;
}

function withoutTrailingZeros(text: string, end: number): string {
  const dot = text.indexOf('.');
  if (dot < 0) return text.slice(0, end);
  let last = end;
  while (text.charCodeAt(last - 1) === ZERO) last--;
  if (text.charCodeAt(last - 1) === DOT) last--;
  return text.slice(0, last);
}

/** Writes `e+7` as `e+07`. */
function twoDigitExponent(text: string, exponent: number): string {
  const digits = text.slice(exponent + 2);
  return text.slice(exponent, exponent + 2) + (digits.length < 2 ? `0${digits}` : digits);
}

/** Writes `0.0000123` as `1.23e-05`; JavaScript uses the long form down to 1e-6. */
function smallAsExponent(text: string, start: number): string {
  let first = start + '0.0000'.length;
  let power = 5;
  while (text.charCodeAt(first) === ZERO) {
    first++;
    power++;
  }
  const more = text.slice(first + 1);
  return `${text.slice(0, start)}${text[first]}${more ? `.${more}` : ''}e-0${power}`;
}
