// Integer powers of a double, rounded once.

type DoubleDouble = readonly [high: number, low: number];

const splitter = 2 ** 27 + 1;

function halves(value: number): DoubleDouble {
  const scaled = splitter * value;
  const high = scaled - (scaled - value);
  return [high, value - high];
}

/** The product and its rounding error (Dekker). */
function exactProduct(a: number, b: number): DoubleDouble {
  const product = a * b;
  const [aHigh, aLow] = halves(a);
  const [bHigh, bLow] = halves(b);
  return [product, aHigh * bHigh - product + aHigh * bLow + aLow * bHigh + aLow * bLow];
}

function multiply(a: DoubleDouble, b: DoubleDouble): DoubleDouble {
  const [product, lost] = exactProduct(a[0], b[0]);
  const tail = lost + (a[0] * b[1] + a[1] * b[0]);
  const high = product + tail;
  return [high, tail - (high - product)];
}

function reciprocal([high, low]: DoubleDouble): number {
  const quotient = 1 / high;
  const [product, lost] = exactProduct(quotient, high);
  return quotient + quotient * (1 - product - lost - quotient * low);
}

function positivePower(base: number, exponent: number): DoubleDouble {
  let power: DoubleDouble = [1, 0];
  let square: DoubleDouble = [base, 0];
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) power = multiply(power, square);
    if (left > 1) square = multiply(square, square);
  }
  return power;
}

/** Multiplies by a power of two in three exact steps, so that no step overflows unless the result does. */
function timesPowerOfTwo(value: number, exponent: number): number {
  const third = Math.trunc(exponent / 3);
  return value * 2 ** third * 2 ** third * 2 ** (exponent - 2 * third);
}

/**
 * `base ** exponent` as the C library's `pow` gives it, for a base that is no subnormal and exponents up to 255 in size; the
 * operator `**` is one unit in the last place off for one base in ten, which would show in converted values.
 */
export function integerPower(base: number, exponent: number): number {
  const scale = Math.floor(Math.log2(Math.abs(base)));
  const power = positivePower(timesPowerOfTwo(base, -scale), Math.abs(exponent));
  return timesPowerOfTwo(exponent < 0 ? reciprocal(power) : power[0], scale * exponent);
}
