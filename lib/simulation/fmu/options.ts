// What a simulation gives and gets when it makes an FMU one of its objects.
import type { MethodName } from '../integration/methods.js';

/** Options of `sim.fmu`. */
export interface FmuOptions {
  /**
   * False calls the library on the simulation's own thread, which is faster: a crash of the FMU then ends the simulation.
   * Default true: a process of its own.
   */
  readonly isolated?: boolean;
  /** How it is run, when it can be run in several ways. Default: the first one of these. */
  readonly kind?: 'co-simulation' | 'model exchange' | 'scheduled execution';
  /** Of model exchange: the integration method. Default `rkf45`. */
  readonly method?: MethodName;
  /** Of model exchange: the largest error of a step, relative to each state and to its nominal value. Default 1e-9. */
  readonly tolerance?: number;
  /** Seconds of simulation time of a step. Default: the software frame. */
  readonly periodSeconds?: number;
  /** Wall time in seconds after which a step counts as hanging. Default 10. Of a process of its own only. */
  readonly limitSeconds?: number;
  /** False keeps its state out of checkpoints, for an FMU that fails when it saves its state. Default true. */
  readonly checkpoints?: boolean;
  /** True has it log all that it can. Default false: errors, and what it says unasked. */
  readonly logging?: boolean;
}

/** A variable of an FMU. */
export interface FmuPort {
  /** With the name of the object in front. */
  readonly path: string;
  /** UDUNITS text; `--` for none. */
  readonly units: string;
  /** In its own units; an array of FMI 3.0 as a view. */
  readonly value: unknown;
  /** The same, for `2 * Number(engine.out.torque)`. */
  valueOf(): unknown;
}

/** What an input takes: a value in its own units, or an output, whose units are converted. */
export type FmuValue = number | bigint | boolean | string | readonly number[] | FmuPort;

/** An FMU as an object of the simulation. Names are those of its components: `in.throttle`, `out['bus.speed']`. */
export interface FmuHandle {
  readonly name: string;
  /** Its inputs, and parameters that may change while it runs; they are assigned. Throws an Error for an unknown name. */
  readonly in: Record<string, FmuValue>;
  /** All its variables; `value` has the value of one. Throws an Error for an unknown name. */
  readonly out: Readonly<Record<string, FmuPort>>;
}
