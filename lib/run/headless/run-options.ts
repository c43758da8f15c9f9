// What a run takes and gives.
import type { Value } from '../../model/state/read.js';
import type { Recorded, RecordTable } from './sampler.js';
import type { RunEnd, RunMessage, StartOptions } from './simulation-run.js';

/** Options of `run`. */
export interface RunOptions extends StartOptions {
  /** Simulation time in seconds at which the run ends. Default: the simulation's terminate time, which is needed then. */
  readonly untilSeconds?: number;
  /** Paths of variables whose last values are returned; `ball.height{cm}` in other units. */
  readonly read?: readonly string[];
  /** Variables to keep a table of. */
  readonly record?: RecordTable;
  /** Ends the run early, between two frames. */
  readonly signal?: AbortSignal;
  /** Trick input file that runs before the first frame, as in a server; `set` comes after it. */
  readonly inputFile?: string;
  /** Directories whose files it may read too, besides its own and the working directory. */
  readonly inputDirectories?: readonly string[];
}

/** The names of those that only a run has. */
export const RUN_OPTIONS = Object.keys({
  untilSeconds: true,
  read: true,
  record: true,
  signal: true,
  inputFile: true,
  inputDirectories: true,
} satisfies Record<Exclude<keyof RunOptions, keyof StartOptions>, true>);

/** What a run gives. */
export interface RunResult {
  /** Simulation time at the end. */
  readonly timeSeconds: number;
  /** How the simulation has ended by itself; undefined when it ran until the asked time or froze. */
  readonly end: RunEnd | undefined;
  /** Whether its own code froze it before the asked time. */
  readonly isFrozen: boolean;
  /** Whether the signal has ended it. */
  readonly isStopped: boolean;
  /** The last values of what `read` names, by its names; enumerations are labels. */
  readonly values: Readonly<Record<string, Value | undefined>>;
  /** The units of what `read` and `set` name, by its names. */
  readonly units: Readonly<Record<string, string>>;
  readonly recorded: Recorded;
  readonly messages: readonly RunMessage[];
}

/** The time at which a run ends. Throws a RangeError for no time, and for one that is not valid. */
export function endOf(untilSeconds: number | undefined, terminateSeconds?: number): number {
  // A simulation's own end may be its start.
  if (untilSeconds === undefined && terminateSeconds === 0) return 0;
  const seconds = untilSeconds ?? terminateSeconds;
  if (seconds === undefined)
    throw new RangeError(
      'a run needs a time to end: untilSeconds (--until), or the terminateSeconds of the simulation',
    );
  if (seconds > 0 && seconds < Number.POSITIVE_INFINITY) return seconds;
  throw new RangeError(`a run ends at a time in seconds above 0, not ${seconds}`);
}
