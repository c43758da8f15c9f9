// How a program defines a simulation: `export default simulation({ name, frameSeconds }, (sim) => { ... })`.

import type { AnyDeclared, Members } from '../../model/state/declare.js';
import { requireOptions } from '../../model/state/option-names.js';
import type { ObjectHandle, ObjectOptions } from '../../model/state/state.js';
import type { TypeOptions } from '../../model/state/type-registry.js';
import type { FmuHandle, FmuOptions, FmuValue } from '../fmu/options.js';
import type { IntegratorOptions } from '../integration/integrator.js';
import type { RandomStream } from '../integration/random.js';
import type { RecordOptions } from '../recording/record-options.js';
import { requireFrameSeconds } from './frame-length.js';
import type { Given, Returned, Signature, SimFunction } from './functions.js';
import type { LogLevel } from './log-level.js';
import type { SimEventOptions } from './model-events.js';
import type { Moment, SimulationEnd } from './moments.js';
import type { PoseOptions } from './poses.js';
import type { Recordable } from './recorded-variables.js';
import { spawnLimitsOf } from './spawning.js';

/** What clients see as time: `sim_time` with its label. */
export interface SimClock {
  /** Free text; common are `sim_elapsed`, `TAI`, `UTC`, `TT`. */
  readonly label: string;
  /** The shown SI seconds at a simulation time. */
  readonly seconds: (elapsedSeconds: number) => number;
}

/** Options of a simulation. */
export interface SimulationOptions {
  readonly name: string;
  /** Software frame in seconds: the period of ticks and of published frames. */
  readonly frameSeconds: number;
  /** Seconds between frames while frozen. Default 1. */
  readonly freezeFrameSeconds?: number;
  /** Simulation time in seconds at which it ends. Default: never. */
  readonly terminateSeconds?: number;
  /**
   * True holds it to real time, false runs it as fast as possible. Default: true; with an input file false, until the file
   * calls `trick.real_time_enable()`.
   */
  readonly realTime?: boolean;
  /** True waits in freeze until a client runs it. Default false. */
  readonly startFrozen?: boolean;
  readonly clock?: SimClock;
  /**
   * Paths of variables whose past a server keeps from the start, for plots that come late; of structures and arrays, their
   * numbers.
   */
  readonly keep?: readonly string[];
  /** True adds the variables `job_times.jobs`, which show how long each job takes. Default false. */
  readonly jobTimes?: boolean;
  /** Clients may spawn objects up to this number. Default 100,000. */
  readonly mostObjects?: number;
  /** Clients may add components up to this many bytes of state. Default 256 MB. */
  readonly mostStateBytes?: number;
}

const SIMULATION_OPTIONS = Object.keys({
  name: true,
  frameSeconds: true,
  freezeFrameSeconds: true,
  terminateSeconds: true,
  realTime: true,
  startFrozen: true,
  clock: true,
  keep: true,
  jobTimes: true,
  mostObjects: true,
  mostStateBytes: true,
} satisfies Record<keyof SimulationOptions, true>);

/** Options of `sim.job`. */
export interface JobOptions {
  /** The name of the job: clients switch it by this name, and it is shown when the job fails. Default: the function's. */
  readonly name?: string;
  /** Simulation time from adding the job to its first call, in seconds. Default 0. */
  readonly phaseSeconds?: number;
  /** Jobs due at the same time run in the order of these classes. Default `scheduled`. Trick: job classes */
  readonly class?: JobClass;
  /** Within a class, lower numbers run first, and equal ones as they were added. Default 60000. Trick: phase number */
  readonly order?: number;
}

/**
 * `environment` sets what is around, `sensor` measures, `scheduled` decides, `effector` acts. Then rows are recorded and
 * exact copies made; after them, `integration` moves the state on by a period, and `post_integration` derives from the
 * new state.
 */
export type JobClass = 'environment' | 'sensor' | 'scheduled' | 'effector' | 'integration' | 'post_integration';

/** Options of `sim.integrate`. */
export interface IntegrateOptions extends IntegratorOptions, JobOptions {
  /** Seconds of simulation time that are integrated at a time. Default: the software frame. */
  readonly periodSeconds?: number;
}

/** What a derivative returns: the rates of a state of views, in the same shape; what is left out is not integrated. */
export type Rates<S> = S extends number
  ? number
  : S extends Float64Array | Float32Array
    ? ArrayLike<number>
    : S extends { value: number }
      ? number | { readonly value: number }
      : S extends Iterable<infer E>
        ? ArrayLike<Rates<E>>
        : S extends object
          ? { readonly [K in keyof S]?: Rates<S[K]> }
          : never;

/** Options of `sim.record`. */
export interface SimRecordOptions extends Omit<RecordOptions, 'variables'> {
  /**
   * Paths, patterns with `*` and `?`, and views. Structures and arrays are recorded by their numbers; a pattern means
   * what has been declared so far.
   */
  readonly variables: readonly Recordable[];
}

/** Options of `sim.stop`. */
export interface StopOptions {
  /** The exit code of the process. Default 0. */
  readonly code?: number;
  readonly reason?: string;
}

/** A job that has been added. */
export interface JobHandle {
  /** Removes the job; the job may call this itself. */
  remove(): void;
}

/** What a simulation's build function gets. */
export interface Sim {
  /** The arguments after `--` on the command line. */
  readonly arguments: readonly string[];
  /**
   * Simulation time in seconds: that of the state which a job sees. In a job of the class `integration` and its derivatives it
   * is the beginning of the period, and in one of `post_integration` the end.
   */
  readonly timeSeconds: number;
  object(name: string, options?: ObjectOptions): ObjectHandle;
  /** Removes an object with all its components; allowed at any time, also in jobs. */
  removeObject(name: string): void;
  /**
   * Calls `run` every `periodSeconds` of simulation time, which need not be a multiple of the frame. Jobs due at the
   * same time run by class and order, otherwise as they were added. Throws a RangeError for a period or phase that is not valid.
   */
  job(periodSeconds: number, run: (deltaSeconds: number) => void, options?: JobOptions): JobHandle;
  /** Calls `run` at the end of the run, with the exit code and the reason. */
  job(moment: 'shutdown', run: (end: SimulationEnd) => void, options?: JobOptions): JobHandle;
  /** Calls `run` at a moment of the run, such as its start or the end of each frame. */
  job(moment: Moment, run: () => void, options?: JobOptions): JobHandle;
  /**
   * Integrates floating-point numbers of the state, in a job of its own. `derivative` is called several times a step,
   * with the state of that moment in the views, and returns the rates in the same shape; clients never see those
   * trial states. Throws a RangeError for a method or tolerance that is not valid; rates that do not fit the state, and
   * those that are not finite, are errors of the job.
   */
  integrate<S extends object>(
    state: S,
    derivative: (timeSeconds: number) => Rates<S>,
    options: IntegrateOptions,
  ): JobHandle;
  /**
   * A stream of random numbers. Its state is the variable `random.<name>`, so a checkpoint restores it. Streams of
   * different names or seeds are independent. Throws an Error for a name that is taken.
   * @param seed of this stream; a run has a seed besides, which a headless run sets. Default 0.
   */
  random(name: string, seed?: number): RandomStream;
  /**
   * Registers a structure, or any other declared type, by name: clients may then make components of it. Returns the
   * declaration to make components of. Throws an Error for a name that is taken or missing.
   */
  type<D extends AnyDeclared>(declared: D, options?: TypeOptions): D;
  /**
   * Makes a function callable, with arguments that are checked and converted before the call: `call` gets them by name,
   * and its result must fit `gives`. Throws an Error for a signature with pointers, and during the build for a name that is
   * taken.
   */
  function<
    const R extends Returned<G>,
    const T extends Members = Record<never, never>,
    const G extends AnyDeclared = never,
  >(name: string, signature: Signature<T, G>, call: (given: Given<T>) => R): void;
  /** Makes a function callable: `kick` as trick.kick(1, 2), `dyn.cannon.fire` as a component's method. */
  function(name: string, call: SimFunction, options?: { readonly about?: string }): void;
  /**
   * Makes an event, which Trick's texts reach by its path: `ev.event0.deactivate()`. A server evaluates it on published
   * frames; a run without a server does not. Throws an Error for what is not valid, and after the build. Trick: IPPythonEvent
   */
  event(path: string, options: SimEventOptions): void;
  /**
   * Declares where something is, and what it looks like, for 3D views: variables of its position and attitude in its
   * parent. Throws an Error for what is not valid, and after the build.
   */
  pose(name: string, options: PoseOptions): void;
  /** Records variables in the run directory: `log_<name>.csv`, or `.trk`, with a `.header`. Trick: DRAscii, DRBinary */
  record(name: string, options: SimRecordOptions): void;
  /**
   * Makes an FMU an object: its variables are components, and it is stepped by a job of the class `integration`. Rejects with
   * one sentence for a file that is no FMU, or one that does not run here. FMI: 2.0 and 3.0
   * @param file a path from the working directory, or `new URL('engine.fmu', import.meta.url)`.
   */
  fmu(name: string, file: string | URL, options?: FmuOptions): Promise<FmuHandle>;
  /**
   * Gives an input of an FMU the value of a variable of another, `sim.connect(a.out.x, b.in.y)`: at the beginning of each
   * step, for the whole step. Throws an Error for units that do not convert, and for an input that is connected already.
   */
  connect(from: FmuValue | undefined, to: FmuValue | undefined): void;
  /** Prints a message on the simulation's terminal and sends it to message clients. */
  say(text: string, level?: LogLevel): void;
  freeze(): void;
  run(): void;
  /** Ends the run at the end of this frame. Throws a RangeError for an exit code that is not valid. */
  stop(options?: StopOptions): void;
}

/**
 * A simulation that can be served or run. `S` is what its build returns: the views of its objects by name, from which
 * `TrickClient<typeof definition>` knows the names and types of the variables.
 */
export interface SimulationDefinition<S = unknown> {
  readonly options: SimulationOptions;
  readonly build: (sim: Sim) => S | Promise<S>;
}

/**
 * Defines a simulation; nothing runs until it is served. `build` may return the views of its objects under their names,
 * `return { ball }`. Throws a RangeError for a time that is not valid, and for an option that does not exist.
 */
export function simulation<S = void>(
  options: SimulationOptions,
  build: (sim: Sim) => S | Promise<S>,
): SimulationDefinition<S> {
  const { name, frameSeconds, freezeFrameSeconds = 1, terminateSeconds = 0 } = options;
  if (typeof name !== 'string' || name === '') throw new TypeError("a simulation has a name, such as { name: 'ball' }");
  if (typeof build !== 'function') throw new TypeError(`simulation ${name} needs a function that builds it`);
  requireOptions(`simulation ${name}`, options, SIMULATION_OPTIONS);
  requireFrameSeconds(frameSeconds, 'frameSeconds');
  requireFrameSeconds(freezeFrameSeconds, 'freezeFrameSeconds');
  spawnLimitsOf(options);
  if (!(terminateSeconds >= 0))
    throw new RangeError(`terminateSeconds is a time in seconds from 0 up, not ${terminateSeconds}`);
  return { options, build };
}

/** Whether a value imported from a file is a simulation definition. */
export const isSimulationDefinition = (value: unknown): value is SimulationDefinition =>
  typeof value === 'object' &&
  value !== null &&
  'options' in value &&
  typeof (value as SimulationDefinition).build === 'function';
