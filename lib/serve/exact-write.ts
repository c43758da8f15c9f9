// Values that a program writes, which must fit exactly: unlike a client of the wire, it would not expect what C makes of them.
import { AssignmentError } from '../model/assign.js';
import { requireExactNumbers } from '../model/initial.js';
import type { Value } from '../model/read.js';
import type { Variable } from '../model/variable.js';
import { toOwnUnits } from '../session/own-units.js';

/** The value in the variable's own units. Throws an AssignmentError for a number that its type cannot hold, or a UnitsError. */
export function exactInOwnUnits(variable: Variable, value: Value, units = ''): Value {
  const own = toOwnUnits(variable, value, units);
  try {
    requireExactNumbers(variable.type, own, variable.path, { takesNaN: true });
  } catch (error) {
    throw new AssignmentError((error as Error).message);
  }
  return own;
}
