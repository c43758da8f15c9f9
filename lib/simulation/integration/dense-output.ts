// The state at moments of its own, between the ends of the steps.
import { requireOptions } from '../../model/state/option-names.js';
import { Interpolant } from './interpolant.js';
import type { StateVector } from './state-vector.js';
import type { Derivative, StepStart } from './stepper.js';

/** Looks at the state at every multiple of a period, however long the steps are. */
export interface DenseOutput {
  /** Seconds of simulation time from one look to the next. */
  readonly periodSeconds: number;
  /** Called in the order of time with the state of that moment in the views; what it changes there is not kept. */
  readonly take: (timeSeconds: number) => void;
}

/** A moment closer to the end of a step than this part of the period counts as the end. */
const SAME = 1e-9;
/** More looks in one step would hold up the simulation for good. */
const MOST_LOOKS = 100_000;

/** An accepted step. */
interface Step {
  readonly start: StepStart;
  readonly seconds: number;
  readonly end: Float64Array;
  readonly endSeconds: number;
  /** The order of the method. */
  readonly order: number;
}

export class DenseSampler {
  private trial = new Float64Array(0);

  /** Throws a RangeError for a period that is not a positive time, and for an option that does not exist. */
  constructor(private readonly output: DenseOutput) {
    requireOptions('dense output', output, ['periodSeconds', 'take']);
    const { periodSeconds } = output;
    if (!(periodSeconds > 0 && Number.isFinite(periodSeconds)))
      throw new RangeError(`dense output needs a period in seconds above 0, not ${periodSeconds}`);
  }

  /**
   * Calls `take` for each moment within the step, its end included. Leaves some state of the step in the views. Throws
   * a RangeError when there are too many moments.
   */
  sample({ start, seconds, end, endSeconds, order }: Step, vector: StateVector, derivative: Derivative): void {
    const { periodSeconds, take } = this.output;
    const first = Math.floor(start.timeSeconds / periodSeconds + SAME) + 1;
    const last = Math.floor(endSeconds / periodSeconds + SAME);
    if (last - first >= MOST_LOOKS)
      throw new RangeError(`a step of ${seconds} s has more than ${MOST_LOOKS} dense outputs`);
    if (this.trial.length !== end.length) this.trial = new Float64Array(end.length);
    let dense: Interpolant | undefined;
    for (let look = first; look <= last; look++) {
      const timeSeconds = look * periodSeconds;
      if (timeSeconds >= endSeconds - SAME * periodSeconds) vector.store(end);
      else {
        dense ??= new Interpolant(start, seconds, end, derivative, order);
        dense.at((timeSeconds - start.timeSeconds) / seconds, this.trial);
        vector.store(this.trial);
      }
      take(timeSeconds);
    }
  }
}
