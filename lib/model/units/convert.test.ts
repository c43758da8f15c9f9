// Conversions compared with libudunits2's, bit for bit.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { areConvertible, converter, exactConverter } from './convert.js';
import { UnitsError } from './units-error.js';

type OracleRow = readonly [from: string, to: string, ...values: (number | null)[]];

/** Made by oracle/conversions.c: the conversions of 1, 100 and -3.7. */
const oracle = JSON.parse(
  readFileSync(new URL('../../../../lib/model/units/oracle/conversions.json', import.meta.url), 'utf8'),
) as readonly OracleRow[];
const convertible = oracle.filter(([, , value]) => value !== null);

describe('converter', () => {
  it('gives the bits of libudunits2 for every spelling in the table', () => {
    expect(convertible.length).to.be.greaterThan(2500);
    const different = convertible.filter(([from, to, ...values]) => {
      const { convert } = converter(from, to);
      return [1, 100, -3.7].some((x, index) => !Object.is(convert(x), values[index]));
    });
    expect(different).to.deep.equal([]);
  });

  it('refuses what libudunits2 refuses', () => {
    const refused = oracle.filter(([, , value]) => value === null);
    expect(refused.map(([from, to]) => [from, to, areConvertible(from, to)])).to.deep.equal([
      ['m', 'kg', false],
      ['m', 'm2', false],
    ]);
  });

  it('comes back within four units in the last place', () => {
    // An offset on either side costs a small number its digits: 1e-100 degC is 273.15 K.
    const withoutOffset = convertible
      .map(([from, to]) => [from, to] as const)
      .filter(([from, to]) => converter(from, to).intercept === 0 && converter(to, from).intercept === 0);
    const value = fc.double({ noNaN: true, min: 1e-100, max: 1e100 });
    fc.assert(
      fc.property(fc.constantFrom(...withoutOffset), value, ([from, to], x) => {
        const there = converter(from, to).convert(x);
        const back = converter(to, from).convert(there);
        expect(Math.abs(back - x)).to.be.at.most(4 * Number.EPSILON * x);
      }),
    );
  });

  it('converts reciprocals, as seconds to hertz', () => {
    const { convert, isReciprocal, isIdentity } = converter('ms', 'Hz');
    expect([convert(4), isReciprocal, isIdentity]).to.deep.equal([250, true, false]);
  });

  it('converts radians to plain numbers', () => {
    expect(converter('rad/s', 'Hz').convert(2)).to.equal(2);
    expect(converter('degree', '1').convert(1)).to.equal(0.017453292519943295);
  });

  it('knows the identity, and keeps the sign of zero', () => {
    const identity = converter('m/s', 'm s-1');
    expect(identity).to.include({ isIdentity: true, slope: 1, intercept: 0 });
    expect(Object.is(identity.convert(-0), -0)).to.equal(true);
    expect(Object.is(converter('m', 'ft').convert(-0), -0)).to.equal(true);
  });

  it('keeps a number that stays in its units', () => {
    expect([exactConverter('ft', 'ft').convert(10), converter('ft', 'ft').convert(10)]).to.deep.equal([
      10, 9.999999999999998,
    ]);
    expect(exactConverter('ft', 'm')).to.equal(converter('ft', 'm'));
  });

  it('shows slope and intercept', () => {
    expect(converter('K', 'degC')).to.include({ isIdentity: false, slope: 1, intercept: -273.15 });
    expect(converter('km', 'm')).to.include({ isIdentity: false, slope: 1000, intercept: 0 });
  });

  it('gives the same converter for the same texts', () => {
    expect(converter('ft', 'km')).to.equal(converter('ft', 'km'));
  });

  const problems: [from: string, to: string, message: string][] = [
    ['m', 'kg', 'expected units that convert from "m" (m), found "kg" (kg)'],
    ['N', 'J', 'expected units that convert from "N" (kg m s-2), found "J" (kg m2 s-2)'],
    ['dBZ', 'dBZ', 'expected units on a linear scale, found the logarithmic "dBZ"'],
    ['s', 's since 1970-01-01', 'expected units without a date, found "s since 1970-01-01": dates are not converted'],
    ['m', 'm)', 'units "m)": expected an operator or the end, found ")" at column 2'],
  ];
  for (const [from, to, message] of problems) {
    it(`says why ${from} does not convert to ${to}`, () => {
      expect(() => converter(from, to)).to.throw(UnitsError, new RegExp(`^${message.replace(/[()"]/g, '\\$&')}$`));
    });
  }
});

describe('areConvertible', () => {
  it('answers for texts that convert, differ in dimensions, or are no units', () => {
    expect([areConvertible('ft', 'm'), areConvertible('ft', 's'), areConvertible('ft', 'nonsense')]).to.deep.equal([
      true,
      false,
      false,
    ]);
  });
});
