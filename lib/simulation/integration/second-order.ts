// Methods for positions and their velocities: the first half of the state and, in the same order, the second half.
import type { Derivative, Stepper, StepStart } from './stepper.js';

/** Throws a RangeError unless the first half of the rates are the second half of the state, as these methods need. */
function requireVelocities(method: string, { state, rates }: StepStart): void {
  const half = state.length / 2;
  const isVelocity = (i: number): boolean => Object.is((rates[i] as number) + 0, (state[half + i] as number) + 0);
  let isFit = Number.isInteger(half);
  for (let i = 0; isFit && i < half; i++) isFit = isVelocity(i);
  if (isFit) return;
  throw new RangeError(
    `${method} needs positions first and then their velocities: the rate of each position must be its velocity`,
  );
}

/** The velocity first, then the position with the new velocity: the energy of an oscillation stays. Trick: Euler_Cromer */
export class EulerCromer implements Stepper {
  readonly order = 1;
  readonly isAdaptive = false;

  step(start: StepStart, stepSeconds: number, next: Float64Array): number {
    requireVelocities('euler-cromer', start);
    const { state, rates } = start;
    const half = state.length / 2;
    for (let i = half; i < state.length; i++) next[i] = (state[i] as number) + stepSeconds * (rates[i] as number);
    for (let i = 0; i < half; i++) next[i] = (state[i] as number) + stepSeconds * (next[half + i] as number);
    return 0;
  }
}

/** Half a step with the old velocity, the acceleration there, half a step with the new one. Trick: Nystrom_Lear_2 */
export class NystromLear2 implements Stepper {
  readonly order = 2;
  readonly isAdaptive = false;
  private readonly middle: Float64Array;
  private readonly rates: Float64Array;

  constructor(
    private readonly derivative: Derivative,
    size: number,
  ) {
    this.middle = new Float64Array(size);
    this.rates = new Float64Array(size);
  }

  step(start: StepStart, stepSeconds: number, next: Float64Array): number {
    requireVelocities('nystrom-lear-2', start);
    const { state } = start;
    const { middle, rates } = this;
    const half = state.length / 2;
    const halfStep = stepSeconds / 2;
    middle.set(state);
    for (let i = 0; i < half; i++) middle[i] = (state[i] as number) + halfStep * (state[half + i] as number);
    this.derivative(start.timeSeconds + halfStep, middle, rates);
    for (let i = half; i < state.length; i++) next[i] = (state[i] as number) + stepSeconds * (rates[i] as number);
    for (let i = 0; i < half; i++) next[i] = (middle[i] as number) + halfStep * (next[half + i] as number);
    return 0;
  }
}
