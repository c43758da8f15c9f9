// The variables of Trick's generator of Monte Carlo inputs. Trick: mc_variable*.hh, mc_python_code.hh
import { plain, ScriptError, type ScriptValue } from '../../python/index.js';
import {
  Dispersion,
  type DistributionMethod,
  digits,
  type FileColumn,
  getter,
  ofScript,
  setter,
  taking,
  type Variable,
  type VariableClass,
} from './dispersion.js';
import { StandardNumbers } from './random-numbers.js';

const numbersOf = (seed: bigint): StandardNumbers => new StandardNumbers(Number(BigInt.asUintN(32, seed)));
const seedMethod = (seed: bigint): Readonly<Record<string, DistributionMethod>> => ({ get_seed: getter(() => seed) });

/** A variable whose values are drawn. */
function drawn(name: string, seed: bigint, next: (numbers: StandardNumbers) => string): Variable {
  const numbers = numbersOf(seed);
  return { name, methods: seedMethod(seed), draw: (_, self) => self.assigned(next(numbers)) };
}

const uniform = (name: string, seed: bigint, low: number, high: number): Variable =>
  drawn(name, seed, (numbers) => digits(numbers.uniform(low, high), 16));

/** C++ draws an int. */
const isInt = (bound: number): boolean => Math.trunc(bound) === Math.trunc(bound) << 0;

function uniformInt(name: string, seed: bigint, low: number, high: number): Variable {
  const [least, most] = [Math.trunc(low), Math.trunc(high)];
  if (!(least <= most && isInt(low) && isInt(high)))
    throw new ScriptError(
      'ValueError',
      `${name} takes whole numbers of 32 bits, and there are none from ${low} to ${high}`,
    );
  return drawn(name, seed, (numbers) => String(numbers.integer(least, most)));
}

/** It may be set to fewer. */
const MOST_TRIES = 10_000_000;

/** Trick: MonteCarloVariableRandomNormal::TruncationType */
const [STANDARD_DEVIATION, RELATIVE, ABSOLUTE] = [0n, 1n, 2n];
const UNBOUNDED = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;

/** A normal distribution between two limits. */
class Normal {
  private low: number = UNBOUNDED[0];
  private high: number = UNBOUNDED[1];
  private readonly numbers: StandardNumbers;

  constructor(
    private readonly name: string,
    seed: bigint,
    private readonly mean: number,
    private readonly deviation: number,
  ) {
    this.numbers = numbersOf(seed);
  }

  methods(): Readonly<Record<string, DistributionMethod>> {
    const one = [taking('limit', 'number'), taking('type', 'integer', STANDARD_DEVIATION)];
    // One limit and a type, or two limits and a type.
    const several = [taking('limit', 'number'), taking('max', 'value', null), taking('type', 'value', null)];
    return {
      truncate_low: { parameters: one, run: ([limit = null, type]) => this.cut(limit, undefined, type) },
      truncate_high: { parameters: one, run: ([limit = null, type]) => this.cut(undefined, limit, type) },
      truncate: { parameters: several, run: (values) => this.truncate(values) },
      untruncate: getter(() => {
        [this.low, this.high] = UNBOUNDED;
        return null;
      }),
    };
  }

  private truncate([limit = null, second = null, third = null]: readonly ScriptValue[]): null {
    // Python tells limits from types by their number, and a type is a small whole number.
    const isType = typeof second === 'bigint' && second >= STANDARD_DEVIATION && second <= ABSOLUTE;
    const isOne = second === null || (third === null && isType);
    const size = Math.abs(limit as number);
    return isOne
      ? this.cut(-size, size, second ?? STANDARD_DEVIATION)
      : this.cut(limit, Number(second), third ?? STANDARD_DEVIATION);
  }

  private cut(low: ScriptValue | undefined, high: ScriptValue | undefined, type: ScriptValue | undefined): null {
    if (low !== undefined) this.low = this.limitOf(low as number, type as bigint);
    if (high !== undefined) this.high = this.limitOf(high as number, type as bigint);
    return null;
  }

  private limitOf(limit: number, type: bigint): number {
    if (type === STANDARD_DEVIATION) return this.mean + this.deviation * limit;
    if (type === RELATIVE) return this.mean + limit;
    if (type === ABSOLUTE) return limit;
    throw new ScriptError('ValueError', `${this.name}: a truncation is StandardDeviation, Relative or Absolute`);
  }

  /** As often as it may be tried; then the middle of the limits, or the one that there is. */
  next(most: bigint): number {
    const { name, low, high, mean, deviation } = this;
    if (low > high)
      throw new ScriptError('ValueError', `${name} is limited to values from ${low} to ${high}, which are none`);
    let value = this.numbers.normal(mean, deviation);
    if (low === high) return low;
    for (let left = Math.min(Number(most), MOST_TRIES); value < low || value > high; left--) {
      if (left <= 0) return low === UNBOUNDED[0] ? high : high === UNBOUNDED[1] ? low : (low + high) / 2;
      value = this.numbers.normal(mean, deviation);
    }
    return value;
  }
}

function normal(name: string, seed: bigint, mean: number, deviation: number): Variable {
  const numbers = new Normal(name, seed, mean, deviation);
  return {
    name,
    settings: { max_num_tries: 10_000n },
    methods: { ...seedMethod(seed), ...numbers.methods() },
    draw: (_, self) => self.assigned(digits(numbers.next(self.setting<bigint>('max_num_tries')), 16)),
  };
}

const MOST_STRINGS = 100_000;

function oneOf(name: string, seed: bigint, given: readonly string[]): Variable {
  const strings = [...given];
  const numbers = numbersOf(seed);
  const add = (text: ScriptValue): void => {
    if (strings.length >= MOST_STRINGS)
      throw new ScriptError('ValueError', `${name} takes at most ${MOST_STRINGS} strings`);
    strings.push(text as string);
  };
  return {
    name,
    methods: { ...seedMethod(seed), add_string: setter('new_string', 'text', add) },
    draw() {
      if (strings.length === 0) throw new ScriptError('ValueError', `${name} has no strings: add_string adds them`);
      const value = strings[Math.trunc(numbers.uniform(0, 1) * strings.length)] ?? '';
      return { statement: `${name} = ${value}`, shown: { name, value } };
    },
  };
}

/** Python's text of a fixed value; a text stands as it is, so that of a text has quotes of its own. */
function textOf(given: ScriptValue): string {
  const value = plain(given);
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return digits(value, 16);
  throw new ScriptError('TypeError', 'MonteCarloVariableFixed() takes a name and a number or a text');
}

function fixed(name: string, given: ScriptValue): Variable {
  const value = textOf(given);
  return { name, draw: (_, self) => self.assigned(value) };
}

/** The first value of another variable, in all runs. */
function semiFixed(name: string, seed: ScriptValue): Variable {
  if (!(seed instanceof Dispersion && seed.isGenerated))
    throw new ScriptError('TypeError', 'MonteCarloVariableSemiFixed() takes a name and another MonteCarloVariable');
  return {
    name,
    draw(_, self) {
      const { last } = seed;
      if (self.last) return self.last;
      if (!last?.shown)
        throw new ScriptError('ValueError', `${name} takes the value of ${seed.name}, which is added before it`);
      const [, value = ''] = /=\s*(.*)$/s.exec(last.statement) ?? [];
      const units = /\{(.*)\}$/.exec(last.shown.name)?.[0] ?? '';
      return { statement: `${name} = ${value}`, shown: { name: name + units, value: last.shown.value } };
    },
  };
}

/** A line of code, or a value that is computed in each run. */
const ofLine = (name: string, instruction: ScriptValue): Variable => ({
  name,
  settings: { instruction_set: String(instruction ?? name), include_in_summary: false },
  draw(_, self) {
    const line = self.setting<string>('instruction_set');
    return { statement: instruction === null ? line : `${name} = ${line}` };
  },
});

class Column implements FileColumn {
  leader: Column | undefined;
  private line = -1;
  private data: readonly string[] | undefined;
  private readonly skips = new StandardNumbers(0);
  private cells: readonly string[] = [];

  constructor(
    readonly name: string,
    private readonly variable: string,
    private readonly number: number,
    private readonly first: number,
  ) {}

  /** Throws a ScriptError. @param most lines that may be skipped. */
  cell(lines: () => readonly string[], most: number): string {
    const { leader = this } = this;
    if (leader === this) this.advance(lines(), most);
    const last = leader.first + leader.cells.length - 1;
    const cell = leader.cells[this.number - leader.first];
    if (cell !== undefined) return cell;
    throw new ScriptError(
      'ValueError',
      `${this.name} has columns ${leader.first} to ${last}, and ${this.variable} is in column ${this.number}`,
    );
  }

  /** Goes on to a line with data, round and round; skips up to so many. */
  private advance(lines: readonly string[], most: number): void {
    this.data ??= lines.filter((line) => !/^\s*$|^[#/]/.test(line));
    const { data } = this;
    if (data.length === 0) throw new ScriptError('ValueError', `${this.name} has no line of data for ${this.variable}`);
    this.line += 1 + (most > 0 ? this.skips.integer(0, most) : 0);
    this.cells = (data[this.line % data.length] ?? '').trim().split(/\s+/);
  }
}

function ofFile(name: string, path: string, column: bigint, first: bigint): Variable {
  const file = new Column(path, name, Number(column), Number(first));
  return {
    name,
    file,
    settings: { max_skip: 0n, is_dependent: false },
    methods: {
      get_filename: getter(() => path),
      get_column_number: getter(() => column),
      get_first_column_number: getter(() => first),
    },
    draw: (sources, self) =>
      self.assigned(file.cell(() => sources.lines(path), Number(self.setting<bigint>('max_skip')))),
  };
}

const NAME = taking('var_name', 'text');
const SEED = taking('seed', 'integer', 0n);
const BOUNDS = [taking('lower_bound', 'number', 0), taking('upper_bound', 'number', 1)];

export const GENERATED_VARIABLES: Readonly<Record<string, VariableClass>> = {
  MonteCarloVariableFile: {
    parameters: [
      NAME,
      taking('filename', 'text'),
      taking('column_number', 'integer'),
      taking('first_column_number', 'integer', 1n),
    ],
    make: ofFile,
  },
  MonteCarloVariableFixed: { parameters: [NAME, taking('assignment', 'value')], make: fixed },
  MonteCarloVariableSemiFixed: { parameters: [NAME, taking('seed', 'value')], make: semiFixed },
  MonteCarloVariableRandomNormal: {
    parameters: [NAME, SEED, taking('mean', 'number', 0), taking('stdev', 'number', 1)],
    make: normal,
    labels: 'StandardDeviation Relative Absolute',
  },
  MonteCarloVariableRandomUniform: { parameters: [NAME, SEED, ...BOUNDS], make: uniform },
  MonteCarloVariableRandomUniformInt: { parameters: [NAME, SEED, ...BOUNDS], make: uniformInt },
  MonteCarloVariableRandomStringSet: {
    parameters: [NAME, taking('seed', 'integer')],
    make: (name: string, seed: bigint) => oneOf(name, seed, []),
  },
  MonteCarloVariableRandomBool: {
    parameters: [NAME, taking('seed', 'integer')],
    make: (name: string, seed: bigint) => oneOf(name, seed, ['False', 'True']),
  },
  MonteCarloPythonLineExec: { parameters: [NAME, taking('instruction', 'value', null)], make: ofLine },
  MonteCarloPythonFileExec: {
    parameters: [taking('filename', 'text')],
    make: (file: string) => ({ ...ofScript(file), settings: { include_in_summary: false } }),
  },
};
