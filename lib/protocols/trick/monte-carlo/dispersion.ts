// A variable of a Monte Carlo as an input file makes it: settings, methods, and the statement that gives it a value in a run.
import { mapTrickUnits } from '../../../model/units/index.js';
import {
  arithmetic,
  BoundMethod,
  bindArguments,
  HostObject,
  type Parameter,
  plain,
  ScriptError,
  type ScriptValue,
} from '../../python/index.js';

/** A statement for a run, and what the table shows of it: a name that may have units of UDUNITS behind it. */
export interface DispersionSetting {
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

export interface DistributionMethod {
  readonly parameters: readonly Parameter[];
  readonly run: (values: readonly ScriptValue[]) => ScriptValue | undefined;
}

/** What a class makes of the arguments of a call. */
export interface Variable {
  readonly name: string;
  /** What texts may read and set. */
  readonly settings?: Readonly<Record<string, ScriptValue>>;
  readonly methods?: Readonly<Record<string, DistributionMethod>>;
  /** The file of which the variable takes a column. */
  readonly file?: FileColumn;
  /** The next value; undefined at the end of a file. Throws a ScriptError. */
  draw(sources: Sources, self: Dispersion): DispersionSetting | undefined;
}

/** Variables of one file have the columns of one line; the first of them chooses the line. */
export interface FileColumn {
  readonly name: string;
  /** The first variable of the same file; undefined for that one. */
  leader?: FileColumn | undefined;
}

export interface VariableClass {
  readonly parameters: readonly Parameter[];
  readonly make: (...values: never[]) => Variable;
  /** Names of numbers, as `numbered` takes them. */
  readonly labels?: string;
}

/** Variables of one Monte Carlo. */
export const MOST_VARIABLES = 10_000;
const LONGEST_NAME = 4096;

export class Dispersion extends HostObject {
  readonly heldBytes = 1024;
  /** The last statement, for a semi-fixed variable that takes its value. */
  last: DispersionSetting | undefined;
  protected readonly settings: Map<string, ScriptValue>;
  protected readonly methods: Map<string, DistributionMethod>;

  /** @param isGenerated whether it is one of Trick's generator of inputs. */
  constructor(
    readonly typeName: string,
    private readonly variable: Variable,
    readonly isGenerated = false,
  ) {
    super();
    if (this.name.length > LONGEST_NAME)
      throw new ScriptError('ValueError', `${typeName}() takes a name of at most ${LONGEST_NAME} characters`);
    const { settings, methods } = variable;
    this.settings = new Map(Object.entries({ thisown: true, ...(isGenerated && OF_GENERATED), ...settings }));
    this.methods = new Map(Object.entries({ ...(isGenerated && this.generatedMethods()), ...methods }));
  }

  get name(): string {
    return this.variable.name;
  }

  get file(): FileColumn | undefined {
    return this.variable.file;
  }

  draw(sources: Sources): DispersionSetting | undefined {
    this.last = this.variable.draw(sources, this);
    return this.last;
  }

  /** Trick: MonteCarloVariable */
  private generatedMethods(): Readonly<Record<string, DistributionMethod>> {
    return {
      get_variable_name: getter(() => this.name),
      get_assignment: getter(() => this.last?.shown?.value ?? ''),
      get_command: getter(() => (this.last ? `\n${this.last.statement}` : '')),
      get_seed: getter(() => 0n),
    };
  }

  override attribute(name: string): ScriptValue | undefined {
    const setting = this.settings.get(name);
    if (setting !== undefined) return setting;
    const method = this.methods.get(name);
    if (!method) return undefined;
    const { parameters, run } = method;
    return new BoundMethod(name, this, (_, args) => run(bindArguments(name, parameters, args)) ?? null);
  }

  /** A setting takes what is of its kind. */
  override setAttribute(name: string, value: ScriptValue): boolean {
    const before = this.settings.get(name);
    if (before === undefined) return false;
    const given = plain(value);
    const number = typeof before === 'bigint' ? finite(arithmetic(given)) : undefined;
    const fits = typeof before === 'boolean' ? asBoolean(given) : typeof given === typeof before ? given : number;
    if (fits === undefined) throw new ScriptError('TypeError', `${this.typeName}.${name} takes no such value`);
    this.settings.set(name, typeof before === 'bigint' ? BigInt(Math.trunc(Number(fits))) : fits);
    return true;
  }

  override names(): Iterable<string> {
    return [...this.settings.keys(), ...this.methods.keys()];
  }

  setting<T extends ScriptValue>(name: string): T {
    return this.settings.get(name) as T;
  }

  /** An assignment of a value in the units that the input file has set. */
  assigned(value: string): DispersionSetting {
    return assignment(this.name, value, this.setting<string>('units'));
  }
}

const OF_GENERATED = { units: '', include_in_summary: true };

const finite = (number: number | bigint | undefined) => (Number.isFinite(Number(number)) ? number : undefined);

const asBoolean = (value: ScriptValue): boolean | undefined =>
  typeof value === 'boolean' ? value : typeof value === 'bigint' ? value !== 0n : undefined;

/** `name = value`, in units if there are any. Trick: MonteVarFixed::get_next_value, MonteCarloVariable::insert_units */
export function assignment(name: string, value: string, units: string): DispersionSetting {
  const right = units === '' ? value : `trick.attach_units(${JSON.stringify(units)}, ${value})`;
  return {
    statement: `${name} = ${right}`,
    shown: { name: units === '' ? name : `${name}{${mapTrickUnits(units)}}`, value },
  };
}

/** A file of statements that each run executes. */
export const ofScript = (file: string): Variable => ({
  name: file,
  draw: () => ({ statement: `exec(open(${JSON.stringify(file)}).read())` }),
});

/** A method that stores what it is given. */
export const setter = (
  name: string,
  type: Parameter['type'],
  store: (value: ScriptValue) => void,
): DistributionMethod => ({
  parameters: [{ name, type }],
  run: ([value = null]) => void store(value),
});

/** A method that answers. */
export const getter = (answer: () => ScriptValue): DistributionMethod => ({ parameters: [], run: answer });

/** A parameter of a class; required without a standard value. */
export const taking = (name: string, type: Parameter['type'], standard?: ScriptValue): Parameter =>
  standard === undefined ? { name, type } : { name, type, standard };

/** A number as C prints it with `%.15g` or `%.16g`. */
export function digits(value: number, count: number): string {
  if (!Number.isFinite(value)) throw new ScriptError('ValueError', 'a Monte Carlo has drawn a value that is no number');
  return String(Number(value.toPrecision(count)));
}
