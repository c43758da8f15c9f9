// What begins Monte Carlo runs; what sets them stands in the table of what does nothing. Trick: montecarlo_c_intf.h
import { isTrue, ScriptError } from '../../python/index.js';
import { NO_MONTE_CARLO } from '../monte-carlo/study.js';
import { type Command, command } from './command.js';

export const monteCarloCommands: readonly Command[] = [
  command(
    'mc_set_enabled',
    [{ name: 'value', type: 'value', standard: null }],
    `Refused for True: ${NO_MONTE_CARLO}.`,
    (_, [isEnabled]) => {
      if (isTrue(isEnabled)) throw new ScriptError('RuntimeError', NO_MONTE_CARLO);
    },
  ),
];
