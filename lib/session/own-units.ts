// A client's value turned into the units in which its variable is declared.
import type { Value } from '../model/read.js';
import type { Variable } from '../model/variable.js';
import { converter } from '../units/index.js';

/** Converts numbers, lists of numbers included; throws a UnitsError when the units do not convert. */
export function toOwnUnits(variable: Variable, value: Value, units: string): Value {
  const own = variable.units === '--' ? '1' : variable.units;
  const { convert, isIdentity } = converter(units, own);
  return isIdentity ? value : convertNumbers(value, convert);
}

function convertNumbers(value: Value, convert: (x: number) => number): Value {
  if (typeof value === 'number' || typeof value === 'bigint') return convert(Number(value));
  return Array.isArray(value) ? value.map((item: Value) => convertNumbers(item, convert)) : value;
}
