// The arguments of a command checked against its signature, as Trick's wrapped C functions check them.
import { ScriptError } from '../interpreter/error.js';
import { type Arguments, ListValue, Quantity, typeName, type Value } from '../interpreter/values.js';

/** A parameter's C type, which decides what it takes. */
export type ParameterType = 'text' | 'integer' | 'number' | 'boolean' | 'scalar' | 'value' | 'quantity';

export interface Parameter {
  readonly name: string;
  readonly type: ParameterType;
  /** Stands in when the argument is left out; a parameter without one is required. */
  readonly standard?: Value;
}

const plain = (value: Value): Value =>
  value instanceof Quantity && !(value.magnitude instanceof ListValue) ? value.magnitude : value;

type Accept = (value: Value) => Value | undefined;

const ACCEPTS: Readonly<Record<ParameterType, Accept>> = {
  text: (value) => (typeof value === 'string' ? value : undefined),
  integer: (value) => (typeof value === 'bigint' ? value : typeof value === 'boolean' ? BigInt(value) : undefined),
  number: (value) =>
    typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean' ? Number(value) : undefined,
  boolean: (value) => (typeof value === 'boolean' ? value : typeof value === 'bigint' ? value !== 0n : undefined),
  scalar: (value) => (value !== null && typeof value !== 'object' ? value : undefined),
  value: (value) => value,
  quantity: (value) => value,
};

const NOUNS: Readonly<Record<ParameterType, string>> = {
  text: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'True or False',
  scalar: 'a number, text or truth value',
  value: 'a value',
  quantity: 'a value',
};

/** The arguments in the order of the parameters. Throws a TypeError in Python's words. */
export function bindArguments(
  command: string,
  parameters: readonly Parameter[],
  { positional, keywords }: Arguments,
): Value[] {
  if (positional.length > parameters.length) {
    const takes = `${parameters.length} positional argument${parameters.length === 1 ? '' : 's'}`;
    throw new ScriptError(
      'TypeError',
      `${command}() takes ${takes} but ${positional.length} ${positional.length === 1 ? 'was' : 'were'} given`,
    );
  }
  const given = new Map<string, Value>();
  for (const [index, value] of positional.entries()) given.set((parameters[index] as Parameter).name, value);
  for (const [name, value] of keywords) takeKeyword(command, parameters, given, name, value);
  requireAll(command, parameters, given);
  return parameters.map((parameter) => {
    const value = given.get(parameter.name);
    return value === undefined ? (parameter.standard as Value) : accept(command, parameter, value);
  });
}

function takeKeyword(
  command: string,
  parameters: readonly Parameter[],
  given: Map<string, Value>,
  name: string,
  value: Value,
): void {
  if (!parameters.some((parameter) => parameter.name === name)) {
    throw new ScriptError('TypeError', `${command}() got an unexpected keyword argument '${name}'`);
  }
  if (given.has(name)) throw new ScriptError('TypeError', `${command}() got multiple values for argument '${name}'`);
  given.set(name, value);
}

function requireAll(command: string, parameters: readonly Parameter[], given: ReadonlyMap<string, Value>): void {
  const missing = parameters
    .filter(({ name, standard }) => standard === undefined && !given.has(name))
    .map(({ name }) => `'${name}'`);
  if (missing.length === 0) return;
  const noun = `required positional argument${missing.length === 1 ? '' : 's'}`;
  const names = missing.length === 1 ? missing[0] : `${missing.slice(0, -1).join(', ')} and ${missing.at(-1)}`;
  throw new ScriptError('TypeError', `${command}() missing ${missing.length} ${noun}: ${names}`);
}

function accept(command: string, { name, type }: Parameter, value: Value): Value {
  // A quantity alone keeps its units.
  const accepted = ACCEPTS[type](type === 'quantity' ? value : plain(value));
  if (accepted === undefined) {
    throw new ScriptError(
      'TypeError',
      `${command}() argument '${name}' must be ${NOUNS[type]}, not ${typeName(value)}`,
    );
  }
  return accepted;
}
