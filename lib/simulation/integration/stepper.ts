// What an integration method is to the integrator: it makes one step at a time.

/**
 * Computes the rates of a state at a time. Throws a NonFiniteRateError for a rate that is not a finite number.
 * @param timeSeconds simulation time.
 */
export type Derivative = (timeSeconds: number, state: Float64Array, rates: Float64Array) => void;

/** How large an error of a step may be, for each number of the state. */
export interface Tolerance {
  /** Times the number's size. */
  readonly relative: number;
  /** In the number's own units. */
  readonly absolute: number;
}

/** The start of a step. */
export interface StepStart {
  readonly timeSeconds: number;
  readonly state: Float64Array;
  /** The rates of that state at that time. */
  readonly rates: Float64Array;
}

export interface Stepper {
  /** The order of the result: halving the step divides the error over a fixed time by 2 to this power. */
  readonly order: number;
  /** Whether `step` estimates its error, so that the step can be chosen by it. */
  readonly isAdaptive: boolean;
  /**
   * Computes the state `stepSeconds` later.
   * @param next gets the new state.
   * @returns the estimated error as a multiple of the tolerance; 0 for a method with a fixed step.
   */
  step(start: StepStart, stepSeconds: number, next: Float64Array): number;
  /** Called with an accepted step, for methods that remember earlier ones. */
  accept?(start: StepStart, stepSeconds: number, next: Float64Array): void;
}

/** The derivative gave something that is not a finite number. */
export class NonFiniteRateError extends Error {
  override readonly name = 'NonFiniteRateError';
}
