// What a run of many is given, and what comes of it.
import type { Value } from '../../model/state/read.js';
import type { InputRunPart } from './input-run.js';

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

/** What the table shows of it. */
export const givenTo = ({ set, shown = {} }: Drawn): RunRow['set'] => ({ ...shown, ...set });

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
