// What panels and the shell know of the server: its state, its variables, and calls. The page has one server.
import type { ReadonlySignal } from '@preact/signals';

/** `lost`: the connection broke and is being made again; values are those of before. */
export type LinkState = 'connecting' | 'connected' | 'lost';

/** Numbers of an array, flattened, the last index running fastest; 64-bit integers are bigint. */
export type NumberArray =
  | Float64Array
  | Float32Array
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array;

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/**
 * A variable's value: a number (a bigint beyond 2^53), the numbers of an array, or, of what has no fixed number of
 * numbers, JSON as var/get answers it. Enumerations are numbers; null is a variable that cannot be reached.
 */
export type Value = number | bigint | NumberArray | Json;

/** A value and when it was. */
export interface Reading {
  /** Simulation time, in seconds. */
  readonly seconds: number;
  /** Number of the frame. */
  readonly frame: number;
  readonly value: Value;
}

/** One message: values of one frame. */
export interface Sample {
  readonly seconds: number;
  readonly frame: number;
  /** Messages that were lost before this one, because this page was too slow. */
  readonly dropped: number;
  /** In the order of the aliases that were asked for. */
  readonly values: readonly Value[];
}

/** What var/describe answers. */
export interface VariableFacts {
  readonly alias: string;
  /** The C type of one element. */
  readonly type_path: string;
  /** UDUNITS text, `1` for none. */
  readonly unit: string;
  /** Extents, outermost first; [] for one value, 0 for an extent that is known at run time only. */
  readonly dim: readonly number[];
  readonly about: string;
  readonly access: 'read-write' | 'read-only' | 'write-only';
  readonly kind: 'number' | 'bits' | 'enumeration' | 'text' | 'struct';
  readonly labels?: Readonly<Record<string, number>>;
  readonly capacity?: number;
  readonly bits?: number;
  readonly members?: readonly Omit<VariableFacts, 'kind'>[];
}

export type Mode = 'initialization' | 'freeze' | 'step' | 'run' | 'exit';

/** What sim/status answers. */
export interface SimStatus {
  readonly name: string;
  readonly mode: Mode;
  readonly sim_time: { readonly sec_si: number; readonly label: string };
  readonly elapsed_sec: number;
  readonly frame: number;
  readonly tick: number;
  readonly tick_ms: number;
  readonly catalog_version: number;
  readonly lapped_frames: number;
  readonly skipped_frames: number;
  readonly loop_lag_ms: number;
}

export interface WatchOptions {
  /** Least simulation time between samples, in milliseconds; 0 for every tick. Default: 100. */
  readonly cycleMillis?: number;
  /** Wanted units of each alias, in order; undefined for the variable's own. */
  readonly units?: readonly (string | undefined)[];
  /** Told about an alias that cannot be watched, with one sentence; its values are null. */
  onRefused?(alias: string, sentence: string): void;
}

export interface Server {
  readonly state: ReadonlySignal<LinkState>;
  /** Undefined before the first answer. */
  readonly status: ReadonlySignal<SimStatus | undefined>;
  /** True when what is shown is not what the simulation has now: the connection is lost, or messages stopped coming. */
  readonly isStale: ReadonlySignal<boolean>;
  /** False with a token that may only read. */
  readonly mayChange: ReadonlySignal<boolean>;
  /** True when the server has a method of this name; it has been asked at the start. */
  has(method: string): boolean;
  /** A JSON-RPC call. Rejects with an Error whose message is the server's sentence. */
  call<Result>(method: string, params?: object): Promise<Result>;
  /** What a variable is; asked once and kept until the catalog changes. Rejects for an unknown one. */
  facts(alias: string): Promise<VariableFacts>;
  /**
   * Every sample of some variables, from now until the answer is called. Watching what is watched already costs the
   * server nothing. The listener is called once a message, off any animation frame: keep it short.
   */
  watch(aliases: readonly string[], options: WatchOptions, listener: (sample: Sample) => void): () => void;
  /**
   * The latest value, changed at most once an animation frame; undefined before the first. It is watched while a
   * component reads it. The same arguments give the same signal.
   */
  reading(
    alias: string,
    options?: { readonly units?: string; readonly cycleMillis?: number },
  ): ReadonlySignal<Reading | undefined>;
  /** Why a variable that a component reads cannot be watched: one sentence. */
  refusal(alias: string, options?: { readonly units?: string }): ReadonlySignal<string | undefined>;
  /** Changes a variable, in these units; resolves when a frame shows it. Rejects with the server's sentence. */
  set(alias: string, value: Json, units?: string): Promise<void>;
}
