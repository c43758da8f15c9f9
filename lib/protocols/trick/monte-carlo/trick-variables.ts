// The variables of Trick's own Monte Carlo: of a file, random, calculated, fixed. Trick: MonteVar*.hh
import { isTrue, ScriptError } from '../../python/index.js';
import { type Assignment, assignment, Dispersion, digits, type Method, type Sources, setter } from './dispersion.js';
import { GslNumbers, type RandomNumbers, StandardNumbers } from './random-numbers.js';

/** Trick: MonteVarFile */
export class FileVariable extends Dispersion {
  private line = 0;

  constructor(
    name: string,
    private file: string,
    private column: number,
    private readonly units: string,
  ) {
    super('MonteVarFile', name);
    this.methods.set(
      'set_file_name',
      setter('file_name', 'text', (given) => this.open(given as string)),
    );
    this.methods.set(
      'set_column',
      setter('column', 'integer', (given) => this.readColumn(Number(given))),
    );
  }

  private open(file: string): void {
    this.file = file;
    this.line = 0;
  }

  private readColumn(column: number): void {
    this.column = column;
  }

  draw(sources: Sources): Assignment | undefined {
    const lines = sources.lines(this.file);
    while (this.line < lines.length && /^(#|$)/.test(lines[this.line] ?? '')) this.line++;
    const line = lines[this.line++];
    if (line === undefined) return undefined;
    const columns = line.split(/[ \t]+/).filter((cell) => cell !== '');
    const cell = columns[this.column - 1];
    if (cell !== undefined) return assignment(this.name, cell, this.units);
    throw new ScriptError(
      'ValueError',
      `${this.file} has columns 1 to ${columns.length} in line ${this.line}, and ${this.name} is in column ${this.column}`,
    );
  }
}

/** Trick: MonteVarFixed */
export class FixedVariable extends Dispersion {
  constructor(
    name: string,
    private value: number,
    private readonly units: string,
  ) {
    super('MonteVarFixed', name);
    this.methods.set(
      'set_value',
      setter('value', 'number', (given) => this.fix(given as number)),
    );
  }

  private fix(value: number): void {
    this.value = value;
  }

  draw(): Assignment {
    return assignment(this.name, digits(this.value, 15), this.units);
  }
}

/** What a job of a master would calculate; here the value that the input file has left. Trick: MonteVarCalculated */
export class CalculatedVariable extends Dispersion {
  constructor(
    name: string,
    private readonly units: string,
  ) {
    super('MonteVarCalculated', name);
  }

  draw(sources: Sources): Assignment {
    const value = sources.numberAt(this.name);
    if (value === undefined) throw new ScriptError('ValueError', `${this.name}, which is calculated, is no number`);
    return assignment(this.name, typeof value === 'bigint' ? String(value) : digits(value, 15), this.units);
  }
}

/** Trick: MonteVarExecCode */
export class CodeVariable extends Dispersion {
  constructor(file: string) {
    super('MonteVarExecCode', file);
  }

  draw(): Assignment {
    return { statement: `exec(open(${JSON.stringify(this.name)}).read())` };
  }
}

/** Trick: MonteVarRandom::Distribution */
export const GAUSSIAN = 0;
export const FLAT = 1;
export const POISSON = 2;
/** Trick: MonteVarRandom::StlEngine */
const NO_ENGINE = 0;
const LARGEST = Number.MAX_VALUE;
const MOST_MEAN = 1_000_000;

/** Trick: MonteVarRandom */
export class RandomVariable extends Dispersion {
  private seed = 0;
  private numbers: RandomNumbers | undefined;
  private sigma = 1;
  private mu = 0;
  private min = -LARGEST;
  private max = LARGEST;
  private isMinRelative = true;
  private isMaxRelative = true;
  private sigmaRange = 1;

  constructor(
    name: string,
    private readonly distribution: number,
    private readonly units: string,
    private readonly engine: number,
  ) {
    super('MonteVarRandom', name);
    if (distribution < GAUSSIAN || distribution > POISSON)
      throw new ScriptError('ValueError', 'a distribution is trick.MonteVarRandom.GAUSSIAN, FLAT or POISSON');
    for (const [method, made] of Object.entries(this.setters())) this.methods.set(method, made);
  }

  private setters(): Readonly<Record<string, Method>> {
    const number = (name: string, store: (value: number) => void): Method =>
      setter(name, 'number', (given) => store(given as number));
    const truth = (name: string, store: (value: boolean) => void): Method =>
      setter(name, 'value', (given) => store(isTrue(given)));
    return {
      set_seed: setter('seed', 'integer', (given) => this.begin(Number(BigInt.asUintN(32, given as bigint)))),
      set_sigma: number('sigma', (given) => {
        this.sigma = given;
      }),
      set_mu: number('mu', (given) => {
        this.mu = given;
      }),
      set_min: number('min', (given) => {
        this.min = given;
      }),
      set_max: number('max', (given) => {
        this.max = given;
      }),
      set_min_is_relative: truth('relative', (given) => {
        this.isMinRelative = given;
      }),
      set_max_is_relative: truth('relative', (given) => {
        this.isMaxRelative = given;
      }),
      set_sigma_range: setter('sigma_range', 'integer', (given) => {
        this.sigmaRange = Number(given);
      }),
      set_uniform_generator: setter('uniform', 'integer', () => undefined),
    };
  }

  private begin(seed: number): void {
    this.seed = seed;
    this.numbers = undefined;
  }

  draw(): Assignment {
    this.numbers ??= this.engine === NO_ENGINE ? new GslNumbers(this.seed) : new StandardNumbers(this.seed);
    const { distribution, numbers, mu } = this;
    if (distribution === POISSON) return assignment(this.name, String(this.poisson(numbers)), this.units);
    const min = this.isMinRelative ? mu + this.min : this.min;
    const max = this.isMaxRelative ? mu + this.max : this.max;
    return assignment(this.name, digits(this.within(numbers, min, max), 15), this.units);
  }

  /** It takes time in proportion to its mean. */
  private poisson(numbers: RandomNumbers): number {
    if (this.mu >= 0 && this.mu <= MOST_MEAN) return numbers.poisson(this.mu);
    throw new ScriptError(
      'ValueError',
      `${this.name} has the mean ${this.mu}: POISSON takes one from 0 to ${MOST_MEAN}`,
    );
  }

  /** Draws until a number lies between the bounds, as often as Trick does. */
  private within(numbers: RandomNumbers, min: number, max: number): number {
    const { engine, mu, sigma, sigmaRange, distribution } = this;
    const [tries, range] = engine === NO_ENGINE ? [1000, 0] : [100, sigmaRange];
    for (let count = 0; min < max && count < tries; count++) {
      const drawn = distribution === FLAT ? numbers.uniform(min, max) : numbers.normal(mu, sigma);
      const isInRange = range === 0 || Math.abs(drawn - mu) <= range * sigma;
      if (drawn >= min && drawn <= max && isInRange) return drawn;
    }
    throw new ScriptError(
      'ValueError',
      `no value between ${min} and ${max} could be drawn for ${this.name}, with the mean ${mu} and the deviation ${sigma}`,
    );
  }
}
