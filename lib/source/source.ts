// What the server needs of whatever it serves: a catalog, frames, and a way to ask for changes.
import type { LogLevel } from '../executive/log-level.js';
import type { Answer, Request } from '../executive/request.js';
import type { Frame } from '../frame/reader.js';
import type { Catalog } from '../model/catalog.js';
import type { Abilities } from './abilities.js';

export type { LogLevel } from '../executive/log-level.js';
export {
  type Answer,
  type Control,
  type NewComponent,
  NoAnswerError,
  type Request,
  RequestError,
  type SpawnRequest,
  type Write,
} from '../executive/request.js';
export { type Abilities, refusalOf } from './abilities.js';

/** A line that the simulation or its executive has to say. */
export interface SimMessage {
  readonly level: LogLevel;
  readonly text: string;
  readonly timeSeconds: number;
}

/** What does not change while a source lives. */
export interface SourceInfo {
  readonly name: string;
  /** What it is where it is no simulation, as sentences say it: `a recording`. */
  readonly what?: string;
  /** What the simulation's clock counts: `sim_elapsed`, `TAI`, `UTC` ... */
  readonly clockLabel: string;
  /** Directory and file that the simulation was started from. */
  readonly directory: string;
  readonly file: string;
  /** As it was named. */
  readonly inputFile?: string;
  readonly runDirectory: string;
}

/** A promise that it returns resolves when it is done with the frame; the next frame is told only then. */
export type FrameListener = (frame: Frame) => unknown;

export type Unsubscribe = () => void;

export interface Source {
  readonly info: SourceInfo;
  /** `submit` refuses what the source cannot do, with a sentence that says so. */
  readonly abilities: Abilities;
  /** The catalog that `frame` is laid out by. */
  readonly catalog: Catalog;
  /** The latest frame, scheduled ones left out. Borrowed: it changes when the next one arrives. */
  readonly frame: Frame;
  /** Frames that were overwritten in the ring before they were read here. */
  readonly lapped: number;
  /** Frames that listeners were not told because telling them those before had taken too long. */
  readonly skipped: number;
  /** Why it does not go on as it should, in one sentence; undefined while nothing is known to be wrong. */
  readonly fault?: string | undefined;
  /** Frames that ended late because of what clients had asked for. */
  readonly requestOverruns?: number;
  /** Calls for every frame, scheduled ones included, in order; `frame` and `catalog` are up to date by then. */
  onFrame(listener: FrameListener): Unsubscribe;
  onMessage(listener: (message: SimMessage) => void): Unsubscribe;
  /** Calls once when the simulation has come to its end, with what the process should exit with. */
  onEnd(listener: (reason: string, exitCode: number) => void): Unsubscribe;
  /**
   * Asks for a change. Resolves when `frame` shows it; rejects with a RequestError whose message is one sentence.
   * Requests are applied in the order of these calls.
   */
  submit(request: Request): Promise<Answer>;
  /** A past frame by number, if the ring still has it; borrowed until the next call. */
  past(number: number): Frame | undefined;
  close(): Promise<void>;
}
