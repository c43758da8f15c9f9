// Parses units text: evaluates the tree of the expression with the unit table.
import { parseUnits } from '../../../grammar/units/parser.js';
import type { IdentifierTree, NumberTree, UnitsTree } from '../../../grammar/units/tree.js';
import { baseDefinition, dimensionlessDefinition, type UnitRow } from './table.js';
import {
  baseUnit,
  formatDimensions,
  multiplyUnits,
  numberUnit,
  offsetUnit,
  one,
  raiseUnit,
  scaleUnit,
  type Unit,
} from './unit.js';
import { findUnit, nearestUnitNames } from './unit-names.js';
import { UnitsError } from './units-error.js';
import { meantUnits, meantWhere } from './usual-spellings.js';

/** Clients choose the texts, so the number of remembered ones is bounded. */
const maxRememberedUnits = 2000;
const rememberedUnits = new Map<string, Unit>();
/** Units of the table, each evaluated when it is first used. */
const tableUnits = new Map<UnitRow, Unit>();

const logarithmBases = { lg: 10, ln: Math.E, lb: 2 } as const;
const largestLong = 2 ** 63;

/**
 * The unit of a UDUNITS-2 expression (`ft.lbf/s`, `K @ 273.15`, `m²`); empty text is the number 1. Throws a UnitsError
 * that says what is wrong, at which column, with the nearest known names.
 */
export function parseUnit(text: string): Unit {
  const remembered = rememberedUnits.get(text);
  if (remembered !== undefined) return remembered;
  const unit = evaluateText(text);
  if (rememberedUnits.size >= maxRememberedUnits) rememberedUnits.clear();
  rememberedUnits.set(text, unit);
  return unit;
}

function evaluateText(text: string): Unit {
  try {
    return unitOf(text);
  } catch (error) {
    if (!(error instanceof UnitsError)) throw error;
    throw new UnitsError(`units ${quoted(text)}: ${error.message}${meantWhere(text, unitOf)}`);
  }
}

function unitOf(text: string): Unit {
  const parsed = parseUnits(text);
  if ('problem' in parsed) throw new UnitsError(parsed.problem.message);
  return evaluate(parsed.tree);
}

/** The text in quotes; a long text is cut off. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}...` : text);
}

function evaluate(tree: UnitsTree): Unit {
  switch (tree.kind) {
    case 'number':
      return numberUnit(checkedNumber(tree));
    case 'identifier':
      return namedUnit(tree);
    case 'product':
      return tree.rest.reduce((product, { operator, operand }) => {
        const factor = evaluate(operand);
        return multiplyUnits(product, operator === '/' ? raiseUnit(factor, -1) : factor);
      }, evaluate(tree.first));
    case 'power':
      return raiseUnit(evaluate(tree.base), tree.exponent);
    case 'offset':
      return shifted(evaluate(tree.base), tree.origin);
    case 'timeOrigin':
      return sinceOrigin(evaluate(tree.base), tree.origin);
    case 'logarithm':
      return { ...one, dimensions: evaluate(tree.reference).dimensions, logarithmBase: logarithmBases[tree.logarithm] };
  }
}

/** C reads integers as long. */
function checkedNumber({ value, isInteger }: NumberTree): number {
  if (isInteger && Math.abs(value) > largestLong) throw new UnitsError('expected whole numbers below 2^63 in size');
  if (!Number.isFinite(value)) throw new UnitsError('expected numbers below 1.7e308 in size');
  return value;
}

/** An integer after a unit of time is a year or a packed date (`s @ 19700101`), any other number an offset. */
function shifted(base: Unit, origin: NumberTree): Unit {
  const value = checkedNumber(origin);
  return origin.isInteger && isTime(base) ? sinceOrigin(base, String(value)) : offsetUnit(base, value);
}

function sinceOrigin(base: Unit, timeOrigin: string): Unit {
  if (!isTime(base))
    throw new UnitsError(`a date is the origin of units of time only, not of "${formatDimensions(base.dimensions)}"`);
  return { ...base, timeOrigin };
}

function isTime({ dimensions }: Unit): boolean {
  return formatDimensions(dimensions) === 's' || formatDimensions(dimensions, -1) === 's';
}

function namedUnit({ name, column }: IdentifierTree): Unit {
  const found = findUnit(name);
  if (found === undefined) throw unknownUnit(name, column);
  return scaleUnit(tableUnit(found.row), found.prefix);
}

function unknownUnit(name: string, column: number): UnitsError {
  const isMeant = meantUnits(name).length > 0;
  const nearest = isMeant ? [] : nearestUnitNames(name).map((spelling) => `"${spelling}"`);
  const hint = nearest.length === 0 ? '' : `; the nearest known are ${nearest.join(', ')}`;
  return new UnitsError(`expected a known unit, found ${quoted(name)} at column ${column}${hint}`);
}

function tableUnit(row: UnitRow): Unit {
  let unit = tableUnits.get(row);
  if (unit === undefined) {
    unit = defineUnit(row);
    tableUnits.set(row, unit);
  }
  return unit;
}

function defineUnit([definition, , symbols]: UnitRow): Unit {
  const isBase = definition === baseDefinition || definition === dimensionlessDefinition;
  return isBase ? baseUnit(symbols) : evaluateText(definition);
}
