// Floats as decimal digits, rounded as C and Python do: exactly, ties to the even digit.

/** A finite float as `mantissa * 2 ** exponent`. */
function split(x: number): { readonly mantissa: bigint; readonly exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  const bits = view.getBigUint64(0);
  const power = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  return power === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | (1n << 52n), exponent: power - 1075 };
}

function divideToEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = 2n * (numerator % denominator);
  if (twice > denominator || (twice === denominator && quotient % 2n === 1n)) return quotient + 1n;
  return quotient;
}

/** `|x| * 10 ** places` to the nearest integer. */
function scaled(x: number, places: number): bigint {
  const { mantissa, exponent } = split(Math.abs(x));
  const numerator = mantissa * (places > 0 ? 10n ** BigInt(places) : 1n) * (exponent > 0 ? 1n << BigInt(exponent) : 1n);
  const denominator = (places < 0 ? 10n ** BigInt(-places) : 1n) * (exponent < 0 ? 1n << BigInt(-exponent) : 1n);
  return divideToEven(numerator, denominator);
}

/** The digits of |x| with this many places after the point: C's `%.2f`. */
export function fixedDigits(x: number, places: number): string {
  const digits = scaled(x, places)
    .toString()
    .padStart(places + 1, '0');
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** The digits `d.ddd` of |x| and the power of ten: C's `%.3e`. */
export function exponentDigits(x: number, places: number): { readonly digits: string; readonly power: number } {
  if (x === 0) return { digits: places > 0 ? `0.${'0'.repeat(places)}` : '0', power: 0 };
  let power = Number(Math.abs(x).toExponential().split('e')[1]);
  let digits = scaled(x, places - power).toString();
  // 9.996 became 10.00.
  if (digits.length > places + 1) {
    power++;
    digits = digits.slice(0, -1);
  }
  return { digits: places > 0 ? `${digits[0]}.${digits.slice(1)}` : digits, power };
}

/** Rounds to this many decimal places; a negative number of places rounds to tens and hundreds. Python: round */
export function roundTo(x: number, places: number): number {
  if (!Number.isFinite(x) || places > 323) return x;
  if (places < -308) return 0 * x;
  const sign = x < 0 || Object.is(x, -0) ? '-' : '';
  return Number(`${sign}${scaled(x, places)}e${-places}`);
}

/** The quotient of integers of any size, rounded once; Infinity when it is too large for a float. */
export function divideIntegers(a: bigint, b: bigint): number {
  const [top, bottom] = [a < 0n ? -a : a, b < 0n ? -b : b];
  const sign = a < 0n !== b < 0n ? -1 : 1;
  if (top < SAFE && bottom < SAFE) return (sign * Number(top)) / Number(bottom);
  // The quotient's first 64 bits, and a last bit that is 1 when anything is left, round to the same float as the whole.
  const shift = 66 - (bitLength(top) - bitLength(bottom));
  const numerator = shift > 0 ? top << BigInt(shift) : top;
  const denominator = shift < 0 ? bottom << BigInt(-shift) : bottom;
  const quotient = (numerator / denominator) | (numerator % denominator === 0n ? 0n : 1n);
  return sign * timesPowerOfTwo(Number(quotient), -shift);
}

const SAFE = 2n ** 53n;

export const bitLength = (value: bigint): number => (value === 0n ? 0 : value.toString(2).length);

/** Scales in steps, because 2 ** exponent itself may be outside the range of floats. */
function timesPowerOfTwo(x: number, exponent: number): number {
  if (exponent > 1000) return x * 2 ** 1000 * 2 ** Math.min(1000, exponent - 1000);
  return exponent < -1000 ? x * 2 ** -1000 * 2 ** Math.max(-1000, exponent + 1000) : x * 2 ** exponent;
}
