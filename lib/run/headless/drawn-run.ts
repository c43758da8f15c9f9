// One run of many: from its seed and its drawn values to a row of the table.

import type { Value } from '../../model/state/read.js';
import { reasonOf } from '../../simulation/executive/outside-stack.js';
import type { SimulationDefinition } from '../../simulation/executive/simulation.js';
import type { InputRunPart } from './input-run.js';
import { run } from './run.js';
import type { RunResult } from './run-options.js';

/** What a run needs to be repeated. Plain data, which is sent to workers. */
export interface Drawn {
  readonly run: number;
  readonly seed: number;
  readonly set: Readonly<Record<string, Value>>;
  readonly read: readonly string[];
  readonly untilSeconds?: number;
  readonly arguments?: readonly string[];
  /** Where it writes; a directory that it removes when left out. */
  readonly runDirectory?: string;
  /** What an input file gives it, and what the table shows of that; `set` comes after it. */
  readonly input?: InputRunPart;
  readonly shown?: Readonly<Record<string, Value>>;
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
  /** The units of what was given and read, by the names of both; left out for a failed run. */
  readonly units?: Readonly<Record<string, string>>;
  /** Why the run has failed, in one sentence. */
  readonly error?: string;
}

/** Never rejects: what goes wrong is in the row. */
export async function runDrawn(definition: SimulationDefinition, drawn: Drawn, signal?: AbortSignal): Promise<RunRow> {
  const { run: number, seed } = drawn;
  try {
    const { timeSeconds, values, units, end } = await resultOf(definition, drawn, signal);
    const ended = { run: number, seed, set: givenTo(drawn), timeSeconds, values, units };
    return end && end.exitCode !== 0 ? { ...ended, error: `exit code ${end.exitCode}: ${end.reason}` } : ended;
  } catch (thrown) {
    return failedRow(drawn, reasonOf(thrown));
  }
}

async function resultOf(
  definition: SimulationDefinition,
  { run: _, input, shown: __, ...given }: Drawn,
  signal?: AbortSignal,
): Promise<RunResult> {
  const options = { ...given, ...(signal && { signal }) };
  if (!input) return run(definition, options);
  const { runInput } = await import('./input-run.js');
  const { writeMonteInput } = await import('./input-study.js');
  writeMonteInput(input);
  const { inputFile, inputDirectories, runDirectory } = input;
  return runInput(definition, { ...options, inputFile, inputDirectories, runDirectory }, input);
}

const givenTo = ({ set, shown = {} }: Drawn): RunRow['set'] => ({ ...shown, ...set });

export const failedRow = (drawn: Drawn, error: string): RunRow => ({
  run: drawn.run,
  seed: drawn.seed,
  set: givenTo(drawn),
  values: {},
  error,
});

/** The row of a run that is shown, and not made. */
export const plannedRow = (drawn: Drawn): RunRow => ({
  run: drawn.run,
  seed: drawn.seed,
  set: givenTo(drawn),
  values: {},
});
