// What panels and the shell know of the server: its state, its variables, and calls. The page has one server.
import type { ReadonlySignal } from '@preact/signals';
import type { Json, Sample, WatchedValue as Value, VariableFacts } from '../../clients/browser/index.js';

export type {
  Json,
  ListedVariable,
  NumberArray,
  Sample,
  VariableFacts,
  WatchedValue as Value,
} from '../../clients/browser/index.js';

/** `lost`: the connection broke and is being made again; values are those of before. */
export type LinkState = 'connecting' | 'connected' | 'lost' | 'closed';

/** A value and its time. */
export interface Reading {
  /** Simulation time, in seconds. */
  readonly seconds: number;
  /** Number of the frame. */
  readonly frame: number;
  readonly value: Value;
}

export type Mode = 'initialization' | 'freeze' | 'step' | 'run' | 'exit' | 'disconnected';

/** What sim/status answers. */
export interface SimStatus {
  readonly name: string;
  /** What it is if it is no simulation that runs there. */
  readonly what?: string;
  readonly mode: Mode;
  /** While it is disconnected: how old the values are. */
  readonly age_sec?: number;
  readonly sim_time: { readonly sec_si: number; readonly label: string };
  readonly elapsed_sec: number;
  readonly frame: number;
  readonly tick: number;
  readonly tick_ms: number;
  /** Simulation seconds in a second, as asked for; null for as fast as possible. */
  readonly clock_ratio: number | null;
  readonly catalog_version: number;
  readonly lapped_frames: number;
  readonly skipped_frames: number;
  readonly skipped_cycles: number;
  readonly loop_lag_ms: number;
  /** For a recording: its first and last time, in the same time as elapsed_sec. */
  readonly playback?: { readonly first_sec: number; readonly last_sec: number };
  /** Ticks that took longer than their time; undefined where nobody counts them. */
  readonly overruns?: number;
}

/** What session/me answers: which server this is, and what this client may do. */
export interface Session {
  readonly simulation: string;
  readonly version: string;
  /** When the server started; another one after a restart. */
  readonly started: string;
  readonly may_change: boolean;
  readonly methods: readonly string[];
  readonly abilities: Readonly<Record<string, boolean>>;
  /** How long the past is kept, in seconds; 0 for not at all. */
  readonly history_sec: number;
  readonly default_cycle_ms: number;
}

export interface WatchOptions {
  /** Least simulation time between samples, in milliseconds; 0 for every tick. Default: 100. */
  readonly cycleMillis?: number;
  /** Wanted units of each alias, in order; undefined for the variable's own. */
  readonly units?: readonly (string | undefined)[];
  /** Asks the server to keep the past of these variables, for var/history. */
  readonly keepsHistory?: boolean;
  /** Told about an alias that cannot be watched, with one sentence; its values are null. */
  onRefused?(alias: string, sentence: string): void;
}

export interface Server {
  readonly state: ReadonlySignal<LinkState>;
  /** Simulation time in seconds, by the latest message; changed at most once an animation frame. */
  readonly time: ReadonlySignal<number | undefined>;
  /** Undefined before the first connection. */
  readonly session: ReadonlySignal<Session | undefined>;
  /** Undefined before the first answer. */
  readonly status: ReadonlySignal<SimStatus | undefined>;
  /** True when what is shown is not what the simulation has now: the connection is lost, or messages stopped coming. */
  readonly isStale: ReadonlySignal<boolean>;
  /** False with a token that may only read. */
  readonly mayChange: ReadonlySignal<boolean>;
  /** True when this client may change things and the source has an ability: write, control, playback ... */
  may(ability: string): boolean;
  /** True when the server has a method of this name; it has been asked at the start. */
  has(method: string): boolean;
  /** A JSON-RPC call. Rejects with an Error whose message is the server's sentence. */
  call<Result>(method: string, params?: object): Promise<Result>;
  /** What a variable is; asked once and kept until the catalog changes. Rejects for an unknown one. */
  facts(alias: string): Promise<VariableFacts>;
  /**
   * Calls the listener with every sample of some variables until the returned function is called. A variable that is
   * watched already costs the server nothing more. The listener is called once for each message, outside of animation
   * frames: keep it short.
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
  /** The address of a file of the server, for a link: it carries the token, because a link carries no header. */
  linkTo(path: string): string;
  /**
   * Calls `listener` with the parameters of a notification such as `sim/message`, until the returned function is
   * called.
   */
  onNotification(method: string, listener: (params: unknown) => void): () => void;
  /** Changes a variable, in these units; resolves when a frame shows it. Rejects with the server's sentence. */
  set(alias: string, value: Json, units?: string): Promise<void>;
}
