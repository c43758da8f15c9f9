// What clients may call: its parameters and result as plain data, and the values that fit them.
import { fitValue } from './fit-value.js';
import { MisfitError } from './misfit.js';
import type { Value } from './read.js';
import type { Type } from './type.js';

/** What a function gives back. */
export interface ResultDescription {
  readonly type: Type;
  /** UDUNITS text; `--` or `1` for none. */
  readonly units: string;
  readonly about: string;
}

export interface ParameterDescription extends ResultDescription {
  readonly name: string;
}

/** A function that clients may call: `trick.kick(1, 2)`, or `dyn.cannon.fire()` when it belongs to a component. */
export interface CallableDescription {
  readonly name: string;
  readonly about: string;
  /** In order. A function without it takes whatever it is given. */
  readonly takes?: readonly ParameterDescription[];
  /** A function with `takes` and without this gives nothing; one without either may give anything. */
  readonly gives?: ResultDescription;
}

/** How sentences name the place of an argument: `kick(): vx`. */
export const placeOf = (callable: CallableDescription, parameter: ParameterDescription): string =>
  `${callable.name}(): ${parameter.name}`;

/**
 * The values as a function gets them; what fits once fits again. Throws a MisfitError that names the function, the
 * parameter, what it takes and what came.
 */
export function fitArguments(callable: CallableDescription, values: readonly Value[]): readonly Value[] {
  const { takes } = callable;
  if (!takes) return values;
  if (values.length !== takes.length) throw new MisfitError(wrongCount(callable.name, takes, values.length));
  return takes.map((parameter, index) => fitValue(parameter.type, values[index], placeOf(callable, parameter)));
}

function wrongCount(name: string, takes: readonly ParameterDescription[], count: number): string {
  if (takes.length === 0) return `${name}() takes no arguments, not ${count}`;
  const noun = takes.length === 1 ? 'argument' : 'arguments';
  return `${name}() takes ${takes.length} ${noun} (${takes.map((parameter) => parameter.name).join(', ')}), not ${count}`;
}
