// Adams-Bashforth-Moulton of fourth order: it predicts from the rates of earlier steps and corrects once. Trick: ABM_Method
import { RungeKutta } from './runge-kutta.js';
import type { Derivative, Stepper, StepStart } from './stepper.js';
import { RK4 } from './tableau.js';

/** Steps of one length within a trillionth count as equal. */
const SAME_LENGTH = 1e-12;
const NO_TOLERANCE = { relative: 0, absolute: 0 };
/** Rates of steps before the present one. */
const STEPS_BACK = 3;

export class Adams implements Stepper {
  readonly order = 4;
  readonly isAdaptive = false;
  /** Makes the first steps, and the steps after a change of the state from outside. */
  private readonly starter: RungeKutta;
  /** The rates at the beginnings of the latest steps, latest first. */
  private past: Float64Array[] = [];
  private pastStepSeconds = Number.NaN;
  private endSeconds = Number.NaN;
  private readonly end: Float64Array;
  private readonly predicted: Float64Array;
  private readonly rates: Float64Array;

  constructor(
    private readonly derivative: Derivative,
    size: number,
  ) {
    this.starter = new RungeKutta(RK4, derivative, NO_TOLERANCE, size);
    this.end = new Float64Array(size);
    this.predicted = new Float64Array(size);
    this.rates = new Float64Array(size);
  }

  step(start: StepStart, stepSeconds: number, next: Float64Array): number {
    const [f1, f2, f3] = this.past;
    if (!f1 || !f2 || !f3 || !this.continues(start, stepSeconds)) return this.starter.step(start, stepSeconds, next);
    const { state, rates: f0, timeSeconds } = start;
    const { predicted, rates: fp } = this;
    const part = stepSeconds / 24;
    const at = (rates: Float64Array, i: number): number => rates[i] as number;
    for (let i = 0; i < state.length; i++) {
      predicted[i] = at(state, i) + part * (55 * at(f0, i) - 59 * at(f1, i) + 37 * at(f2, i) - 9 * at(f3, i));
    }
    this.derivative(timeSeconds + stepSeconds, predicted, fp);
    for (let i = 0; i < state.length; i++) {
      next[i] = at(state, i) + part * (9 * at(fp, i) + 19 * at(f0, i) - 5 * at(f1, i) + at(f2, i));
    }
    return 0;
  }

  accept(start: StepStart, stepSeconds: number, next: Float64Array): void {
    if (!this.continues(start, stepSeconds)) this.past = [];
    const oldest = this.past.length === STEPS_BACK ? this.past.pop() : undefined;
    const kept = oldest ?? new Float64Array(start.rates.length);
    kept.set(start.rates);
    this.past.unshift(kept);
    this.pastStepSeconds = stepSeconds;
    this.endSeconds = start.timeSeconds + stepSeconds;
    this.end.set(next);
  }

  /** Whether a step begins where the last one ended; otherwise the rates of earlier steps mean nothing. */
  private continues({ timeSeconds, state }: StepStart, stepSeconds: number): boolean {
    const slack = SAME_LENGTH * Math.max(stepSeconds, Math.abs(timeSeconds));
    if (!(Math.abs(stepSeconds - this.pastStepSeconds) <= slack)) return false;
    if (!(Math.abs(timeSeconds - this.endSeconds) <= slack)) return false;
    return state.every((number, i) => number === this.end[i]);
  }
}
