// A variable of a Monte Carlo as an input file makes it: settings, methods, and the statement that gives it a value in a run.
import { mapTrickUnits } from '../../../model/units/trick-units.js';
import {
  type Arguments,
  arithmetic,
  BoundMethod,
  bindArguments,
  type ObjectValue,
  type Parameter,
  plain,
  ScriptError,
  type ScriptValue,
} from '../../python/index.js';

/** A statement for a run, and what the table shows of it: a name that may have units of UDUNITS behind it. */
export interface Assignment {
  readonly statement: string;
  /** Left out for a statement that is no assignment of a value. */
  readonly shown?: { readonly name: string; readonly value: string };
}

/** What the values of a variable are taken from besides its own settings. */
export interface Sources {
  /** The lines of a file of the operator's. Throws a ScriptError. */
  lines(file: string): readonly string[];
  /** The value of a variable once the input file has run; undefined for one that is no number. */
  numberAt(path: string): number | bigint | undefined;
}

export interface Method {
  readonly parameters: readonly Parameter[];
  readonly run: (values: readonly ScriptValue[]) => ScriptValue | undefined;
}

/** Variables of one Monte Carlo. */
export const MOST_VARIABLES = 10_000;
const LONGEST_NAME = 4096;

export abstract class Dispersion implements ObjectValue {
  readonly kind = 'object';
  readonly heldBytes = 1024;
  /** What texts may read and set. */
  protected readonly settings = new Map<string, ScriptValue>([['thisown', true]]);
  protected readonly methods = new Map<string, Method>();

  constructor(
    readonly typeName: string,
    readonly name: string,
  ) {
    if (name.length > LONGEST_NAME)
      throw new ScriptError('ValueError', `${typeName}() takes a name of at most ${LONGEST_NAME} characters`);
  }

  /** The next value; undefined at the end of a file. Throws a ScriptError. */
  abstract draw(sources: Sources): Assignment | undefined;

  attribute(name: string): ScriptValue | undefined {
    const setting = this.settings.get(name);
    if (setting !== undefined) return setting;
    const method = this.methods.get(name);
    return method && new BoundMethod(name, this, (_, args: Arguments) => this.call(name, method, args));
  }

  /** A setting takes what is of its kind. */
  setAttribute(name: string, value: ScriptValue): boolean {
    const before = this.settings.get(name);
    if (before === undefined) return false;
    const given = plain(value);
    const number = typeof before === 'bigint' ? finite(arithmetic(given)) : undefined;
    const fits = typeof before === 'boolean' ? asBoolean(given) : typeof given === typeof before ? given : number;
    if (fits === undefined) throw new ScriptError('TypeError', `${this.typeName}.${name} takes no such value`);
    this.settings.set(name, typeof before === 'bigint' ? BigInt(Math.trunc(Number(fits))) : fits);
    return true;
  }

  names(): Iterable<string> {
    return [...this.settings.keys(), ...this.methods.keys()];
  }

  protected setting<T extends ScriptValue>(name: string): T {
    return this.settings.get(name) as T;
  }

  private call(name: string, { parameters, run }: Method, args: Arguments): ScriptValue {
    return run(bindArguments(name, parameters, args)) ?? null;
  }
}

const finite = (number: number | bigint | undefined) => (Number.isFinite(Number(number)) ? number : undefined);

const asBoolean = (value: ScriptValue): boolean | undefined =>
  typeof value === 'boolean' ? value : typeof value === 'bigint' ? value !== 0n : undefined;

/** `name = value`, in units if there are any. Trick: MonteVarFixed::get_next_value, MonteCarloVariable::insert_units */
export function assignment(name: string, value: string, units: string): Assignment {
  const right = units === '' ? value : `trick.attach_units(${JSON.stringify(units)}, ${value})`;
  return {
    statement: `${name} = ${right}`,
    shown: { name: units === '' ? name : `${name}{${mapTrickUnits(units)}}`, value },
  };
}

/** A method that stores what it is given. */
export const setter = (name: string, type: Parameter['type'], store: (value: ScriptValue) => void): Method => ({
  parameters: [{ name, type }],
  run: ([value = null]) => void store(value),
});

/** A method that answers. */
export const getter = (answer: () => ScriptValue): Method => ({ parameters: [], run: answer });

/** A number as C prints it with `%.15g` or `%.16g`. */
export function digits(value: number, count: number): string {
  if (!Number.isFinite(value)) throw new ScriptError('ValueError', 'a Monte Carlo has drawn a value that is no number');
  return String(Number(value.toPrecision(count)));
}
