// The variables of Trick's generator of Monte Carlo inputs. Trick: mc_variable*.hh, mc_python_code.hh
import { ScriptError, type ScriptValue } from '../../python/index.js';
import { type Assignment, assignment, Dispersion, digits, getter, type Sources, setter } from './dispersion.js';
import { StandardNumbers } from './random-numbers.js';

/** What all of them have. Trick: MonteCarloVariable */
export abstract class GeneratedVariable extends Dispersion {
  /** The last statement, for a semi-fixed variable that takes its value. */
  last: Assignment | undefined;

  constructor(typeName: string, name: string) {
    super(typeName, name);
    this.settings.set('units', '');
    this.settings.set('include_in_summary', true);
    this.methods.set(
      'get_variable_name',
      getter(() => name),
    );
    this.methods.set(
      'get_assignment',
      getter(() => this.last?.shown?.value ?? ''),
    );
    this.methods.set(
      'get_command',
      getter(() => (this.last ? `\n${this.last.statement}` : '')),
    );
    this.methods.set(
      'get_seed',
      getter(() => 0n),
    );
  }

  draw(sources: Sources): Assignment {
    this.last = this.generate(sources);
    return this.last;
  }

  protected abstract generate(sources: Sources): Assignment;

  protected assigned(value: string): Assignment {
    return assignment(this.name, value, this.setting<string>('units'));
  }
}

/** Trick: MonteCarloVariableRandom */
abstract class DrawnVariable extends GeneratedVariable {
  protected readonly numbers: StandardNumbers;

  constructor(typeName: string, name: string, seed: bigint) {
    super(typeName, name);
    this.numbers = new StandardNumbers(Number(BigInt.asUintN(32, seed)));
    this.methods.set(
      'get_seed',
      getter(() => seed),
    );
  }
}

export class UniformVariable extends DrawnVariable {
  constructor(
    name: string,
    seed: bigint,
    private readonly low: number,
    private readonly high: number,
  ) {
    super('MonteCarloVariableRandomUniform', name, seed);
  }

  protected generate(): Assignment {
    return this.assigned(digits(this.numbers.uniform(this.low, this.high), 16));
  }
}

export class UniformIntVariable extends DrawnVariable {
  constructor(
    name: string,
    seed: bigint,
    private readonly low: number,
    private readonly high: number,
  ) {
    super('MonteCarloVariableRandomUniformInt', name, seed);
    if (!(Math.trunc(low) <= Math.trunc(high) && isInt(low) && isInt(high)))
      throw new ScriptError(
        'ValueError',
        `${name} takes whole numbers of 32 bits, and there are none from ${low} to ${high}`,
      );
  }

  protected generate(): Assignment {
    return this.assigned(String(this.numbers.integer(Math.trunc(this.low), Math.trunc(this.high))));
  }
}

/** It may be set to fewer. */
const MOST_TRIES = 10_000_000;

/** C++ draws an int. */
const isInt = (bound: number): boolean => Math.trunc(bound) === Math.trunc(bound) << 0;

/** Trick: MonteCarloVariableRandomNormal::TruncationType */
const [STANDARD_DEVIATION, RELATIVE, ABSOLUTE] = [0n, 1n, 2n];
const TYPE = { name: 'type', type: 'integer', standard: STANDARD_DEVIATION } as const;

export class NormalVariable extends DrawnVariable {
  private low = Number.NEGATIVE_INFINITY;
  private high = Number.POSITIVE_INFINITY;

  constructor(
    name: string,
    seed: bigint,
    private readonly mean: number,
    private readonly deviation: number,
  ) {
    super('MonteCarloVariableRandomNormal', name, seed);
    this.settings.set('max_num_tries', 10_000n);
    const one = [{ name: 'limit', type: 'number' }, TYPE] as const;
    this.methods.set('truncate_low', { parameters: one, run: ([limit, type]) => this.cut(limit, undefined, type) });
    this.methods.set('truncate_high', { parameters: one, run: ([limit, type]) => this.cut(undefined, limit, type) });
    this.methods.set(
      'untruncate',
      getter(() => this.uncut()),
    );
    // One limit and a type, or two limits and a type.
    const several = [
      { name: 'limit', type: 'number' },
      { name: 'max', type: 'value', standard: null },
      { name: 'type', type: 'value', standard: null },
    ] as const;
    this.methods.set('truncate', { parameters: several, run: (values) => this.truncate(values) });
  }

  private truncate([limit = null, second = null, third = null]: readonly ScriptValue[]): null {
    const isOne = second === null || (third === null && this.isType(second));
    const size = Math.abs(limit as number);
    return isOne
      ? this.cut(-size, size, second ?? STANDARD_DEVIATION)
      : this.cut(limit, Number(second), third ?? STANDARD_DEVIATION);
  }

  /** Python tells limits from types by their number, and a type is a small whole number. */
  private isType(value: ScriptValue): boolean {
    return typeof value === 'bigint' && value >= STANDARD_DEVIATION && value <= ABSOLUTE;
  }

  private cut(low: ScriptValue | undefined, high: ScriptValue | undefined, type: ScriptValue | undefined): null {
    if (low !== undefined) this.low = this.limitOf(low as number, type as bigint);
    if (high !== undefined) this.high = this.limitOf(high as number, type as bigint);
    return null;
  }

  private uncut(): null {
    this.low = Number.NEGATIVE_INFINITY;
    this.high = Number.POSITIVE_INFINITY;
    return null;
  }

  private limitOf(limit: number, type: bigint): number {
    if (type === STANDARD_DEVIATION) return this.mean + this.deviation * limit;
    if (type === RELATIVE) return this.mean + limit;
    if (type === ABSOLUTE) return limit;
    throw new ScriptError('ValueError', `${this.name}: a truncation is StandardDeviation, Relative or Absolute`);
  }

  protected generate(): Assignment {
    return this.assigned(digits(this.drawn(), 16));
  }

  /** As often as it may be tried; then the middle of the limits, or the one that there is. */
  private drawn(): number {
    const { low, high, mean, deviation } = this;
    if (low > high)
      throw new ScriptError('ValueError', `${this.name} is limited to values from ${low} to ${high}, which are none`);
    let value = this.numbers.normal(mean, deviation);
    if (low === high) return low;
    const tries = Math.min(Number(this.setting<bigint>('max_num_tries')), MOST_TRIES);
    for (let left = tries; value < low || value > high; left--) {
      if (left <= 0)
        return low === Number.NEGATIVE_INFINITY ? high : high === Number.POSITIVE_INFINITY ? low : (low + high) / 2;
      value = this.numbers.normal(mean, deviation);
    }
    return value;
  }
}

const MOST_STRINGS = 100_000;

export class StringSetVariable extends DrawnVariable {
  private readonly strings: string[] = [];

  constructor(
    name: string,
    seed: bigint,
    typeName = 'MonteCarloVariableRandomStringSet',
    strings: readonly string[] = [],
  ) {
    super(typeName, name, seed);
    this.strings.push(...strings);
    this.methods.set(
      'add_string',
      setter('new_string', 'text', (given) => this.add(given as string)),
    );
  }

  private add(text: string): void {
    if (this.strings.length >= MOST_STRINGS)
      throw new ScriptError('ValueError', `${this.name} takes at most ${MOST_STRINGS} strings`);
    this.strings.push(text);
  }

  protected generate(): Assignment {
    const { strings } = this;
    if (strings.length === 0) throw new ScriptError('ValueError', `${this.name} has no strings: add_string adds them`);
    const value = strings[Math.trunc(this.numbers.uniform(0, 1) * strings.length)] ?? '';
    return { statement: `${this.name} = ${value}`, shown: { name: this.name, value } };
  }
}

export class FixedValueVariable extends GeneratedVariable {
  constructor(
    name: string,
    private readonly value: string,
  ) {
    super('MonteCarloVariableFixed', name);
  }

  protected generate(): Assignment {
    return this.assigned(this.value);
  }
}

/** The first value of another variable, in all runs. */
export class SemiFixedVariable extends GeneratedVariable {
  constructor(
    name: string,
    private readonly seed: GeneratedVariable,
  ) {
    super('MonteCarloVariableSemiFixed', name);
  }

  protected generate(): Assignment {
    if (this.last) return this.last;
    const { last } = this.seed;
    if (!last?.shown)
      throw new ScriptError(
        'ValueError',
        `${this.name} takes the value of ${this.seed.name}, which is added before it`,
      );
    const [, value = ''] = /=\s*(.*)$/s.exec(last.statement) ?? [];
    const units = /\{(.*)\}$/.exec(last.shown.name)?.[0] ?? '';
    return { statement: `${this.name} = ${value}`, shown: { name: this.name + units, value: last.shown.value } };
  }
}

/** A line of code, or a value that is computed in each run. */
export class LineVariable extends GeneratedVariable {
  constructor(
    name: string,
    instruction: string,
    private readonly isCommand: boolean,
  ) {
    super('MonteCarloPythonLineExec', name);
    this.settings.set('instruction_set', instruction);
    this.settings.set('include_in_summary', false);
  }

  protected generate(): Assignment {
    const instruction = this.setting<string>('instruction_set');
    return { statement: this.isCommand ? instruction : `${this.name} = ${instruction}` };
  }
}

export class ScriptVariable extends GeneratedVariable {
  constructor(file: string) {
    super('MonteCarloPythonFileExec', file);
    this.settings.set('include_in_summary', false);
  }

  protected generate(): Assignment {
    return { statement: `exec(open(${JSON.stringify(this.name)}).read())` };
  }
}

/** Variables of one file have the columns of one line; the first of them chooses the line. */
export class FileValueVariable extends GeneratedVariable {
  private line = -1;
  private data: readonly string[] | undefined;
  private readonly skips = new StandardNumbers(0);
  /** The first variable of the same file, which chooses the lines; undefined for that one. */
  leader: FileValueVariable | undefined;
  private cells: readonly string[] = [];

  constructor(
    name: string,
    readonly file: string,
    private readonly column: number,
    private readonly firstColumn: number,
  ) {
    super('MonteCarloVariableFile', name);
    this.settings.set('max_skip', 0n);
    this.settings.set('is_dependent', false);
    this.methods.set(
      'get_filename',
      getter(() => file),
    );
    this.methods.set(
      'get_column_number',
      getter(() => BigInt(column)),
    );
    this.methods.set(
      'get_first_column_number',
      getter(() => BigInt(firstColumn)),
    );
  }

  protected generate(sources: Sources): Assignment {
    const { leader = this } = this;
    if (leader === this) this.advance(sources.lines(this.file));
    const cell = leader.cells[this.column - leader.firstColumn];
    if (cell !== undefined) return this.assigned(cell);
    throw new ScriptError(
      'ValueError',
      `${this.file} has columns ${leader.firstColumn} to ${leader.firstColumn + leader.cells.length - 1}, and ${this.name} is in column ${this.column}`,
    );
  }

  /** Goes on to a line with data, round and round; skips up to so many. */
  private advance(lines: readonly string[]): void {
    this.data ??= lines.filter((line) => !/^\s*$|^[#/]/.test(line));
    const { data } = this;
    if (data.length === 0) throw new ScriptError('ValueError', `${this.file} has no line of data for ${this.name}`);
    const most = Number(this.setting<bigint>('max_skip'));
    this.line += 1 + (most > 0 ? this.skips.integer(0, most) : 0);
    this.cells = (data[this.line % data.length] ?? '').trim().split(/\s+/);
  }
}
