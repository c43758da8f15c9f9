// Conversion of numbers from one units text to another, bit for bit as libudunits2 does it.
import { parseUnit } from './parse-unit.js';
import { formatDimensions, type Unit } from './unit.js';
import { UnitsError } from './units-error.js';
import { meantWhere } from './usual-spellings.js';

export interface Converter {
  readonly convert: (x: number) => number;
  /** Whether `convert` returns every number unchanged. */
  readonly isIdentity: boolean;
  /**
   * `convert(x)` is `slope * x + intercept`. When reciprocal it is `toSlope * (1 / (fromSlope * x + fromIntercept)) + intercept`,
   * and slope is `toSlope / fromSlope`.
   */
  readonly slope: number;
  readonly intercept: number;
  /** Whether one unit is the inverse of the other: s to Hz. */
  readonly isReciprocal: boolean;
}

/** Clients choose the texts, so the number of remembered pairs is bounded. */
const maxRememberedConverters = 2000;
const rememberedConverters = new Map<string, Converter>();

/**
 * The converter between two units texts, remembered. Throws a UnitsError when either does not parse, when they do not convert,
 * and for logarithmic units and time origins. (UDUNITS-2: ut_get_converter, cv_convert_double.)
 */
export function converter(from: string, to: string): Converter {
  const key = `${from}\n${to}`;
  const remembered = rememberedConverters.get(key);
  if (remembered !== undefined) return remembered;
  const made = makeConverter(from, to);
  if (rememberedConverters.size >= maxRememberedConverters) rememberedConverters.clear();
  rememberedConverters.set(key, made);
  return made;
}

const IDENTITY: Converter = { convert: (x) => x, isIdentity: true, slope: 1, intercept: 0, isReciprocal: false };

/** As `converter`, but a number that stays in its units stays the same: libudunits2 makes 9.999999999999998 ft of 10 ft. */
export const exactConverter = (from: string, to: string): Converter => (from === to ? IDENTITY : converter(from, to));

/** Whether `converter` would return a converter; never throws. */
export function areConvertible(from: string, to: string): boolean {
  try {
    converter(from, to);
    return true;
  } catch (error) {
    if (error instanceof UnitsError) return false;
    throw error;
  }
}

function makeConverter(from: string, to: string): Converter {
  const source = linearUnit(from);
  const target = linearUnit(to);
  const made = converterBetween(source, target);
  if (made) return made;
  const require = (one: Converter | undefined): void => {
    if (!one) throw new UnitsError('these do not convert');
  };
  const meant =
    meantWhere(to, (wanted) => require(converterBetween(source, linearUnit(wanted)))) ||
    meantWhere(from, (wanted) => require(converterBetween(linearUnit(wanted), target)));
  const [fromText, toText] = [JSON.stringify(from), JSON.stringify(to)];
  const [fromDimensions, toDimensions] = [formatDimensions(source.dimensions), formatDimensions(target.dimensions)];
  throw new UnitsError(
    `expected units that convert from ${fromText} (${fromDimensions}), found ${toText} (${toDimensions})${meant}`,
  );
}

/** Undefined for units of other dimensions. */
function converterBetween(source: Unit, target: Unit): Converter | undefined {
  const targetDimensions = formatDimensions(target.dimensions);
  if (formatDimensions(source.dimensions) === targetDimensions) return linearConverter(source, target);
  return formatDimensions(source.dimensions, -1) === targetDimensions ? reciprocalConverter(source, target) : undefined;
}

function linearUnit(text: string): Unit {
  const unit = parseUnit(text);
  if (unit.logarithmBase !== undefined) {
    throw new UnitsError(`expected units on a linear scale, found the logarithmic ${JSON.stringify(text)}`);
  }
  if (unit.timeOrigin !== undefined) {
    throw new UnitsError(`expected units without a date, found ${JSON.stringify(text)}: dates are not converted`);
  }
  return unit;
}

/** The operations must have libudunits2's order: another one changes the last bit of every fifth conversion. */
function linearConverter(source: Unit, target: Unit): Converter {
  const inverse = 1 / target.factor;
  const slope = inverse * source.factor;
  const intercept = inverse * (source.offset * source.factor) + -target.offset;
  const isIdentity = slope === 1 && intercept === 0;
  return { convert: linearFunction(slope, intercept), isIdentity, slope, intercept, isReciprocal: false };
}

function linearFunction(slope: number, intercept: number): (x: number) => number {
  if (intercept !== 0) return (x) => slope * x + intercept;
  return slope === 1 ? (x) => x : (x) => slope * x;
}

function reciprocalConverter(source: Unit, target: Unit): Converter {
  const fromSlope = source.factor;
  const fromIntercept = source.offset * source.factor;
  const toSlope = 1 / target.factor;
  const toIntercept = -target.offset;
  const convert = (x: number) => toSlope * (1 / (fromSlope * x + fromIntercept)) + toIntercept;
  return { convert, isIdentity: false, slope: toSlope / fromSlope, intercept: toIntercept, isReciprocal: true };
}
