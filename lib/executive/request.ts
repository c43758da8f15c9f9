// What a client may ask of the simulation; requests are applied in arrival order between ticks.
import type { Value } from '../model/read.js';
import type { RecordControl } from '../recording/recording.js';

export interface Write {
  readonly path: string;
  /** In the variable's own units. */
  readonly value: Value;
  /** Of the catalog by which `convertFor` has made the value; it is made again when this is left out or of the past. */
  readonly catalogVersion?: number;
}

export type Control =
  | { readonly action: 'run' }
  | { readonly action: 'freeze' /** Simulation time in seconds; now when left out. */; readonly atSeconds?: number }
  | { readonly action: 'step'; readonly frames: number }
  /** Whether every frame ends in a pause, and the signal to go on to the next pause. */
  | { readonly action: 'debug-pause'; readonly isOn: boolean }
  | { readonly action: 'debug-signal' }
  | { readonly action: 'stop'; readonly atSeconds?: number }
  | { readonly action: 'terminate'; readonly code: number; readonly reason: string }
  | { readonly action: 'real-time'; readonly enabled: boolean }
  | { readonly action: 'clock-ratio'; readonly ratio: number }
  | { readonly action: 'software-frame'; readonly seconds: number }
  | { readonly action: 'freeze-frame'; readonly seconds: number }
  /** From the server alone: no frame starts at or after a time until it is let go. Trick: add_read */
  | { readonly action: 'hold'; readonly id: number; readonly atTics: number }
  | { readonly action: 'let-go'; readonly id: number }
  /** From the server alone: ends the initialization of a simulation that waits for its input file. */
  | { readonly action: 'start' };

/** A component to be made, of a registered type. */
export interface NewComponent {
  readonly alias: string;
  /** The name of a type that clients may make components of. */
  readonly type: string;
  /** Checked as a write is; what is left out is zero. */
  readonly initial?: Value;
}

/** What needs the ability `spawn`: each of them happens whole or, when it is refused, not at all. */
export type SpawnRequest =
  /** A new object; the answer's value is its number. */
  | {
      readonly kind: 'spawn';
      readonly object: string;
      readonly parent?: string;
      readonly components: readonly NewComponent[];
    }
  /** Removes an object, and when it is recursive all below it; other children have no parent then. */
  | { readonly kind: 'despawn'; readonly object: string; readonly isRecursive: boolean }
  | { readonly kind: 'insert'; readonly object: string; readonly components: readonly NewComponent[] }
  | { readonly kind: 'remove'; readonly object: string; readonly aliases: readonly string[] }
  /** Puts an object below another, or below none. */
  | { readonly kind: 'reparent'; readonly object: string; readonly parent: string | null };

export type Request =
  | SpawnRequest
  /** All of them or, when one does not fit, none. */
  | { readonly kind: 'write'; readonly writes: readonly Write[] }
  | { readonly kind: 'control'; readonly control: Control }
  | { readonly kind: 'call'; readonly name: string; readonly values: readonly Value[] }
  /** Writes the state, or some of its objects, to a file in the run directory; an empty name stands for the usual one. */
  | { readonly kind: 'checkpoint'; readonly file: string; readonly objects?: readonly string[] }
  | { readonly kind: 'load-checkpoint'; readonly file: string }
  | { readonly kind: 'record'; readonly control: RecordControl }
  /** Changes nothing: a frame now, which carries what has been asked for by then. */
  | { readonly kind: 'look' }
  /** From the server alone: plain data for an overlay to show in its variables. */
  | { readonly kind: 'show'; readonly overlay: string; readonly value: unknown }
  /** Snapshots at every simulation time that is a multiple of the period, as long as somebody holds one. */
  | { readonly kind: 'schedule'; readonly periodTics: number; readonly hold: boolean };

/** What a request did: the first frame that shows it, and what a called function returned. */
export interface Answer {
  readonly frame: number;
  readonly value?: Value;
}

/** A request that could not be carried out; nothing has been changed. */
export class RequestError extends Error {
  override readonly name: string = 'RequestError';
}

/** The simulation does not answer: what it has not begun to do by now it will not do. */
export class NoAnswerError extends RequestError {
  override readonly name = 'NoAnswerError';
}
