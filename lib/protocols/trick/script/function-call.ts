// A call of a simulation's function from Trick text: arguments to values in order, and the result back.
import type { CallableDescription } from '../../../model/state/callable.js';
import { MisfitError } from '../../../model/state/misfit.js';
import { type Value as ModelValue, readVariable } from '../../../model/state/read.js';
import { isCharacters, sizeOf, type Type } from '../../../model/state/type.js';
import { type GivenArgument, prepareArguments } from '../../../serving/session/call-arguments.js';
import type { Source } from '../../../source/source.js';
import {
  type Arguments,
  bindArguments,
  HostVariable,
  type Meter,
  numberIn,
  type Run,
  ScriptError,
  type ScriptValue,
} from '../../python/index.js';
import { fromModel, fromResult, toModel } from '../commands/convert.js';

/** What a call reads variables from. */
export interface CallSurroundings {
  readonly meter: Meter;
  readonly source: Pick<Source, 'catalog' | 'frame'>;
  canRead(path: string, part: 'all'): boolean;
}

/** The values to call with. Throws a ScriptError when they do not fit. */
export function* callValues(
  surroundings: CallSurroundings,
  callable: CallableDescription,
  args: Arguments,
): Run<readonly ModelValue[]> {
  const { name, takes } = callable;
  if (!takes) return yield* anyValues(surroundings, name, args);
  const parameters = takes.map((parameter) => ({ name: parameter.name, type: 'quantity' }) as const);
  const given: GivenArgument[] = [];
  for (const [index, value] of bindArguments(name, parameters, args).entries()) {
    given.push(yield* givenOf(surroundings, value, takes[index]?.type));
  }
  try {
    return prepareArguments(callable, given);
  } catch (error) {
    throw error instanceof MisfitError ? new ScriptError('TypeError', error.message) : error;
  }
}

/** Arguments for a function that declares no parameters. */
function* anyValues({ meter }: CallSurroundings, name: string, { positional, keywords }: Arguments): Run<ModelValue[]> {
  if (keywords.length > 0) throw new ScriptError('TypeError', `${name}() takes no keyword arguments`);
  // Trick hands over a pointer: `trick.cannon_init(dyn.cannon)`. Here the path says which one is meant.
  const values: ModelValue[] = [];
  for (const value of positional)
    values.push(value instanceof HostVariable ? value.path : (yield* toModel(value, meter)).value);
  return values;
}

/** Reads a variable of more than one value; for a text parameter its path is passed instead. */
function* givenOf(surroundings: CallSurroundings, value: ScriptValue, type: Type | undefined): Run<GivenArgument> {
  if (!(value instanceof HostVariable)) return yield* toModel(numberFor(type, value), surroundings.meter);
  if (type && (type.kind === 'text' || isCharacters(type))) return { value: value.path, units: undefined };
  while (!surroundings.canRead(value.path, 'all')) yield 'settled';
  const { catalog, frame } = surroundings.source;
  const variable = catalog.find(value.path);
  surroundings.meter.allocate(2 * (variable ? sizeOf(variable.type) : 0));
  const read = variable && readVariable(variable, frame.memory);
  if (!variable || read === undefined) throw new ScriptError('AttributeError', catalog.explain(value.path));
  const isStructure = typeof read === 'object' && !Array.isArray(read);
  return { value: read, units: isStructure ? undefined : variable.units };
}

/** The text of a number is that number where a number is wanted, as for Trick's commands. */
const numberFor = (type: Type | undefined, value: ScriptValue): ScriptValue =>
  type?.kind === 'number' && typeof value === 'string' ? (numberIn(value) ?? value) : value;

/** What the function returned: an int where the function says so, or where it says nothing and the number is whole. */
export function callResult({ takes, gives }: CallableDescription, value: ModelValue | undefined): ScriptValue {
  return takes && gives ? fromModel(value, !isFloating(gives.type)) : fromResult(value);
}

function isFloating(type: Type): boolean {
  if (type.kind === 'array' || type.kind === 'sequence') return isFloating(type.element);
  return type.kind === 'number' && (type.name === 'double' || type.name === 'float');
}
