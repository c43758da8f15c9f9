// Doubles as bytes of text, without a string of each: for rows of many. By hand: no library writes digits into memory.

const [ZERO, DOT, MINUS] = [48, 46, 45];
/** Powers that a double has exactly, and their upper and lower halves. */
const MOST_POWER = 22;
const POWERS = Float64Array.from({ length: MOST_POWER + 1 }, (_, power) => Number(`1e${power}`));
const SPLIT = 2 ** 27 + 1;
const upperHalf = (x: number): number => SPLIT * x - (SPLIT * x - x);
const UPPERS = POWERS.map(upperHalf);
/** Of the numbers that are written here; others have an exponent in their text. */
const [LEAST, TOO_LARGE] = [1e-4, 1e16];
const LEAST_EXPONENT = -4;
const TENTHS = [1e-4, 1e-3, 1e-2, 1e-1];
const LOWER_DIGITS = 8;
const LOWER = 1e8;
const SHORT = 15;
const digits = new Uint8Array(17);

/**
 * Writes a number as C's `%.16g` does. Returns where it ends; -1, with nothing written, for one that is 0, not finite, or
 * below 1e-4 or above 1e16 in size.
 */
export function writeDouble(bytes: Uint8Array, at: number, x: number): number {
  const size = x < 0 ? -x : x;
  if (!(size >= LEAST && size < TOO_LARGE)) return -1;
  const exponent = roundTo(size, exponentOf(size), 16);
  return put(bytes, at, x < 0, exponent, 16);
}

/** As `writeDouble`, with as many digits as it takes to read the same number again: 15, or 17. */
export function writeExact(bytes: Uint8Array, at: number, x: number): number {
  const size = x < 0 ? -x : x;
  if (!(size >= LEAST && size < TOO_LARGE)) return -1;
  const exponent = exponentOf(size);
  const power = POWERS[SHORT - 1 - exponent];
  const short = power === undefined ? 0 : Math.round(size * power);
  if (power !== undefined && short < 1e15 && short / power === size) {
    digitsOf(short, 0, SHORT);
    return put(bytes, at, x < 0, exponent, SHORT);
  }
  return put(bytes, at, x < 0, roundTo(size, exponent, 17), 17);
}

/** The power of ten of the first digit. */
function exponentOf(size: number): number {
  if (size < 1) return LEAST_EXPONENT + TENTHS.findLastIndex((tenth) => size >= tenth);
  let [low, high] = [0, 16];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (size >= (POWERS[middle] as number)) low = middle;
    else high = middle;
  }
  return low;
}

/** Puts the digits of a number, rounded as C does: a tie to the even digit. Returns its exponent then. */
function roundTo(size: number, exponent: number, count: number): number {
  const power = count - 1 - exponent;
  const [factor, factorUpper] = [POWERS[power] as number, UPPERS[power] as number];
  const product = size * factor;
  // What the product lacks, exactly. Dekker: A floating-point technique for extending the available precision
  const upper = upperHalf(size);
  const [lower, factorLower] = [size - upper, factor - factorUpper];
  const lack = lower * factorLower - (product - upper * factorUpper - lower * factorUpper - upper * factorLower);
  const whole = Math.floor(product);
  const part = product - whole;
  const more = Math.trunc(lack);
  const rest = lack - more;
  const first = Math.floor(whole / LOWER);
  let last = whole - first * LOWER + more;
  const isOdd = (last & 1) !== 0;
  if (rest > 0.5 - part || (rest === 0.5 - part && isOdd)) last++;
  else if (rest < -0.5 - part || (rest === -0.5 - part && isOdd)) last--;
  const carry = Math.floor(last / LOWER);
  digitsOf(first + carry, last - carry * LOWER, count);
  // 9.99 has become 10.
  if (first + carry < (POWERS[count - LOWER_DIGITS] as number)) return exponent;
  digits.fill(0, 0, count);
  digits[0] = 1;
  return exponent + 1;
}

/** Of a number of `count` digits: with its last eight apart, or all in the first. */
function digitsOf(first: number, last: number, count: number): void {
  const above = Math.floor(first / LOWER);
  let upper = (count === SHORT ? above : first) | 0;
  let lower = (count === SHORT ? first - above * LOWER : last) | 0;
  for (let at = count - 1; at >= count - LOWER_DIGITS; at--) {
    const tenth = (lower / 10) | 0;
    digits[at] = lower - tenth * 10;
    lower = tenth;
  }
  for (let at = count - LOWER_DIGITS - 1; at >= 0; at--) {
    const tenth = (upper / 10) | 0;
    digits[at] = upper - tenth * 10;
    upper = tenth;
  }
}

/** The digits without zeros behind, with a point. */
function put(bytes: Uint8Array, start: number, isNegative: boolean, exponent: number, count: number): number {
  let end = count;
  while (end > 1 && digits[end - 1] === 0) end--;
  let at = start;
  if (isNegative) bytes[at++] = MINUS;
  if (exponent < 0) {
    bytes[at++] = ZERO;
    bytes[at++] = DOT;
    for (let zero = exponent + 1; zero < 0; zero++) bytes[at++] = ZERO;
  }
  for (let index = 0; index < end; index++) {
    if (index === exponent + 1 && exponent >= 0) bytes[at++] = DOT;
    bytes[at++] = ZERO + (digits[index] as number);
  }
  for (let zero = end; zero <= exponent; zero++) bytes[at++] = ZERO;
  return at;
}
