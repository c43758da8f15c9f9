// Converts a client's value from the units it gave to the units in which a variable is declared.
import { AssignmentError } from '../../model/state/assign.js';
import type { Value } from '../../model/state/read.js';
import type { Variable } from '../../model/state/variable.js';
import { exactConverter } from '../../model/units/index.js';

type InUnits = Pick<Variable, 'path' | 'units'>;

/** These ask for no conversion. Trick: `xx`, `--` */
const OWN_UNITS = new Set(['', 'xx', '--']);

/** UDUNITS text of a variable's units; `1` where Trick writes `--`. */
export const unitOf = (variable: Pick<Variable, 'units'>): string => (variable.units === '--' ? '1' : variable.units);

/**
 * Converts numbers, and lists of numbers. Throws a UnitsError when the units do not convert, and an AssignmentError for
 * a value that can have no units.
 */
export function toOwnUnits(variable: InUnits, value: Value, units: string): Value {
  if (OWN_UNITS.has(units)) return value;
  const { convert, isIdentity } = exactConverter(units, unitOf(variable));
  return isIdentity ? value : convertNumbers(value, convert, variable);
}

function convertNumbers(value: Value, convert: (x: number) => number, variable: InUnits): Value {
  if (typeof value === 'number' || typeof value === 'bigint') return convert(Number(value));
  if (Array.isArray(value)) return value.map((item: Value) => convertNumbers(item, convert, variable));
  throw new AssignmentError(`${variable.path} was given units, which apply to numbers only`);
}

/** The path and the units in a name such as `ball.height{cm}`. */
export function splitUnits(name: string): { readonly path: string; readonly units?: string } {
  const [, path = name, units] = /^([^{}]+)\{([^{}]+)\}$/.exec(name) ?? [];
  return units === undefined ? { path } : { path, units };
}
