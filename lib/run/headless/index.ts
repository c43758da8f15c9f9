// Runs without a server, for programs; what they need is loaded when the first one starts.
import type { SimulationDefinition } from '../../simulation/executive/simulation.js';
import type { MonteCarloOptions } from './monte-carlo.js';
import type { MonteCarloTable } from './monte-carlo-table.js';
import type { RunOptions, RunResult } from './run-options.js';

export type { Draw, MonteCarloOptions, Progress, RunPool } from './monte-carlo.js';
export type { MonteCarloTable } from './monte-carlo-table.js';
export type { RunOptions, RunResult } from './run-options.js';
export type { Drawn, RunRow } from './run-row.js';
export type { Recorded, RecordTable } from './sampler.js';
export type { RunEnd, RunMessage } from './simulation-run.js';

/**
 * Runs a simulation to a time, as fast as it computes; the event loop waits meanwhile. Rejects with a JobError when a
 * job throws, with a RequestError for a path or a value that does not fit, with a RangeError for an option that is not
 * valid, and with what the build throws.
 *
 *     const { values } = await run(ball, { untilSeconds: 10, set: { 'ball.height': 3 }, read: ['ball.speed'] });
 */
export async function run(definition: SimulationDefinition, options: RunOptions = {}): Promise<RunResult> {
  return (await import('./run.js')).run(definition, options);
}

/**
 * Runs a simulation many times and collects the results in a table. Each run depends on its seed alone, so the table is
 * the same whatever the number of workers, and `run` repeats one run from the seed and the values in its row. A run
 * that fails has the reason in its row. Rejects with a RangeError for an option that is not valid, and with one
 * sentence when the simulation cannot be loaded.
 * @param simulation a definition, or the file that exports one by default; workers need the file.
 */
export async function monteCarlo(
  simulation: SimulationDefinition | string | URL,
  options: MonteCarloOptions,
): Promise<MonteCarloTable> {
  return (await import('./monte-carlo.js')).monteCarlo(simulation, options);
}
