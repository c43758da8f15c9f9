// What is asked of an instance of an FMU, whatever its version.
import type { Family, NumberFamily, Numbers } from './messages.js';

/** What an event has brought. */
export interface EventResult {
  readonly terminates: boolean;
  readonly hasNewStates: boolean;
  /** Undefined when there is none. */
  readonly nextSeconds: number | undefined;
}

export interface StepResult {
  readonly terminates: boolean;
}

/** An instance; every call that fails throws an Error with the name of the function. */
export interface Fmi {
  readonly generation: 2 | 3;
  enterInitialization(startSeconds: number, tolerance: number | undefined): void;
  exitInitialization(): void;
  get(family: NumberFamily, references: Uint32Array, values: Numbers): void;
  getTexts(references: Uint32Array, count: number): string[];
  set(family: Family, references: Uint32Array, values: Numbers | readonly string[]): void;
  /** A step of co-simulation. */
  step(seconds: number, length: number): StepResult;
  enterEventMode(): void;
  /** Updates discrete states until nothing changes. */
  update(): EventResult;
  /** Goes on with steps or continuous time. */
  leaveEventMode(): void;
  setTime(seconds: number): void;
  setStates(states: Float64Array): void;
  getStates(states: Float64Array): void;
  getNominals(nominals: Float64Array): void;
  getRates(rates: Float64Array): void;
  getIndicators(indicators: Float64Array): void;
  /** Whether the model wants an event after an integrator's step. */
  completedStep(): { readonly wantsEvent: boolean; readonly terminates: boolean };
  serialize(): Uint8Array;
  deserialize(bytes: Uint8Array): void;
  terminate(): void;
  free(): void;
}

/** Calls that are less than an error: OK and a warning. */
export const WARNING = 1;
export const DISCARD = 2;

/** An FMU whose call has failed must not be called any more. */
export class FmiError extends Error {
  override readonly name = 'FmiError';
}

/** More rounds mean that the model's discrete states never settle. */
export const MOST_UPDATES = 1000;
