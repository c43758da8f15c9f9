// The variables of Trick's own Monte Carlo: of a file, random, calculated, fixed. Trick: MonteVar*.hh
import { isTrue, ScriptError, type ScriptValue } from '../../python/index.js';
import {
  assignment,
  type DistributionMethod,
  digits,
  ofScript,
  setter,
  taking,
  type Variable,
  type VariableClass,
} from './dispersion.js';
import { GslNumbers, type RandomNumbers, StandardNumbers } from './random-numbers.js';

function ofFile(name: string, given: string, column: bigint, units: string): Variable {
  let file = given;
  let at = Number(column);
  let next = 0;
  const open = (other: ScriptValue): void => {
    file = other as string;
    next = 0;
  };
  const choose = (other: ScriptValue): void => {
    at = Number(other);
  };
  return {
    name,
    methods: { set_file_name: setter('file_name', 'text', open), set_column: setter('column', 'integer', choose) },
    draw(sources) {
      const lines = sources.lines(file);
      while (next < lines.length && /^(#|$)/.test(lines[next] ?? '')) next++;
      const line = lines[next++];
      if (line === undefined) return undefined;
      const columns = line.split(/[ \t]+/).filter((cell) => cell !== '');
      const cell = columns[at - 1];
      if (cell !== undefined) return assignment(name, cell, units);
      throw new ScriptError(
        'ValueError',
        `${file} has columns 1 to ${columns.length} in line ${next}, and ${name} is in column ${at}`,
      );
    },
  };
}

function fixed(name: string, given: number, units: string): Variable {
  let value = given;
  const fix = (other: ScriptValue): void => {
    value = other as number;
  };
  return {
    name,
    methods: { set_value: setter('value', 'number', fix) },
    draw: () => assignment(name, digits(value, 15), units),
  };
}

/** What a job of a master would calculate; here the value that the input file has left. */
const calculated = (name: string, units: string): Variable => ({
  name,
  draw(sources) {
    const value = sources.numberAt(name);
    if (value === undefined) throw new ScriptError('ValueError', `${name}, which is calculated, is no number`);
    return assignment(name, typeof value === 'bigint' ? String(value) : digits(value, 15), units);
  },
});

/** Trick: MonteVarRandom::Distribution */
const [GAUSSIAN, FLAT, POISSON] = [0, 1, 2];
/** Trick: MonteVarRandom::StlEngine */
const NO_ENGINE = 0n;
const LARGEST = Number.MAX_VALUE;
const MOST_MEAN = 1_000_000;

/** What a random variable is set to. */
interface Settings {
  readonly name: string;
  readonly distribution: number;
  readonly isGsl: boolean;
  sigma: number;
  mu: number;
  min: number;
  max: number;
  isMinRelative: boolean;
  isMaxRelative: boolean;
  sigmaRange: number;
}

function random(name: string, kind: bigint, units: string, engine: bigint): Variable {
  const distribution = Number(kind);
  if (distribution < GAUSSIAN || distribution > POISSON)
    throw new ScriptError('ValueError', 'a distribution is trick.MonteVarRandom.GAUSSIAN, FLAT or POISSON');
  const isGsl = engine === NO_ENGINE;
  const begun = (seed: number): RandomNumbers => (isGsl ? new GslNumbers(seed) : new StandardNumbers(seed));
  let numbers = begun(0);
  const settings: Settings = {
    ...{ name, distribution, isGsl, sigma: 1, mu: 0, min: -LARGEST, max: LARGEST },
    ...{ isMinRelative: true, isMaxRelative: true, sigmaRange: 1 },
  };
  const begin = (seed: ScriptValue): void => {
    numbers = begun(Number(BigInt.asUintN(32, seed as bigint)));
  };
  return {
    name,
    methods: { ...settersOf(settings), set_seed: setter('seed', 'integer', begin) },
    draw: () => assignment(name, drawn(settings, numbers), units),
  };
}

function settersOf(settings: Settings): Readonly<Record<string, DistributionMethod>> {
  const number = (name: 'sigma' | 'mu' | 'min' | 'max'): DistributionMethod =>
    setter(name, 'number', (given) => {
      settings[name] = given as number;
    });
  const relative = (name: 'isMinRelative' | 'isMaxRelative'): DistributionMethod =>
    setter('relative', 'value', (given) => {
      settings[name] = isTrue(given);
    });
  return {
    set_sigma: number('sigma'),
    set_mu: number('mu'),
    set_min: number('min'),
    set_max: number('max'),
    set_min_is_relative: relative('isMinRelative'),
    set_max_is_relative: relative('isMaxRelative'),
    set_sigma_range: setter('sigma_range', 'integer', (given) => {
      settings.sigmaRange = Number(given);
    }),
    set_uniform_generator: setter('uniform', 'integer', () => undefined),
  };
}

function drawn(settings: Settings, numbers: RandomNumbers): string {
  const { name, distribution, mu } = settings;
  if (distribution !== POISSON) return digits(within(settings, numbers), 15);
  // It takes time in proportion to its mean.
  if (mu >= 0 && mu <= MOST_MEAN) return String(numbers.poisson(mu));
  throw new ScriptError('ValueError', `${name} has the mean ${mu}: POISSON takes one from 0 to ${MOST_MEAN}`);
}

/** Draws until a number lies between the bounds, as often as Trick does. */
function within(settings: Settings, numbers: RandomNumbers): number {
  const { name, isGsl, mu, sigma, distribution, isMinRelative, isMaxRelative } = settings;
  const min = isMinRelative ? mu + settings.min : settings.min;
  const max = isMaxRelative ? mu + settings.max : settings.max;
  const [tries, range] = isGsl ? [1000, 0] : [100, settings.sigmaRange];
  for (let count = 0; min < max && count < tries; count++) {
    const value = distribution === FLAT ? numbers.uniform(min, max) : numbers.normal(mu, sigma);
    const isInRange = range === 0 || Math.abs(value - mu) <= range * sigma;
    if (value >= min && value <= max && isInRange) return value;
  }
  throw new ScriptError(
    'ValueError',
    `no value between ${min} and ${max} could be drawn for ${name}, with the mean ${mu} and the deviation ${sigma}`,
  );
}

const NAME = taking('name', 'text');
const UNITS = taking('unit', 'text', '');

export const TRICK_VARIABLES: Readonly<Record<string, VariableClass>> = {
  MonteVarFile: { parameters: [NAME, taking('file_name', 'text'), taking('column', 'integer'), UNITS], make: ofFile },
  MonteVarRandom: {
    parameters: [NAME, taking('distribution', 'integer'), UNITS, taking('engine', 'integer', NO_ENGINE)],
    make: random,
    labels:
      'NO_ENGINE TRICK_DEFAULT_ENGINE MINSTD_RAND_ENGINE MT19937_ENGINE MT19937_64_ENGINE RANLUX_24_BASE_ENGINE RANLUX_44_BASE_ENGINE RANLUX_24_ENGINE RANLUX_44_ENGINE KNUTH_B_ENGINE GAUSSIAN=0 FLAT POISSON',
  },
  MonteVarFixed: { parameters: [NAME, taking('value', 'number'), UNITS], make: fixed },
  MonteVarCalculated: { parameters: [NAME, UNITS], make: calculated },
  MonteVarExecCode: { parameters: [NAME], make: ofScript },
};
