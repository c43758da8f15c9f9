// Numbers with units in other units, and the units of what an operator makes of two of them.

import { exactConverter } from '../../../model/units/index.js';
import type { BinaryOperator } from '../grammar/index.js';
import { ScriptError } from './error.js';
import { NO_UNITS, type Quantity, type ScriptValue } from './values.js';

/** The number of a quantity in other units. Throws a UnitsError when the units do not convert. */
export function inUnits({ magnitude, units }: Quantity, wanted: string): bigint | number | boolean {
  const { convert, isIdentity } = exactConverter(units, wanted);
  return isIdentity ? magnitude : convert(Number(magnitude));
}

/** Products of products make ever longer units. */
const MOST_CHARACTERS = 200;
const MOST_POWER = 16;

/**
 * The units of a result. Throws a TypeError for operands whose units make no sense.
 * @param left units of the left operand, if it has any.
 * @param operand the right operand as a number.
 */
export function unitsOfResult(
  operator: BinaryOperator,
  left: string | undefined,
  right: string | undefined,
  operand: ScriptValue,
): string {
  const units = combined(operator, left, right, operand) ?? NO_UNITS;
  if (units.length > MOST_CHARACTERS)
    throw new ScriptError('TypeError', `the units of a result are limited to ${MOST_CHARACTERS} characters`);
  return units;
}

function combined(
  operator: BinaryOperator,
  left: string | undefined,
  right: string | undefined,
  operand: ScriptValue,
): string | undefined {
  switch (operator) {
    case '+':
    case '-':
      return left ?? right;
    case '*':
      return left === undefined || right === undefined ? (left ?? right) : `${left}*(${right})`;
    case '/':
    case '//':
      return right === undefined ? left : `${left ?? NO_UNITS}/(${right})`;
    case '**':
      if (right !== undefined) throw noSuchUnits('the exponent of a power', right);
      return left === undefined ? undefined : powerOf(left, operand);
    case '&':
    case '|':
    case '^':
      if (left !== undefined && right !== undefined) throw noSuchUnits(`one side of ${operator}`, right);
      return left ?? right;
    default:
      if (right !== undefined) throw noSuchUnits(`the right side of ${operator}`, right);
      return left;
  }
}

function powerOf(units: string, exponent: ScriptValue): string | undefined {
  const times = typeof exponent === 'bigint' || typeof exponent === 'number' ? Number(exponent) : Number.NaN;
  if (times === 0) return undefined;
  if (!(Number.isInteger(times) && times > 0 && times <= MOST_POWER))
    throw new ScriptError('TypeError', `a number in ${units} has powers from 0 to ${MOST_POWER}, without fractions`);
  return units + `*(${units})`.repeat(times - 1);
}

const noSuchUnits = (what: string, units: string): ScriptError =>
  new ScriptError('TypeError', `${what} takes a number without units, not one in ${units}`);
