// Assigns the arguments of a call to a function's parameters, as Python does.
import { ScriptError } from './error.js';
import type { Arguments, DefinedFunction, ScriptValue } from './values.js';

/** A parameter that a call may fill by its place or by its name. */
export interface Bindable {
  readonly name: string;
  /** The value of a parameter that the call leaves out; without one the parameter is required. */
  readonly standard?: ScriptValue | undefined;
}

/** The values in the order of the parameters. Throws a TypeError in Python's words and in Python's order of checks. */
export function bind(
  called: string,
  parameters: readonly Bindable[],
  { positional, keywords }: Arguments,
): ScriptValue[] {
  const given: (ScriptValue | undefined)[] = positional.slice(0, parameters.length);
  for (const [name, value] of keywords) {
    const index = parameters.findIndex((parameter) => parameter.name === name);
    if (index < 0) throw misfit(called, `got an unexpected keyword argument '${name}'`);
    if (given[index] !== undefined) throw misfit(called, `got multiple values for argument '${name}'`);
    given[index] = value;
  }
  if (positional.length > parameters.length) throw tooMany(called, parameters, positional.length);
  const missing: string[] = [];
  const values = parameters.map(({ name, standard }, index) => {
    const value = given[index];
    if (value !== undefined) return value;
    if (standard === undefined) missing.push(`'${name}'`);
    return standard as ScriptValue;
  });
  if (missing.length > 0) throw tooFew(called, missing);
  return values;
}

/** The local names with which a call of a client's own function starts. Throws as `bind` does. */
export function bindLocals(
  { definition, defaults, origin }: DefinedFunction,
  args: Arguments,
): Map<string, ScriptValue> {
  const parameters = definition.parameters.map(({ name }, index) => ({ name, standard: defaults[index] }));
  const called = origin.owner ? `${origin.owner.name}.${definition.name}` : definition.name;
  const values = bind(called, parameters, args);
  return new Map(parameters.map(({ name }, index) => [name, values[index] as ScriptValue]));
}

const misfit = (called: string, problem: string): ScriptError => new ScriptError('TypeError', `${called}() ${problem}`);

function tooMany(called: string, parameters: readonly Bindable[], count: number): ScriptError {
  const most = parameters.length;
  const least = parameters.filter(({ standard }) => standard === undefined).length;
  const takes = least < most ? `from ${least} to ${most}` : `${most}`;
  const plural = least < most || most !== 1 ? 's' : '';
  const given = `${count} ${count === 1 ? 'was' : 'were'} given`;
  return misfit(called, `takes ${takes} positional argument${plural} but ${given}`);
}

function tooFew(called: string, missing: readonly string[]): ScriptError {
  const plural = missing.length === 1 ? '' : 's';
  return misfit(called, `missing ${missing.length} required positional argument${plural}: ${enumeration(missing)}`);
}

/** `'a'`, `'a' and 'b'`, or `'a', 'b', and 'c'`. */
function enumeration(names: readonly string[]): string {
  if (names.length <= 2) return names.join(' and ');
  return `${names.slice(0, -1).join(', ')}, and ${names.at(-1)}`;
}
