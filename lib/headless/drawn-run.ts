// One run of many: from its seed and its drawn values to a row of the table.
import { reasonOf } from '../executive/outside-stack.js';
import type { SimulationDefinition } from '../executive/simulation.js';
import type { Value } from '../model/read.js';
import { run } from './run.js';

/** What a run needs to be repeated. Plain data, which is sent to workers. */
export interface Drawn {
  readonly run: number;
  readonly seed: number;
  readonly set: Readonly<Record<string, Value>>;
  readonly read: readonly string[];
  readonly untilSeconds?: number;
  readonly arguments?: readonly string[];
}

/** The result of a run, as plain data. */
export interface RunRow {
  /** Number of the run, from 0. */
  readonly run: number;
  /** `run` repeats this run with this seed and the values in `set`. */
  readonly seed: number;
  readonly set: Readonly<Record<string, Value>>;
  /** Simulation time at the end; undefined for a failed run. */
  readonly timeSeconds?: number;
  /** The last values of the variables that were asked for, by path; empty for a failed run. */
  readonly values: Readonly<Record<string, Value | undefined>>;
  /** Why the run has failed, in one sentence. */
  readonly error?: string;
}

/** Never rejects: what goes wrong is in the row. */
export async function runDrawn(definition: SimulationDefinition, drawn: Drawn, signal?: AbortSignal): Promise<RunRow> {
  const { run: number, ...given } = drawn;
  const { seed, set } = given;
  const options = { ...given, ...(signal && { signal }) };
  try {
    const { timeSeconds, values, end } = await run(definition, options);
    const ended = { run: number, seed, set, timeSeconds, values };
    return end && end.exitCode !== 0 ? { ...ended, error: `exit code ${end.exitCode}: ${end.reason}` } : ended;
  } catch (thrown) {
    return failedRow(drawn, reasonOf(thrown));
  }
}

export const failedRow = ({ run: number, seed, set }: Drawn, error: string): RunRow => ({
  run: number,
  seed,
  set,
  values: {},
  error,
});
