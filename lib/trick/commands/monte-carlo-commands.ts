// What Monte Carlo and master-slave input files call: settings are taken, runs and other simulations are refused. Trick: mc_proto.h, Master.hh
import { ScriptError } from '../interpreter/error.js';
import { isTrue, type ScriptValue } from '../interpreter/values.js';
import { sayOnce } from './accepted-commands.js';
import { answeringZero, type Command, command } from './command.js';

const NO_RUNS = 'an input file makes no Monte Carlo runs here; the command "varwire monte-carlo" makes them';
const NO_OTHERS = 'a server has one simulation here; there are no masters and slaves';

/** Classes of Trick that are refused: without effect, they would make one run where many were meant. */
export const REFUSED_CLASSES: ReadonlyMap<string, string> = new Map([
  ...['MonteVarFile', 'MonteVarRandom', 'MonteVarCalculated', 'MonteVarFixed', 'MonteSlave'].map(
    (name) => [name, NO_RUNS] as const,
  ),
  ...['SlaveInfo', 'MSSocket', 'MSSharedMem'].map((name) => [name, NO_OTHERS] as const),
]);

/** Settings without effect, because there are no runs; they may stay in a file that does not enable runs. */
const SETTINGS = [
  'num_runs',
  'dry_run',
  'timeout',
  'max_tries',
  'verbosity',
  'current_run',
  'user_cmd_string',
  'custom_slave_dispatch',
  'custom_pre_text',
  'custom_post_text',
  'localhost_as_remote',
  'slave_sim_options',
  'slave_output_directory',
  'listen_device_port',
  'connection_device_port',
].map((name) => `mc_set_${name}`);

/** The answers of a simulation that is neither a master nor a slave. */
const ANSWERS: Readonly<Record<string, string>> = {
  mc_get_enabled: 'Whether Monte Carlo runs are enabled: 0.',
  mc_is_slave: 'Whether this is a slave of a Monte Carlo master: 0.',
  mc_get_slave_id: 'The number of the Monte Carlo slave: 0, as in a master.',
  mc_get_num_runs: 'Monte Carlo runs: 0.',
  mc_get_num_results: 'Monte Carlo runs that have ended: 0.',
  mc_get_current_run: 'The number of the Monte Carlo run: 0.',
};

const value = { name: 'value', type: 'value', standard: null } as const;

const refuse = (sentence: string): never => {
  throw new ScriptError('RuntimeError', sentence);
};

function setEnabled(isEnabled: ScriptValue): void {
  if (isTrue(isEnabled)) refuse(NO_RUNS);
}

export const monteCarloCommands: readonly Command[] = [
  command('mc_set_enabled', [value], `Refused for True: ${NO_RUNS}.`, (_, [isEnabled]) => setEnabled(isEnabled)),
  ...['mc_add_variable', 'mc_add_slave', 'mc_start_slave', 'mc_stop_slave'].map((name) =>
    command(name, [value], `Refused: ${NO_RUNS}.`, () => refuse(NO_RUNS)),
  ),
  command('mc_add_range', [value, value], `Refused: ${NO_RUNS}.`, () => refuse(NO_RUNS)),
  ...answeringZero(
    SETTINGS.map((name) =>
      command(name, [value], 'Taken, and does nothing: there are no Monte Carlo runs to set.', (context) =>
        sayOnce(context, `trick.${name} is taken and does nothing: there are no Monte Carlo runs to set`),
      ),
    ),
  ),
  ...Object.entries(ANSWERS).map(([name, about]) => command(name, [], about, () => 0n)),
];
