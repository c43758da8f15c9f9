// Values that a program writes, which must fit exactly: unlike a client of the wire, it would not expect what C makes of them.
import { convertFor } from '../../model/state/assign.js';
import type { Value } from '../../model/state/read.js';
import type { Variable } from '../../model/state/variable.js';
import { toOwnUnits } from '../../serving/session/own-units.js';

/** The value in the variable's own units. Throws an AssignmentError for one that it does not take exactly, or a UnitsError. */
export function exactInOwnUnits(variable: Variable, value: Value, units = ''): Value {
  const own = toOwnUnits(variable, value, units);
  convertFor(variable, own, 'exact');
  return own;
}
