// The requests that a client may make to the simulation; they are applied in arrival order between ticks.

import type { Rule } from '../../model/state/assign.js';
import type { ClientOrOperator } from '../../model/state/fair-share.js';
import type { Value } from '../../model/state/read.js';
import type { LayoutChange } from '../files/layout-files.js';
import type { RecordControl } from '../recording/recording.js';
import type { Condition, Hold } from './hold-queue.js';
import type { JobChoice } from './jobs.js';

export interface Write {
  readonly path: string;
  /** In the variable's own units. Long lists of numbers in it may be packed, as `packed` in `model/` makes them. */
  readonly value: Value;
  /**
   * Version of the catalog with which `convertFor` made the value; if it is missing or old, the value is converted
   * again.
   */
  readonly catalogVersion?: number;
}

export type Control =
  | { readonly action: 'run' }
  | { readonly action: 'freeze' /** Simulation time in seconds; now when left out. */; readonly atSeconds?: number }
  | { readonly action: 'step'; readonly frames: number }
  /** Whether every frame ends in a pause, and the signal to continue to the next pause. */
  | { readonly action: 'debug-pause'; readonly isOn: boolean }
  | { readonly action: 'debug-signal' }
  | { readonly action: 'stop'; readonly atSeconds?: number }
  | { readonly action: 'terminate'; readonly code: number; readonly reason: string }
  | { readonly action: 'real-time'; readonly enabled: boolean }
  | { readonly action: 'clock-ratio'; readonly ratio: number }
  | { readonly action: 'software-frame'; readonly seconds: number }
  | { readonly action: 'freeze-frame'; readonly seconds: number }
  /** Goes to a time of a source that can be played, in seconds of its own time. */
  | { readonly action: 'seek'; readonly toSeconds: number };

/** What the server alone asks of a run. */
export type ServerControl =
  /**
   * Answered when simulation time has come to `atTics`, or to the next time of an event; the simulation then waits until
   * `let-go` or the next hold of that id, for a client no longer than it can bear. The answer's value is what the conditions
   * are; `over` when an event has no time left; missing when the hold was let go or replaced. Trick: add_read, add_event
   */
  | (Omit<Hold, 'conditions'> & { readonly action: 'hold'; readonly conditions?: readonly Condition[] | undefined })
  | { readonly action: 'let-go'; readonly id: number }
  /** The run ends with exit code 1, unless with another one that is not 0. Trick: UnitTest */
  | { readonly action: 'failed-tests' }
  /** Ends the initialization of a simulation that waits for its input file. */
  | { readonly action: 'start' };

/** A component to make, of a registered type. */
export interface NewComponent {
  readonly alias: string;
  /** The name of a type that clients may make components of. */
  readonly type: string;
  /** Checked like a write; what is left out is zero. */
  readonly initial?: Value;
}

/**
 * Requests that need the ability `spawn`: each happens as a whole or, when refused, not at all. `by`: who asks; the server
 * fills it in.
 */
export type SpawnRequest =
  /** Makes an object; the answer's value is its number. */
  | {
      readonly kind: 'spawn';
      readonly object: string;
      readonly parent?: string;
      readonly components: readonly NewComponent[];
      readonly by?: ClientOrOperator;
    }
  /** Removes an object, and with `isRecursive` all objects below it; other children lose their parent. */
  | { readonly kind: 'despawn'; readonly object: string; readonly isRecursive: boolean }
  | {
      readonly kind: 'insert';
      readonly object: string;
      readonly components: readonly NewComponent[];
      readonly by?: ClientOrOperator;
    }
  | { readonly kind: 'remove'; readonly object: string; readonly aliases: readonly string[] }
  /** Puts an object below another one, or at the top with null. */
  | { readonly kind: 'reparent'; readonly object: string; readonly parent: string | null };

/**
 * Requests for memory that belongs to no component; what is meant is named, or given by its address. `by`: who asks; the
 * server fills it in. A client resizes, names and deletes only what clients of its address have declared.
 */
export type MemoryRequest =
  /**
   * Makes zeroed memory; the answer's value is its address.
   * `declaration`: as in C, such as `double h[3]` or, without a name, `Sensor[2]`; `count`: length of a further dimension.
   */
  | { readonly kind: 'declare'; readonly declaration: string; readonly count?: number; readonly by?: ClientOrOperator }
  /** Makes memory of other extents with the same values; the answer's value is its address. */
  | {
      readonly kind: 'resize';
      readonly what: string | number;
      readonly extents: readonly number[];
      readonly by?: ClientOrOperator;
    }
  /** Gives memory the name of a declaration that fits it; the answer's value is its address. */
  | {
      readonly kind: 'name-memory';
      readonly address: number;
      readonly declaration: string;
      readonly by?: ClientOrOperator;
    }
  | { readonly kind: 'clear-memory'; readonly what: string | number }
  /** The answer's value is the address that is free now. */
  | { readonly kind: 'delete-memory'; readonly what: string | number; readonly by?: ClientOrOperator }
  | AimRequest;

/** Points a pointer somewhere, or each pointer of an array; those that a list leaves out then point at nothing. */
export interface AimRequest {
  readonly kind: 'aim';
  readonly path: string;
  readonly to: AimTarget;
  readonly by?: ClientOrOperator;
}

/** Nothing, declared memory, a variable, or new memory with these values: a target for each that is a pointer itself. */
export type AimTarget =
  | null
  | { readonly address: number }
  | { readonly variable: string }
  | readonly (Value | AimTarget)[];

/** What a client asks of the simulation: a write, a change of mode, a call. */
export type Request =
  | SpawnRequest
  | MemoryRequest
  /** Writes all values or, when one does not fit, none. `rule`: by which they are taken; `whole` when left out. */
  | { readonly kind: 'write'; readonly writes: readonly Write[]; readonly rule?: Rule }
  /** `by`: who asks for another length of frames; the server fills it in. */
  | { readonly kind: 'control'; readonly control: Control | ServerControl; readonly by?: ClientOrOperator }
  | { readonly kind: 'call'; readonly name: string; readonly values: readonly Value[] }
  /**
   * Writes the state, or some of its objects, to a file in the run directory; an empty name means the default name. The
   * answer's value is a `SavedCheckpoint`. `by`: who asks; the server fills it in.
   */
  | {
      readonly kind: 'checkpoint';
      readonly file: string;
      readonly objects?: readonly string[];
      /** Whether the answer's value is the text, one character a byte, and no file is written. */
      readonly isText?: boolean;
      readonly by?: ClientOrOperator;
    }
  /** `text`: what is loaded instead of the file, one character a byte. */
  | { readonly kind: 'load-checkpoint'; readonly file: string; readonly text?: string; readonly by?: ClientOrOperator }
  /** Keeps or removes a layout of the page in the run directory. `by`: who asks; the server fills it in. */
  | (LayoutChange & { readonly kind: 'layout'; readonly by?: ClientOrOperator })
  /**
   * Switches jobs on or off, or sets one's cycle; the answer's value is the cycle of the first chosen job in seconds, and
   * missing when there is none.
   */
  | { readonly kind: 'job'; readonly choice: JobChoice; readonly isOn?: boolean; readonly cycleSeconds?: number }
  /** Calls a job now; the answer's value is whether it returned something other than 0, and missing when there is none. */
  | { readonly kind: 'call-job'; readonly job: string }
  /** Adds, changes, switches, lists or ends recordings. `by`: who asks; the server fills it in. */
  | { readonly kind: 'record'; readonly control: RecordControl; readonly by?: ClientOrOperator }
  /** Switches the log of job times on or off, or sets how many runs of jobs it holds. Trick: frame_log_on */
  | {
      readonly kind: 'frame-log';
      readonly isOn?: boolean;
      readonly mostSamples?: number;
      readonly by?: ClientOrOperator;
    }
  /** Changes nothing; makes a frame now with everything that readers have asked for. */
  | { readonly kind: 'look' }
  /** Only the server sends it: plain data that an overlay shows in its variables. */
  | { readonly kind: 'show'; readonly overlay: string; readonly value: unknown }
  /** Takes snapshots at every multiple of the period, as long as a holder remains. */
  | { readonly kind: 'schedule'; readonly periodTics: number; readonly hold: boolean };

/** What a request did: the first frame that shows it, and the result of a called function. */
export interface Answer {
  readonly frame: number;
  readonly value?: Value;
}

/** A request that could not be carried out; nothing has been changed. */
export class RequestError extends Error {
  override readonly name: string = 'RequestError';
}

/** The simulation does not answer. Requests that it has not begun are dropped. */
export class NoAnswerError extends RequestError {
  override readonly name = 'NoAnswerError';
}

/** A function threw an error. Unlike a refused request, it may have changed something before. */
export class FunctionError extends RequestError {}
