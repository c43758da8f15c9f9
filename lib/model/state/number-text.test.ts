// Numbers as text, compared with a C library's and with exact arithmetic.
import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '../../testing/aids/run-counts.js';
import { formatDouble, formatFloat } from './number-text.js';
import printed from './oracle/printf.json' with { type: 'json' };

const bits = new BigUint64Array(1);
const double = new Float64Array(bits.buffer);

function doubleOf(pattern: bigint): number {
  bits[0] = pattern;
  return double[0] as number;
}

/** The absolute value of a finite double as an exact fraction. */
function exactFraction(x: number): [numerator: bigint, denominator: bigint] {
  double[0] = Math.abs(x);
  const pattern = bits[0] as bigint;
  const exponent = Number(pattern >> 52n);
  const fraction = pattern & ((1n << 52n) - 1n);
  const mantissa = exponent === 0 ? fraction : fraction | (1n << 52n);
  const power = BigInt(Math.max(exponent, 1) - 1075);
  return power >= 0n ? [mantissa << power, 1n] : [mantissa, 1n << -power];
}

function roundedQuotient(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twiceRest = 2n * (numerator - quotient * denominator);
  if (twiceRest !== denominator) return twiceRest > denominator ? quotient + 1n : quotient;
  return quotient % 2n === 0n ? quotient : quotient + 1n;
}

/** The digits, and the decimal exponent of the first digit, rounded to nearest, ties to even. */
function exactDigits(x: number, precision: number): { digits: string; exponent: number } {
  const [numerator, denominator] = exactFraction(x);
  // The estimate is wrong by one at most; starting one lower makes sure that it is never too large.
  for (let exponent = Math.floor(Math.log10(Math.abs(x) || 5e-324)) - 1; ; exponent++) {
    const shift = BigInt(precision - 1 - exponent);
    const scaled: [bigint, bigint] =
      shift >= 0n ? [numerator * 10n ** shift, denominator] : [numerator, denominator * 10n ** -shift];
    const digits = `${roundedQuotient(...scaled)}`;
    if (digits.length === precision) return { digits, exponent };
  }
}

/** C's %.Pg, as the C standard defines it, with exact integers. */
function printGeneral(x: number, precision: number): string {
  const sign = x < 0 || Object.is(x, -0) ? '-' : '';
  if (x === 0) return `${sign}0`;
  const { digits, exponent } = exactDigits(x, precision);
  const strip = (text: string): string => (text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text);
  if (exponent < -4 || exponent >= precision) {
    const power = `${Math.abs(exponent)}`.padStart(2, '0');
    return `${sign}${strip(`${digits[0]}.${digits.slice(1)}`)}e${exponent < 0 ? '-' : '+'}${power}`;
  }
  if (exponent < 0) return sign + strip(`0.${'0'.repeat(-exponent - 1)}${digits}`);
  return sign + strip(`${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`);
}

/** Odd multiples of 2^-k below a limit: many lie exactly between two short decimals. */
const dyadic = (maxMantissa: number, maxPower: number): fc.Arbitrary<number> =>
  fc
    .tuple(fc.integer({ min: 0, max: maxMantissa }), fc.integer({ min: 0, max: maxPower }), fc.boolean())
    .map(([half, power, isNegative]) => ((isNegative ? -1 : 1) * (2 * half + 1)) / 2 ** power);

const anyFinite = fc.double({ noNaN: true, noDefaultInfinity: true });
const roundish = fc
  .tuple(fc.integer({ min: -999_999, max: 999_999 }), fc.integer({ min: -12, max: 20 }))
  .map(([digits, power]) => Number(`${digits}e${power}`));

describe('number text', () => {
  it('prints 2800 doubles and floats as a C library printed them', () => {
    for (const line of printed) {
      const [pattern, asDouble, asFloat] = line.split(' ') as [string, string, string];
      const x = doubleOf(BigInt(`0x${pattern}`));
      expect(formatDouble(x), pattern).to.equal(asDouble);
      expect(formatFloat(x), pattern).to.equal(asFloat);
    }
    expect(printed.length).to.be.greaterThan(2800);
  });

  it('rounds a tie to the even digit', () => {
    expect(formatFloat(2 ** -12)).to.equal('0.00024414062');
    expect(formatFloat(3 * 2 ** -12)).to.equal('0.00073242188');
    expect(formatDouble(2 ** -23)).to.equal('1.192092895507812e-07');
    expect(formatDouble(2 ** 50 + 0.5)).to.equal('1125899906842624');
    expect(formatDouble(2 ** 50 + 1.5)).to.equal('1125899906842626');
  });

  it('spells what is not finite, and minus zero, as C does', () => {
    const values = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0, 0];
    const texts = ['nan', 'inf', '-inf', '-0', '0'];
    expect(values.map(formatDouble)).to.deep.equal(texts);
    expect(values.map(formatFloat)).to.deep.equal(texts);
  });

  it('rounds to a float first, beyond the largest one to infinity', () => {
    expect(formatFloat(16_777_217)).to.equal('16777216');
    expect(formatFloat(1e39)).to.equal('inf');
    expect(formatFloat(-1e-60)).to.equal('-0');
  });

  it('agrees with exact arithmetic on any double', () => {
    fc.assert(
      fc.property(fc.oneof(anyFinite, roundish, dyadic(2 ** 51, 40)), (x) => {
        expect(formatDouble(x)).to.equal(printGeneral(x, 16));
      }),
      { numRuns: runs(5000) },
    );
  });

  it('agrees with exact arithmetic on any float', () => {
    const anyFloat = fc.float({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(fc.oneof(anyFloat, roundish.map(Math.fround), dyadic(2 ** 22, 20)), (x) => {
        expect(formatFloat(x)).to.equal(printGeneral(x, 8));
      }),
      { numRuns: runs(5000) },
    );
  });

  it('agrees with exact arithmetic on ties of 17 digits, which are rare', () => {
    let ties = 0;
    for (let power = 1; power <= 24; power++) {
      const lowest = Math.ceil(10 ** (16 - power) * 2 ** power);
      for (let mantissa = lowest + 1 - (lowest % 2); mantissa < lowest + 40 && mantissa < 2 ** 53; mantissa += 2) {
        const x = mantissa / 2 ** power;
        if (x.toPrecision(17).replace(/e.*/, '').endsWith('5')) ties++;
        expect(formatDouble(x)).to.equal(printGeneral(x, 16));
      }
    }
    expect(ties).to.be.greaterThan(100);
  });
});
