// The classes of Monte Carlo variables in the module `trick`, by name. Trick: MonteVar*.hh, mc_variable*.hh
import { bindArguments, ClassValue } from '../../python/index.js';
import { Dispersion, type VariableClass } from './dispersion.js';
import { GENERATED_VARIABLES } from './generated-variables.js';
import { TRICK_VARIABLES } from './trick-variables.js';

/** Names of numbers with blanks between them. As in C, a label without a number is one more than the label before it. */
export function numbered(labels: string): ReadonlyMap<string, bigint> {
  let next = 0n;
  return new Map(
    labels.split(' ').map((item) => {
      const [label = '', value] = item.split('=');
      if (value !== undefined) next = BigInt(value);
      return [label, next++];
    }),
  );
}

/** Labels of classes: `trick.MonteVarRandom.GAUSSIAN`. */
export const CLASS_LABELS: ReadonlyMap<string, ReadonlyMap<string, bigint>> = new Map(
  Object.entries({
    // Levels of `mc_set_verbosity`. Trick: MonteCarlo.hh
    MonteCarlo: 'MC_NONE MC_ERROR MC_INFORMATIONAL MC_ALL',
    MonteVarRandom: TRICK_VARIABLES.MonteVarRandom?.labels ?? '',
    MonteRun: [
      'MC_RUN_INCOMPLETE MC_RUN_COMPLETE MC_RUN_DUMPED_CORE MC_RUN_TIMED_OUT MC_CANT_CREATE_OUTPUT_DIR',
      'MC_PROBLEM_PARSING_INPUT MC_UNRECOGNIZED_RETURN_CODE',
    ].join(' '),
    MonteSlave: [
      'MC_UNINITIALIZED MC_INITIALIZING MC_READY MC_RUNNING MC_STOPPING MC_STOPPED MC_FINISHED MC_UNRESPONSIVE_RUNNING',
      'MC_UNRESPONSIVE_STOPPING MC_DISCONNECTED MC_PROCESS_RUN=0 MC_SHUTDOWN MC_DIE',
    ].join(' '),
    MonteCarloVariable: 'Undefined Calculated Constant Execute Prescribed Random',
  }).map(([name, labels]) => [name, numbered(labels)]),
);

const classesOf = (table: Readonly<Record<string, VariableClass>>, isGenerated: boolean): ClassValue[] =>
  Object.entries(table).map(([name, { parameters, make, labels }]) => {
    const variable = make as (...values: unknown[]) => ReturnType<VariableClass['make']>;
    const call: ClassValue['call'] = (args) =>
      new Dispersion(name, variable(...bindArguments(name, parameters, args)), isGenerated);
    return new ClassValue(name, call, [], labels === undefined ? new Map() : numbered(labels));
  });

/** The one object of the class MonteCarlo that Trick has is `trick_mc.mc`. */
const LEVELS = new ClassValue('MonteCarlo', undefined, [], CLASS_LABELS.get('MonteCarlo'));

export const MONTE_CARLO_CLASSES: ReadonlyMap<string, ClassValue> = new Map(
  [LEVELS, ...classesOf(TRICK_VARIABLES, false), ...classesOf(GENERATED_VARIABLES, true)].map((one) => [one.name, one]),
);
