// The classes of Monte Carlo variables in the module `trick`, by name. Trick: MonteVar*.hh, mc_variable*.hh
import { bindArguments, ClassValue, type Parameter, plain, ScriptError, type ScriptValue } from '../../python/index.js';
import { type Dispersion, digits } from './dispersion.js';
import {
  FileValueVariable,
  FixedValueVariable,
  GeneratedVariable,
  LineVariable,
  NormalVariable,
  ScriptVariable,
  SemiFixedVariable,
  StringSetVariable,
  UniformIntVariable,
  UniformVariable,
} from './generated-variables.js';
import { CalculatedVariable, CodeVariable, FileVariable, FixedVariable, RandomVariable } from './trick-variables.js';

interface Made {
  readonly parameters: readonly Parameter[];
  readonly make: (values: readonly ScriptValue[]) => Dispersion;
  readonly labels?: string;
}

const text = (name: string, standard?: string): Parameter =>
  standard === undefined ? { name, type: 'text' } : { name, type: 'text', standard };
const number = (name: string, standard?: number): Parameter =>
  standard === undefined ? { name, type: 'number' } : { name, type: 'number', standard };
const integer = (name: string, standard?: bigint): Parameter =>
  standard === undefined ? { name, type: 'integer' } : { name, type: 'integer', standard };
const value = (name: string): Parameter => ({ name, type: 'value' });

const NAME = text('var_name');
const SEED = integer('seed', 0n);

/** A class whose values are made of a name and what follows it. */
const made = (parameters: readonly Parameter[], make: (...values: never[]) => Dispersion, labels?: string): Made => ({
  parameters,
  make: (values) => make(...(values as never[])),
  ...(labels !== undefined && { labels }),
});

const CLASSES: Readonly<Record<string, Made>> = {
  MonteVarFile: made(
    [text('name'), text('file_name'), integer('column'), text('unit', '')],
    (name: string, file: string, column: bigint, unit: string) => new FileVariable(name, file, Number(column), unit),
  ),
  MonteVarRandom: made(
    [text('name'), integer('distribution'), text('unit', ''), integer('engine', 0n)],
    (name: string, distribution: bigint, unit: string, engine: bigint) =>
      new RandomVariable(name, Number(distribution), unit, Number(engine)),
    'NO_ENGINE TRICK_DEFAULT_ENGINE MINSTD_RAND_ENGINE MT19937_ENGINE MT19937_64_ENGINE RANLUX_24_BASE_ENGINE RANLUX_44_BASE_ENGINE RANLUX_24_ENGINE RANLUX_44_ENGINE KNUTH_B_ENGINE GAUSSIAN=0 FLAT POISSON',
  ),
  MonteVarFixed: made(
    [text('name'), number('value'), text('unit', '')],
    (name: string, fixed: number, unit: string) => new FixedVariable(name, fixed, unit),
  ),
  MonteVarCalculated: made(
    [text('name'), text('unit', '')],
    (name: string, unit: string) => new CalculatedVariable(name, unit),
  ),
  MonteVarExecCode: made([text('name')], (file: string) => new CodeVariable(file)),
  MonteCarloVariableFile: made(
    [NAME, text('filename'), integer('column_number'), integer('first_column_number', 1n)],
    (name: string, file: string, column: bigint, first: bigint) =>
      new FileValueVariable(name, file, Number(column), Number(first)),
  ),
  MonteCarloVariableFixed: made(
    [NAME, value('assignment')],
    (name: string, fixed: ScriptValue) => new FixedValueVariable(name, textOf(fixed)),
  ),
  MonteCarloVariableSemiFixed: made([NAME, value('seed')], (name: string, seed: ScriptValue) => {
    if (seed instanceof GeneratedVariable) return new SemiFixedVariable(name, seed);
    throw new ScriptError('TypeError', 'MonteCarloVariableSemiFixed() takes a name and another MonteCarloVariable');
  }),
  MonteCarloVariableRandomNormal: made(
    [NAME, SEED, number('mean', 0), number('stdev', 1)],
    (name: string, seed: bigint, mean: number, deviation: number) => new NormalVariable(name, seed, mean, deviation),
    'StandardDeviation Relative Absolute',
  ),
  MonteCarloVariableRandomUniform: made(
    [NAME, SEED, number('lower_bound', 0), number('upper_bound', 1)],
    (name: string, seed: bigint, low: number, high: number) => new UniformVariable(name, seed, low, high),
  ),
  MonteCarloVariableRandomUniformInt: made(
    [NAME, SEED, number('lower_bound', 0), number('upper_bound', 1)],
    (name: string, seed: bigint, low: number, high: number) => new UniformIntVariable(name, seed, low, high),
  ),
  MonteCarloVariableRandomStringSet: made(
    [NAME, integer('seed')],
    (name: string, seed: bigint) => new StringSetVariable(name, seed),
  ),
  MonteCarloVariableRandomBool: made(
    [NAME, integer('seed')],
    (name: string, seed: bigint) =>
      new StringSetVariable(name, seed, 'MonteCarloVariableRandomBool', ['False', 'True']),
  ),
  MonteCarloPythonLineExec: made(
    [NAME, { name: 'instruction', type: 'value', standard: null }],
    (name: string, instruction: ScriptValue) =>
      new LineVariable(name, String(instruction ?? name), instruction === null),
  ),
  MonteCarloPythonFileExec: made([text('filename')], (file: string) => new ScriptVariable(file)),
};

/** Python's text of a fixed value; a text stands as it is, so that of a text has quotes of its own. */
function textOf(given: ScriptValue): string {
  const fixed = plain(given);
  if (typeof fixed === 'string') return fixed;
  if (typeof fixed === 'bigint') return String(fixed);
  if (typeof fixed === 'number') return digits(fixed, 16);
  throw new ScriptError('TypeError', 'MonteCarloVariableFixed() takes a name and a number or a text');
}

function numbered(labels: string): ReadonlyMap<string, bigint> {
  let next = 0n;
  return new Map(
    labels.split(' ').map((item) => {
      const [label = '', start] = item.split('=');
      if (start !== undefined) next = BigInt(start);
      return [label, next++];
    }),
  );
}

/** Its values are levels of `mc_set_verbosity`; the one that Trick has is `trick_mc.mc`. Trick: MonteCarlo.hh */
const LEVELS = new ClassValue('MonteCarlo', undefined, [], numbered('MC_NONE MC_ERROR MC_INFORMATIONAL MC_ALL'));

export const MONTE_CARLO_CLASSES: ReadonlyMap<string, ClassValue> = new Map([
  [LEVELS.name, LEVELS] as const,
  ...Object.entries(CLASSES).map(
    ([name, { parameters, make, labels = '' }]) =>
      [
        name,
        new ClassValue(
          name,
          (args) => make(bindArguments(name, parameters, args)),
          [],
          labels === '' ? new Map() : numbered(labels),
        ),
      ] as const,
  ),
]);
