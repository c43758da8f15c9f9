// Explicit Runge-Kutta methods, with a fixed step or with an estimate of the error.
import type { Derivative, Stepper, StepStart, Tolerance } from './stepper.js';
import type { Tableau } from './tableau.js';

export class RungeKutta implements Stepper {
  readonly order: number;
  readonly isAdaptive: boolean;
  private readonly stages: readonly Float64Array[];
  private readonly trial: Float64Array;

  constructor(
    private readonly tableau: Tableau,
    private readonly derivative: Derivative,
    private readonly tolerance: Tolerance,
    size: number,
  ) {
    this.order = tableau.order;
    this.isAdaptive = tableau.errorWeights !== undefined;
    this.stages = tableau.nodes.map(() => new Float64Array(size));
    this.trial = new Float64Array(size);
  }

  step(start: StepStart, stepSeconds: number, next: Float64Array): number {
    const { nodes, stages, weights, errorWeights } = this.tableau;
    const [first] = this.stages as [Float64Array];
    first.set(start.rates);
    for (let stage = 1; stage < nodes.length; stage++) {
      this.combine(start.state, stepSeconds, stages[stage] as readonly number[], this.trial);
      const timeSeconds = start.timeSeconds + (nodes[stage] as number) * stepSeconds;
      this.derivative(timeSeconds, this.trial, this.stages[stage] as Float64Array);
    }
    this.combine(start.state, stepSeconds, weights, next);
    return errorWeights ? this.errorOf(start.state, next, stepSeconds, errorWeights) : 0;
  }

  private combine(state: Float64Array, stepSeconds: number, weights: readonly number[], result: Float64Array): void {
    result.set(state);
    for (let stage = 0; stage < weights.length; stage++) {
      const factor = (weights[stage] as number) * stepSeconds;
      if (factor === 0) continue;
      const rates = this.stages[stage] as Float64Array;
      for (let i = 0; i < result.length; i++) result[i] = (result[i] as number) + factor * (rates[i] as number);
    }
  }

  /** The root mean square of all numbers' errors, each as a multiple of its tolerance. */
  private errorOf(
    before: Float64Array,
    after: Float64Array,
    stepSeconds: number,
    errorWeights: readonly number[],
  ): number {
    const { relative, absolute } = this.tolerance;
    let sum = 0;
    for (let i = 0; i < before.length; i++) {
      let error = 0;
      for (let stage = 0; stage < errorWeights.length; stage++) {
        error += (errorWeights[stage] as number) * ((this.stages[stage] as Float64Array)[i] as number);
      }
      const size = Math.max(Math.abs(before[i] as number), Math.abs(after[i] as number));
      const share = (stepSeconds * error) / (absolute + relative * size);
      sum += share * share;
    }
    return Math.sqrt(sum / before.length);
  }
}
