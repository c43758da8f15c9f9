// What a running simulation is given, and what it calls.
import type { Desk } from '../checkpoint/desk.js';
import type { DiskQuota } from '../files/disk-quota.js';
import type { Compile } from './conditions.js';
import type { LogLevel } from './log-level.js';
import type { Overlay, RunFacts } from './overlay.js';
import type { Layout } from './publisher.js';
import type { Vitals } from './vitals.js';

export interface RunningEvents {
  readonly layout: (layout: Layout) => void;
  /** Called when a frame is in the ring. */
  readonly poke: () => void;
  /** @param stack the lines of the simulation's own code that threw. */
  readonly say: (level: LogLevel, text: string, timeSeconds: number, stack?: string) => void;
  /** Called when the simulation's own code, such as a job, has thrown; `say` has been called with the same error. */
  readonly failed?: (error: Error) => void;
  /** Called with the fault that has frozen the run, and with undefined when the run continues. */
  readonly faulty?: (reason: string | undefined) => void;
  /** @param exitCode the exit code of the process. */
  readonly ended: (reason: string, exitCode: number) => void;
}

export interface RunningOptions {
  readonly facts: RunFacts;
  /** Added after the build, in this order. Default: none. */
  readonly overlays?: readonly Overlay[];
  /** Compiles conditions of events that the server sends. Default: the server decides them. */
  readonly compile?: Compile;
  readonly arguments: readonly string[];
  /** Milliseconds since some fixed moment. */
  readonly nowMillis: () => number;
  /** Whether it has an input file, which says whether real time paces it. Default false. */
  readonly hasInputFile?: boolean;
  /** True stays in initialization until the request that starts the run. Default false. */
  readonly waitsForInput?: boolean;
  /** Where the thread records what it is doing. Default: nowhere else. */
  readonly vitals?: Vitals;
  /** Quota of files that clients cause. Default: the standard one. */
  readonly quota?: DiskQuota;
  /** Where checkpoints are written and parsed. Default: on this thread, at once. */
  readonly desk?: Desk;
  /** False makes no frames, because nobody reads them. Default true. */
  readonly hasReaders?: boolean;
  /** How many frames are kept for readers that are behind. Default: as many as the ring holds. */
  readonly keptFrames?: number;
  /**
   * When recorded rows go to their files besides every half second: after each frame for a process that may be killed,
   * `paced` only while real time paces the frames. Default: no further time.
   */
  readonly writesRows?: 'each frame' | 'paced';
  /** Whether frames run when a program asks for them, so that requests wait for none. Default false. */
  readonly isCalled?: boolean;
  /** The seed of the run, which changes every random stream. Default 0. */
  readonly seed?: number;
}

/** How a run ends that something outside the simulation ends. */
export interface RunEnding {
  readonly reason: string;
  /** Default 0; 1 for a run that a fault has frozen. */
  readonly exitCode?: number | undefined;
  /** Time that the jobs of the shutdown have. Default 5 s. */
  readonly shutdownMillis?: number;
  /** Whether the thread ends with this call, perhaps in the middle of a job. */
  readonly isLast?: boolean;
}

/** What recordings tell of a run. */
export const factsOf = (simulation: string, { seed = 0, facts }: RunningOptions): Readonly<Record<string, string>> => ({
  simulation,
  input: facts.inputFile,
  seed: String(seed),
  began: new Date().toISOString(),
});
