// What is integrated, once the first derivative has shown it: the start of the present step, and its end.
import type { StateVector } from './state-vector.js';
import type { Derivative, Stepper, StepStart } from './stepper.js';

export interface Working extends StepStart {
  timeSeconds: number;
  readonly vector: StateVector;
  readonly evaluate: Derivative;
  readonly stepper: Stepper;
  /** The end of the present step. */
  readonly next: Float64Array;
  /** A state within it. */
  readonly trial: Float64Array;
  readonly normalized: readonly { readonly from: number; readonly length: number }[];
}

/** A step with its vectors normalized. @returns its error as a multiple of the tolerance. */
export function stepTo(working: Working, stepSeconds: number, next: Float64Array): number {
  const error = working.stepper.step(working, stepSeconds, next);
  normalize(working, next);
  return error;
}

/** Brings the vectors of a state that keep the length 1 to it. */
export function normalize({ normalized }: Working, state: Float64Array): void {
  for (const { from, length } of normalized) {
    const vector = state.subarray(from, from + length);
    const size = Math.hypot(...vector);
    if (size > 0) for (let i = 0; i < length; i++) vector[i] = (vector[i] as number) / size;
  }
}
