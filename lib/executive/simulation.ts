// How a program defines a simulation: `export default simulation({ name, frame }, (sim) => { ... })`.
import type { AnyDeclared, Members } from '../model/declare.js';
import type { ObjectHandle, ObjectOptions } from '../model/state.js';
import type { TypeOptions } from '../model/type-registry.js';
import type { RecordOptions } from '../recording/recorder.js';
import { requireFrameSeconds } from './executive.js';
import type { Given, Returned, Signature, SimFunction } from './functions.js';
import type { LogLevel } from './log-level.js';
import { spawnLimitsOf } from './spawning.js';

/** What clients see as time: `sim_time` with its label. */
export interface SimClock {
  /** Free text; common are `sim_elapsed`, `TAI`, `UTC`, `TT`. */
  readonly label: string;
  /** The shown SI seconds at a simulation time. */
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
  /** Clients may spawn objects up to this number. Default 100,000. */
  readonly mostObjects?: number;
  /** Clients may add components up to this many bytes of state. Default 256 MB. */
  readonly mostStateBytes?: number;
}

export interface JobOptions {
  /** The name of the job when it fails. */
  readonly name?: string;
  /** Simulation time from adding the job to its first call, in seconds. Default 0. */
  readonly phase?: number;
}

export interface JobHandle {
  /** Removes the job; the job may call this itself. */
  remove(): void;
}

/** What a simulation's build function gets. */
export interface Sim {
  /** The arguments after `--` on the command line. */
  readonly arguments: readonly string[];
  /** Simulation time in seconds. */
  readonly timeSeconds: number;
  object(name: string, options?: ObjectOptions): ObjectHandle;
  /** Removes an object with all its components; allowed at any time, also in jobs. */
  removeObject(name: string): void;
  /**
   * Calls `run` every `periodSeconds` of simulation time, which need not be a multiple of the frame. Jobs due at the
   * same time run in the order in which they were added. Throws a RangeError for a period or phase that is not valid.
   */
  job(periodSeconds: number, run: (deltaSeconds: number) => void, options?: JobOptions): JobHandle;
  /**
   * Registers a structure, or any other declared type, by name: clients may then make components of it. Returns the
   * declaration to make components of. Throws an Error for a name that is taken or missing.
   */
  type<D extends AnyDeclared>(declared: D, options?: TypeOptions): D;
  /**
   * Makes a function callable, with arguments that are checked and converted before the call: `call` gets them by name,
   * and its result must fit `gives`. Throws an Error for a signature with pointers.
   */
  function<const T extends Members, const R extends Returned<G>, const G extends AnyDeclared = never>(
    name: string,
    signature: Signature<T, G>,
    call: (given: Given<T>) => R,
  ): void;
  /** Makes a function callable: `kick` as trick.kick(1, 2), `dyn.cannon.fire` as a component's method. */
  function(name: string, call: SimFunction, options?: { readonly about?: string }): void;
  /** Records variables in the run directory: `log_<name>.csv`, or `.trk`, with a `.header`. Trick: DRAscii, DRBinary */
  record(name: string, options: RecordOptions): void;
  /** Prints a message on the simulation's terminal and sends it to message clients. */
  say(text: string, level?: LogLevel): void;
  freeze(): void;
  run(): void;
  stop(): void;
}

export interface SimulationDefinition {
  readonly options: SimulationOptions;
  readonly build: (sim: Sim) => void | Promise<void>;
}

/** Defines a simulation; nothing runs until it is served. Throws a RangeError for a time that is not valid. */
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

/** Whether a value imported from a file is a simulation definition. */
export const isSimulationDefinition = (value: unknown): value is SimulationDefinition =>
  typeof value === 'object' &&
  value !== null &&
  'options' in value &&
  typeof (value as SimulationDefinition).build === 'function';
