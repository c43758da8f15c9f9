// Units of what an expression is made of: which go together, and what comes of them.
import { exactConverter, UnitsError } from '../../model/units/index.js';
import { parseUnit } from '../../model/units/parse-unit.js';
import { formatDimensions, multiplyUnits, one, raiseUnit, type Unit } from '../../model/units/unit.js';

/** A number's units text; `1` for none. */
export type UnitsText = string;

/** How the numbers of one unit become those of another. */
export type Convert = (value: number) => number;

const same: Convert = (value) => value;

/** From one unit to another. Throws a UnitsError when they do not convert. */
export function conversion(from: UnitsText, to: UnitsText): Convert {
  const found = exactConverter(from, to);
  if (found.isReciprocal) throw new UnitsError(`${from} and ${to} do not go together`);
  return found.isIdentity ? same : found.convert;
}

/** What counts as no unit: 1, and angles. */
export const isPlain = (units: UnitsText): boolean => formatDimensions(parseUnit(units).dimensions) === '1';

/** A unit of base units alone, and how numbers come to it. */
function inBase(units: UnitsText): { readonly unit: Unit; readonly convert: Convert } {
  const { dimensions } = parseUnit(units);
  return { unit: { ...one, dimensions }, convert: conversion(units, textOf({ ...one, dimensions })) };
}

/** `kg m/s2`, `1/s`; `1` for none. */
function textOf({ dimensions }: Unit): UnitsText {
  const powers = Object.entries(dimensions).filter(([symbol]) => symbol !== 'rad');
  const text = (symbol: string, power: number): string => (power === 1 ? symbol : `${symbol}${power}`);
  const above = powers.filter(([, power]) => power > 0).map(([symbol, power]) => text(symbol, power));
  const below = powers.filter(([, power]) => power < 0).map(([symbol, power]) => `/${text(symbol, -power)}`);
  return `${above.sort().join(' ') || '1'}${below.sort().join('')}`;
}

export interface Combined {
  readonly units: UnitsText;
  readonly left: Convert;
  readonly right: Convert;
}

/** Of a product or a quotient: a factor without a unit leaves the other's, else all is in base units. */
export function combined(left: UnitsText, right: UnitsText, exponent: 1 | -1): Combined {
  if (right === '1') return { units: left, left: same, right: same };
  if (left === '1' && exponent === 1) return { units: right, left: same, right: same };
  const [one, other] = [inBase(left), inBase(right)];
  const units = textOf(multiplyUnits(one.unit, raiseUnit(other.unit, exponent)));
  return { units, left: one.convert, right: other.convert };
}

/** Of a power, also by a half. Throws a UnitsError where that is no unit. */
export function raised(units: UnitsText, exponent: number): { readonly units: UnitsText; readonly convert: Convert } {
  if (units === '1' || exponent === 1) return { units, convert: same };
  const { unit, convert } = inBase(units);
  const powers = Object.entries(unit.dimensions).map(([symbol, power]) => [symbol, power * exponent] as const);
  if (powers.some(([, power]) => !Number.isInteger(power)))
    throw new UnitsError(`${units} has no power of ${exponent} that is a unit`);
  return {
    units: textOf({ ...one, dimensions: Object.fromEntries(powers.filter(([, power]) => power !== 0)) }),
    convert,
  };
}
