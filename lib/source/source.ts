// The source interface: a catalog, frames, and a way to ask for changes.

import type { Frame } from '../model/frame/reader.js';
import type { Catalog } from '../model/state/catalog.js';
import type { Value } from '../model/state/read.js';
import type { Variable } from '../model/state/variable.js';
import type { JobPlace } from '../simulation/executive/job-classes.js';
import type { LogLevel } from '../simulation/executive/log-level.js';
import type { Answer, Request } from '../simulation/executive/request.js';
import type { JobTime } from '../simulation/executive/vitals.js';
import type { RecordedMark } from '../simulation/recording/mcap-file.js';
import type { PlayedStudy } from '../simulation/recording/study.js';
import type { Abilities } from './abilities.js';
import type { EventsElsewhere } from './events-elsewhere.js';
import type { RecordedPast } from './recorded-past.js';

export type { Condition, Decision } from '../simulation/executive/hold-queue.js';
export { JOB_CLASSES, type JobPlace } from '../simulation/executive/job-classes.js';
export type { LogLevel } from '../simulation/executive/log-level.js';
export {
  type Answer,
  type Control,
  type NewComponent,
  NoAnswerError,
  type Request,
  RequestError,
  type ServerControl,
  type SpawnRequest,
  type Write,
} from '../simulation/executive/request.js';
export type { JobTime } from '../simulation/executive/vitals.js';
export { type Abilities, refusalOf, refusalOfRequest } from './abilities.js';
export type { EventElsewhere, EventOrder, EventsElsewhere, ItemOrder } from './events-elsewhere.js';
export type { RecordedPast } from './recorded-past.js';

/** A message of the simulation or its executive. */
export interface SimMessage {
  readonly level: LogLevel;
  readonly text: string;
  readonly timeSeconds: number;
  /** The lines of the simulation's own code that threw: for the operator alone. */
  readonly stack?: string;
  /** Whether a client has written it. */
  readonly isClients?: true;
}

/** Facts that do not change while a source lives. */
export interface SourceInfo {
  readonly name: string;
  /** What it is if it is not a simulation, for sentences: `a recording`. */
  readonly what?: string;
  /** What the simulation's clock counts: `sim_elapsed`, `TAI`, `UTC` ... */
  readonly clockLabel: string;
  /** The working directory, and the name of the simulation's file. */
  readonly directory: string;
  readonly file: string;
  /** Where the simulation's file lies, with the models and textures of its poses; left out where there is no file. */
  readonly folder?: string;
  /** The name as it was given. */
  readonly inputFile?: string;
  readonly runDirectory: string;
  /** Variables whose past is kept from the start. */
  readonly keep?: readonly string[];
}

/** The reach of a source that can be played, in seconds of its own time, as `Frame.timeSeconds`. */
export interface PlaybackState {
  readonly firstSeconds: number;
  readonly lastSeconds: number;
}

/** One of several runs that a source has, or its only one. */
export interface SourceRun {
  /** What the names of its variables begin with; empty when all variables are of one run. */
  readonly object: string;
  /** What people call it, such as its file. */
  readonly label: string;
  readonly isLive: boolean;
}

/** The past of a single number or text before this source began: at most some thousand points, null where there was none. */
export interface Earlier {
  readonly times: readonly number[];
  readonly values: readonly (number | string | null)[];
}

/** Recordings beside a simulation, which it is compared with. */
export interface References {
  readonly runs: readonly SourceRun[];
  /** Of the paths of their variables. */
  readonly recorded: RecordedPast;
  /** Their variables, such as `reference1.ball.position[1]`; they lie in no frame. */
  readonly catalog: Catalog;
  /**
   * The value of one of them at a time by the source's clock: of the last row that is not later. Undefined before the first
   * one, and where a file cannot be read any more.
   */
  valueAt(variable: Variable, seconds: number): Value | undefined;
}

/** What all who show the same frames call them: their numbers differ after a new run, and some are ahead of others. */
export interface FrameIds {
  of(number: number): string;
  /** The number here; undefined for a frame of another run. */
  numberOf(id: string): number | undefined;
}

/** May return a promise that resolves when the listener is done with the frame; the next frame comes only then. */
export type FrameListener = (frame: Frame) => unknown;

/** Ends what the call that returned it began. */
export type Unsubscribe = () => void;

/** What has happened to a run. */
export interface SourceMark {
  readonly mark: RecordedMark;
  readonly seconds: number;
  readonly text: string;
}

/** Whatever makes frames: a simulation, a recording, other data. Front-ends know nothing else of it. */
export interface Source {
  readonly info: SourceInfo;
  /** `submit` refuses, with a sentence, requests that the source does not accept. */
  readonly abilities: Abilities;
  /** The catalog that `frame` uses. */
  readonly catalog: Catalog;
  /** The latest frame that is not a scheduled one. Borrowed: it changes when the next one arrives. */
  readonly frame: Frame;
  /** Number of frames that were overwritten in the ring before this thread read them. */
  readonly lapped: number;
  /** Number of frames that listeners did not get because delivering earlier ones took too long. */
  readonly skipped: number;
  /** What is wrong with the source, in one sentence; undefined while no fault is known. */
  readonly fault?: string | undefined;
  /** Of a simulation elsewhere that is not connected: Unix milliseconds at which it was heard last. */
  readonly lastHeardMillis?: number | undefined;
  /** Of an edge, whose frames others show too. */
  readonly frameIds?: FrameIds;
  /** Only with the ability `playback`. `frame` tells where it is, whether it runs and how fast. */
  readonly playback?: PlaybackState | undefined;
  /** The past of variables that lies in files. */
  readonly recorded?: RecordedPast | undefined;
  /** Of a simulation elsewhere: functions that its catalog does not list can be called by their names. */
  readonly callsUnlisted?: true;
  /** Of a simulation elsewhere that has events of its own. */
  readonly events?: EventsElsewhere;
  /** What is played, if it is a study of many runs. */
  readonly study?: PlayedStudy | undefined;
  /** Of several simulations side by side each alone, by what the names of its variables begin with here. */
  readonly alone?: ReadonlyMap<string, Source>;
  /** Calls for each of those that come later, when `alone` has it. */
  onJoin?(listener: (object: string, source: Source) => void): Unsubscribe;
  /** Left out by a source that is one run. */
  readonly runs?: readonly SourceRun[] | undefined;
  /** What has happened in a recording that is played, by simulation time. */
  readonly marks?: readonly SourceMark[];
  /** Given by the server that serves it. */
  references?: References | undefined;
  /** Number of frames that ended late because of clients' requests. */
  readonly requestOverruns?: number;
  /** What clients hold of the simulation's totals, and how often one was refused more, by its name. */
  readonly shared?: ReadonlyMap<string, { readonly held: number; readonly refusals: number }>;
  /** How long each of the simulation's jobs takes. */
  readonly jobs?: readonly JobTime[];
  /** Processor time in seconds that the simulation's thread has taken; undefined where the system does not tell. */
  readonly cpuSeconds?: number | undefined;
  /** The simulation's jobs in the order in which they run: up to 256. */
  readonly schedule?: readonly JobPlace[];
  /** Calls for every frame, including scheduled ones, in order; `frame` and `catalog` are up to date in the call. */
  onFrame(listener: FrameListener): Unsubscribe;
  onMessage(listener: (message: SimMessage) => void): Unsubscribe;
  /** Calls once when the simulation has ended, with the exit code of the process. */
  onEnd(listener: (reason: string, exitCode: number) => void): Unsubscribe;
  /**
   * Asks for a change. Resolves when `frame` shows it; rejects with a RequestError whose message is one sentence.
   * Requests are applied in the order of these calls.
   */
  submit(request: Request): Promise<Answer>;
  /**
   * A past frame by number, if the ring still has it and it is laid out by the current catalog; borrowed until the
   * next call.
   * @param object reads this object alone: objects may have come and gone since, if this one has not changed.
   */
  past(number: number, object?: string): Frame | undefined;
  /** Of a simulation elsewhere: what its own server has kept of a path. Resolves with undefined for nothing. */
  earlier?(path: string): Promise<Earlier | undefined>;
  close(): Promise<void>;
}
