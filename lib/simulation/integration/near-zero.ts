// What a function of the state does where it is zero but for round-off.
import type { Working } from './working.js';

type Value = (timeSeconds: number) => number;

/** A state within a step, or at its end. */
export interface ZeroCrossing {
  readonly state: Float64Array;
  readonly atSeconds: number;
  readonly stepSeconds: number;
}

/**
 * How far the state is moved to see how much round-off changes a function, in units of the last place: nearest numbers
 * often share the round-off within the function.
 */
const NUDGE_ULPS = [4, 4, 4, 16, 16, 16, 64, 64, 64, 256, 256, 256];

/** How much round-off of the state and the time changes a function. Leaves a moved state in the views. */
export function roundOffOf(
  value: Value,
  { vector, rates }: Working,
  { state, atSeconds, stepSeconds }: ZeroCrossing,
): number {
  vector.store(state);
  const unmoved = value(atSeconds);
  const nudged = new Float64Array(state.length);
  let largest = 0;
  for (const [nudge, ulps] of NUDGE_ULPS.entries()) {
    // Of the moment itself: events are found to a few units of the last place of the time.
    const late = ulps * Number.EPSILON * (Math.abs(atSeconds) + stepSeconds);
    for (let i = 0; i < state.length; i++) {
      const [at, rate] = [state[i] as number, rates[i] as number];
      nudged[i] = at + signOf(nudge, i + 1) * (ulps * vector.epsilonOf(i) * Math.abs(at) + late * Math.abs(rate));
    }
    vector.store(nudged);
    largest = Math.max(largest, finiteSize(value(atSeconds + signOf(nudge, 0) * late) - unmoved));
  }
  return largest;
}

/** A sign for each number in each of the nudges, without a pattern that a function could share. */
const signOf = (nudge: number, index: number): number =>
  Math.imul(index * NUDGE_ULPS.length + nudge + 1, 0x9e3779b1) < 0 ? -1 : 1;

/** How large a number is, without its sign; 0 for one that is not finite. */
export const finiteSize = (value: number): number => (Math.abs(value) < Number.POSITIVE_INFINITY ? Math.abs(value) : 0);
