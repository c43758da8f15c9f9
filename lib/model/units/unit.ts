// Units and their arithmetic, in the order of libudunits2's operations, so that every factor has the same last bit.
import { integerPower } from './integer-power.js';
import { UnitsError } from './units-error.js';

/** Powers of base units by symbol (`{ m: 1, s: -2 }`); `rad` is listed, but comparisons ignore it. */
export type Dimensions = Readonly<Record<string, number>>;

/** A value x in this unit is `factor * x + factor * offset` in base units. */
export interface Unit {
  readonly factor: number;
  /** The zero of the base units, in this unit: 273.15 for degC. */
  readonly offset: number;
  readonly dimensions: Dimensions;
  /** Base of the logarithm, for units like `lg(re 1 mW)`; then `factor` scales the logarithm. */
  readonly logarithmBase?: number;
  /** The date of the zero, for units like `s since 1970-01-01`. */
  readonly timeOrigin?: string;
}

/** The largest power and exponent that libudunits2 accepts. */
const maxExponent = 255;
const maxPower = 32767;
/** libudunits2 takes factors this close to 1, and offsets this close to 0, as 1 and 0. */
const closeness = 10 * Number.EPSILON;
const smallestNormal = 2.2250738585072014e-308;

export const one: Unit = { factor: 1, offset: 0, dimensions: {} };

export function baseUnit(symbol: string): Unit {
  return { factor: 1, offset: 0, dimensions: { [symbol]: 1 } };
}

/** A number as a unit. Throws a UnitsError for 0 and for numbers that no double holds exactly enough. */
export function numberUnit(value: number): Unit {
  if (value === 0) throw new UnitsError('expected a number other than 0');
  return withScale(one, value, 0);
}

/** `unit` times `scale` with another offset. Throws a UnitsError when a double cannot hold the factor. */
function withScale(unit: Unit, scale: number, offset: number): Unit {
  const size = Math.abs(scale);
  if (!(size >= smallestNormal && size <= Number.MAX_VALUE)) {
    throw new UnitsError('expected a factor between 2.3e-308 and 1.7e308 in size');
  }
  const isUnchanged = Math.abs(1 - 1 / scale) < closeness && Math.abs(offset) < closeness;
  return isUnchanged ? { ...unit, factor: 1, offset: 0 } : { ...unit, factor: scale, offset };
}

/** A unit with a prefix; the unit's zero does not move (`millidegC`). */
export function scaleUnit(unit: Unit, prefix: number): Unit {
  if (prefix === 1) return unit;
  const scale = prefix * unit.factor;
  return withScale(unit, scale, (unit.factor * unit.offset) / scale);
}

/** `unit @ origin`; offsets add up. */
export function offsetUnit(unit: Unit, origin: number): Unit {
  return origin === 0 ? unit : withScale(unit, unit.factor, origin + (unit.factor * unit.offset) / unit.factor);
}

/** The product; offsets and time origins are lost, as in libudunits2 (`2 degC` is 2 K). */
export function multiplyUnits(a: Unit, b: Unit): Unit {
  const scale = a.factor * b.factor;
  if (a.logarithmBase === undefined && b.logarithmBase === undefined) {
    return withScale({ ...one, dimensions: sumOfPowers(a.dimensions, b.dimensions) }, scale, 0);
  }
  const [logarithm, plain] = a.logarithmBase === undefined ? [b, a] : [a, b];
  if (plain.logarithmBase !== undefined || dimensionKeys(plain.dimensions).length > 0) {
    throw new UnitsError('a logarithmic unit can be multiplied by numbers only');
  }
  return withScale(logarithm, scale, 0);
}

/** The power. Throws a UnitsError for exponents beyond 255 and for logarithmic units. */
export function raiseUnit(unit: Unit, exponent: number): Unit {
  if (Math.abs(exponent) > maxExponent)
    throw new UnitsError(`expected an exponent of at most ${maxExponent}, found ${exponent}`);
  if (exponent === 0) return one;
  if (exponent === 1) return unit;
  if (unit.logarithmBase !== undefined) throw new UnitsError('a logarithmic unit has no powers');
  const powers = Object.entries(unit.dimensions).map(([symbol, power]) => [symbol, checkedPower(power * exponent)]);
  return withScale({ ...one, dimensions: Object.fromEntries(powers) }, integerPower(unit.factor, exponent), 0);
}

function sumOfPowers(a: Dimensions, b: Dimensions): Dimensions {
  const sum: Record<string, number> = { ...a };
  for (const [symbol, power] of Object.entries(b)) {
    const total = checkedPower((sum[symbol] ?? 0) + power);
    if (total === 0) delete sum[symbol];
    else sum[symbol] = total;
  }
  return sum;
}

function checkedPower(power: number): number {
  if (Math.abs(power) > maxPower) throw new UnitsError(`expected powers of at most ${maxPower}`);
  return power;
}

/** Symbols of the base units that count in a comparison, in alphabetical order. */
function dimensionKeys(dimensions: Dimensions): string[] {
  return Object.keys(dimensions)
    .filter((symbol) => symbol !== 'rad')
    .sort();
}

/** The dimensions as text, equal for units that convert into each other: `kg m2 s-2`, or `1` for none. */
export function formatDimensions(dimensions: Dimensions, sign: 1 | -1 = 1): string {
  const keys = dimensionKeys(dimensions);
  const powers = keys.map((symbol) => {
    const power = sign * (dimensions[symbol] ?? 0);
    return power === 1 ? symbol : symbol + power;
  });
  return powers.join(' ') || '1';
}
