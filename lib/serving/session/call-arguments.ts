// Converts the arguments that a client gave to the units and types that a typed function takes.
import { AssignmentError } from '../../model/state/assign.js';
import {
  type CallableDescription,
  fitArguments,
  type ParameterDescription,
  placeOf,
} from '../../model/state/callable.js';
import { MisfitError } from '../../model/state/misfit.js';
import type { Value } from '../../model/state/read.js';
import { UnitsError } from '../../model/units/index.js';
import { toOwnUnits } from './own-units.js';

/** One argument; without `units` it is in the parameter's own units. */
export interface GivenArgument {
  readonly value: Value;
  readonly units: string | undefined;
}

/**
 * Throws a MisfitError with one sentence. Without units it is the sentence with which the simulation would refuse the
 * call.
 */
export function prepareArguments(callable: CallableDescription, given: readonly GivenArgument[]): readonly Value[] {
  const { takes = [] } = callable;
  const values = given.map((argument, index) => {
    const parameter = takes[index];
    return parameter ? inUnitsOf(parameter, argument, placeOf(callable, parameter)) : argument.value;
  });
  return fitArguments(callable, values);
}

function inUnitsOf(parameter: ParameterDescription, { value, units }: GivenArgument, path: string): Value {
  // A parameter without units takes the number unchanged.
  if (units === undefined || parameter.units === '--') return value;
  try {
    return toOwnUnits({ path, units: parameter.units }, value, units);
  } catch (error) {
    if (error instanceof UnitsError) throw new MisfitError(`${path}: ${error.message}`, { cause: error });
    if (error instanceof AssignmentError) throw new MisfitError(error.message, { cause: error });
    throw error;
  }
}
