// How a simulation is written: `export default simulation({ name, frame }, (sim) => { ... })`.
import type { AnyDeclared, Members } from '../model/declare.js';
import type { ObjectHandle, ObjectOptions } from '../model/state.js';
import type { TypeOptions } from '../model/type-registry.js';
import type { RecordOptions } from '../recording/recorder.js';
import { requireFrameSeconds } from './executive.js';
import type { Given, Returned, Signature, SimFunction } from './functions.js';
import type { LogLevel } from './log-level.js';
import { spawnLimitsOf } from './spawning.js';

/** What simulation time means to the outside: shown as `sim_time` with its label. */
export interface SimClock {
  /** Free text; usual are `sim_elapsed`, `TAI`, `UTC`, `TT`. */
  readonly label: string;
  /** SI seconds shown at so many seconds of simulation time. */
  readonly seconds: (elapsedSeconds: number) => number;
}

export interface SimulationOptions {
  readonly name: string;
  /** Software frame in seconds: the period of ticks and of published frames. */
  readonly frame: number;
  /** Seconds between frames while frozen. Default 1. */
  readonly freezeFrame?: number;
  /** Simulation time in seconds at which it ends. Default: never. */
  readonly terminateTime?: number;
  /** False runs as fast as possible. Default true. */
  readonly realTime?: boolean;
  /** True waits in freeze until a client runs it. Default false. */
  readonly startFrozen?: boolean;
  readonly clock?: SimClock;
  /** Objects up to which clients may spawn more. Default 100,000. */
  readonly mostObjects?: number;
  /** Bytes of state up to which clients may add components. Default 256 MB. */
  readonly mostStateBytes?: number;
}

export interface JobOptions {
  /** Shown when the job fails. */
  readonly name?: string;
  /** Simulation time until the first call, in seconds from when the job is added. Default 0. */
  readonly phase?: number;
}

export interface JobHandle {
  /** Ends the job; it may do so itself. */
  remove(): void;
}

/** What a simulation is given to build itself with. */
export interface Sim {
  /** What followed `--` on the command line. */
  readonly arguments: readonly string[];
  /** Simulation time in seconds. */
  readonly timeSeconds: number;
  object(name: string, options?: ObjectOptions): ObjectHandle;
  /** Removes an object with all its components, at any time between or within jobs. */
  removeObject(name: string): void;
  /**
   * Calls `run` every `periodSeconds` of simulation time, whether or not that is a multiple of the frame. Jobs
   * due at the same time run in the order in which they were added. Throws a RangeError for what is no time.
   */
  job(periodSeconds: number, run: (deltaSeconds: number) => void, options?: JobOptions): JobHandle;
  /**
   * Makes a structure, or any other declared type, known by name: clients may then make components of it. Returns the
   * declaration to make components of. Throws an Error for a name that is taken or missing.
   */
  type<D extends AnyDeclared>(declared: D, options?: TypeOptions): D;
  /**
   * Makes a function callable as the other form does, with arguments that are checked and converted before the call:
   * `call` gets them by name, and what it returns must fit `gives`. Throws an Error for a signature with pointers.
   */
  function<const T extends Members, const R extends Returned<G>, const G extends AnyDeclared = never>(
    name: string,
    signature: Signature<T, G>,
    call: (given: Given<T>) => R,
  ): void;
  /** Makes a function callable: `kick` as trick.kick(1, 2), `dyn.cannon.fire` as a component's method. */
  function(name: string, call: SimFunction, options?: { readonly about?: string }): void;
  /** Records variables in the run directory, as `log_<name>.csv` or `.trk` with a `.header`. Trick: DRAscii, DRBinary */
  record(name: string, options: RecordOptions): void;
  /** Says something on the simulation's terminal and to message clients. */
  say(text: string, level?: LogLevel): void;
  freeze(): void;
  run(): void;
  stop(): void;
}

export interface SimulationDefinition {
  readonly options: SimulationOptions;
  readonly build: (sim: Sim) => void | Promise<void>;
}

/** Defines a simulation; nothing runs until it is served. Throws a RangeError for what is not a time. */
export function simulation(
  options: SimulationOptions,
  build: (sim: Sim) => void | Promise<void>,
): SimulationDefinition {
  const { frame, freezeFrame = 1, terminateTime = 0 } = options;
  requireFrameSeconds(frame, 'frame');
  requireFrameSeconds(freezeFrame, 'freezeFrame');
  spawnLimitsOf(options);
  if (!(terminateTime >= 0)) throw new RangeError(`terminateTime is a time in seconds from 0 up, not ${terminateTime}`);
  return { options, build };
}

/** Whether something imported from a file is a simulation definition. */
export const isSimulationDefinition = (value: unknown): value is SimulationDefinition =>
  typeof value === 'object' &&
  value !== null &&
  'options' in value &&
  typeof (value as SimulationDefinition).build === 'function';
