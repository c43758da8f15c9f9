// The units of an FMU as UDUNITS text: a name that means the same there stays, for others the text is made of base units.
import { parseUnit } from '../../model/units/parse-unit.js';
import { mapTrickUnits } from '../../model/units/trick-units.js';
import { formatDimensions, type Unit } from '../../model/units/unit.js';
import type { FmuUnit } from './description.js';

/** Conversion factors are written with some 15 digits. */
const CLOSE = 1e-9;

/** UDUNITS text that means the unit; `--` for none, and for a unit of which too little is known. */
export function unitsText(unit: FmuUnit | undefined, isRelative: boolean): string {
  if (!unit || unit.name === '' || unit.name === '-') return '--';
  const { name, base } = unit;
  const known = parsed(name);
  if (!base) return known && !/[{}]/.test(name) ? name : '--';
  const { powers, factor } = base;
  const offset = isRelative ? 0 : base.offset;
  if (!(Number.isFinite(factor) && factor !== 0 && Number.isFinite(offset))) return '--';
  if (known && isSame(known, { factor, offset: offset / factor, dimensions: powers })) return name;
  const product = Object.entries(powers).map(([symbol, power]) => (power === 1 ? symbol : symbol + power));
  const scaled = [...(factor === 1 && product.length > 0 ? [] : [String(factor)]), ...product.sort()].join('.');
  const text = offset === 0 ? scaled : `(${scaled}) @ ${offset / factor}`;
  const made = parsed(text);
  return made && isSame(made, { factor, offset: offset / factor, dimensions: powers }) ? text : '--';
}

/** As the catalog reads it. */
function parsed(text: string): Unit | undefined {
  try {
    return parseUnit(mapTrickUnits(text));
  } catch {
    return undefined;
  }
}

function isSame(one: Unit, other: Unit): boolean {
  const isPlain = one.logarithmBase === undefined && one.timeOrigin === undefined;
  return (
    isPlain &&
    formatDimensions(one.dimensions) === formatDimensions(other.dimensions) &&
    isClose(one.factor, other.factor) &&
    isClose(one.offset, other.offset)
  );
}

const isClose = (one: number, other: number): boolean =>
  Math.abs(one - other) <= CLOSE * Math.max(1e-30, Math.abs(other));
