// The functions that clients may call: parameters and result as plain data, and values checked against them.
import { fitValue } from './fit-value.js';
import { MisfitError } from './misfit.js';
import type { Value } from './read.js';
import type { Type } from './type.js';

/** The result of a function. */
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
  /** The parameters in order. A function without `takes` accepts any arguments. */
  readonly takes?: readonly ParameterDescription[];
  /** A function with `takes` and without `gives` returns nothing; a function without both may return anything. */
  readonly gives?: ResultDescription;
}

/** The name of an argument's place in sentences: `kick(): vx`. */
export const placeOf = (callable: CallableDescription, parameter: ParameterDescription): string =>
  `${callable.name}(): ${parameter.name}`;

/**
 * The values as the function gets them; values that fit once fit again. Throws a MisfitError that names the function,
 * the parameter, its type and the value.
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
