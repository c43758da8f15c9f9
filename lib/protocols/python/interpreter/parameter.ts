// The arguments of a host's function checked against its parameters, as wrapped C functions check them.
import { type Bindable, bind } from './bind.js';
import { ScriptError } from './error.js';
import { numberIn } from './number-of.js';
import { inUnits } from './quantities.js';
import { typeName } from './type-name.js';
import { type Arguments, plain, Quantity, type ScriptValue } from './values.js';

/** A parameter's C type, which decides what it takes; a number with units is converted to seconds, or stays a quantity. */
export type ParameterType = 'text' | 'integer' | 'number' | 'seconds' | 'boolean' | 'scalar' | 'value' | 'quantity';

export interface Parameter extends Bindable {
  readonly type: ParameterType;
}

type Accept = (value: ScriptValue) => ScriptValue | undefined;

/** The text of a number is that number. */
function number(given: ScriptValue): number | undefined {
  const value = typeof given === 'string' ? numberIn(given) : given;
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
    ? Number(value)
    : undefined;
}

function integer(given: ScriptValue): bigint | undefined {
  const value = typeof given === 'string' ? numberIn(given) : given;
  return typeof value === 'bigint' ? value : typeof value === 'boolean' ? BigInt(value) : undefined;
}

function boolean(given: ScriptValue): boolean | undefined {
  const value = number(given);
  return value === undefined ? undefined : value !== 0;
}

const ACCEPTS: Readonly<Record<ParameterType, Accept>> = {
  text: (value) => (typeof value === 'string' ? value : undefined),
  integer,
  number,
  seconds: number,
  boolean,
  scalar: (value) => (value instanceof Quantity || (value !== null && typeof value !== 'object') ? value : undefined),
  value: (value) => value,
  quantity: (value) => value,
};

const NOUNS: Readonly<Record<ParameterType, string>> = {
  text: 'text',
  integer: 'a whole number',
  number: 'a number',
  seconds: 'a number',
  boolean: 'True or False',
  scalar: 'a number, text or truth value',
  value: 'a value',
  quantity: 'a value',
};

/** The arguments in the order of the parameters. Throws a TypeError: Python's own, or one for a value of a wrong type. */
export function bindArguments(command: string, parameters: readonly Parameter[], args: Arguments): ScriptValue[] {
  const values = isComplete(parameters, args) ? args.positional : bind(command, parameters, args);
  return parameters.map((parameter, index) => {
    if (index >= values.length) return parameter.standard as ScriptValue;
    const value = values[index] as ScriptValue;
    return value === parameter.standard ? value : accept(command, parameter, value);
  });
}

/** Whether the arguments are in their places already, and all others may be left out. */
const isComplete = (parameters: readonly Parameter[], { positional, keywords }: Arguments): boolean =>
  keywords.length === 0 &&
  positional.length <= parameters.length &&
  parameters.every(({ standard }, index) => index < positional.length || standard !== undefined);

function accept(command: string, { name, type }: Parameter, value: ScriptValue): ScriptValue {
  const accepted = ACCEPTS[type](type === 'quantity' ? value : withoutUnits(command, name, type, value));
  if (accepted === undefined) {
    throw new ScriptError(
      'TypeError',
      `${command}() argument '${name}' must be ${NOUNS[type]}, not ${typeName(value)}`,
    );
  }
  return accepted;
}

/** A UnitsError for units that are no time, and a TypeError where units mean nothing. */
function withoutUnits(command: string, name: string, type: ParameterType, value: ScriptValue): ScriptValue {
  if (!(value instanceof Quantity && value.hasUnits)) return plain(value);
  if (type === 'scalar') return value;
  if (type === 'seconds') return inUnits(value, 's');
  throw new ScriptError('TypeError', `${command}() argument '${name}' takes no units, not ${value.units}`);
}
