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
  /** False where the model has none, because the states have gone too far. */
  getRates(rates: Float64Array): boolean;
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

/** A step that comes to its end in more parts comes to none. */
const MOST_PARTS = 10_000;
/** So little of a step is left for rounding alone. */
const ROUNDING = 1e-12;
/** A step that is refused even when it is this part of the one wanted. */
const SHORTEST_PART = 1e-6;

/**
 * Goes through a step of co-simulation in as many parts as the FMU wants.
 * @param advance makes a part; returns how far it has come. From where it was, it gets half as much.
 */
export function stepInParts(
  seconds: number,
  length: number,
  advance: (atSeconds: number, length: number) => { readonly reached: number; readonly terminates?: boolean },
): StepResult {
  const end = seconds + length;
  let at = seconds;
  let part = length;
  for (let parts = 0; parts < MOST_PARTS; parts++) {
    const { reached, terminates = false } = advance(at, part);
    if (terminates || end - reached <= ROUNDING * Math.max(1, Math.abs(end))) return { terminates };
    part = reached > at ? end - reached : part / 2;
    at = Math.max(at, reached);
    if (part < SHORTEST_PART * length) throw new FmiError(`it refuses every step from ${at} s, however short`);
  }
  throw new FmiError(`a step of ${length} s has not come to its end in ${MOST_PARTS} parts`);
}
