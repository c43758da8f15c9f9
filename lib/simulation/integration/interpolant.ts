// Dense output: the state at any moment within a step, as a polynomial through the step's ends and rates inside it.
import type { Derivative, StepStart } from './stepper.js';

/** The largest number of rates that a polynomial goes through; further ones would cost more than they give. */
const MOST_RATES = 7;
/** Interior moments lie in the first part of the step: in a symmetric arrangement the equations have no solution. */
const INNER_PART = 0.8;

/** What a polynomial of a degree needs: the moments of its rates, from 0 to 1, and its coefficients by its data. */
interface Fit {
  readonly moments: readonly number[];
  /** Row k gives the coefficient of the power k + 1; the last column belongs to the change over the step. */
  readonly rows: readonly (readonly number[])[];
}

const fits = new Map<number, Fit>();

function fitOf(rates: number): Fit {
  const known = fits.get(rates);
  if (known) return known;
  const inner = rates - 2;
  const moments = [0, 1, ...Array.from({ length: inner }, (_, j) => (INNER_PART * (j + 1)) / (inner + 1))];
  const powers = Array.from({ length: rates + 1 }, (_, k) => k + 1);
  const equations = [...moments.map((at) => powers.map((power) => power * at ** (power - 1))), powers.map(() => 1)];
  const fit = { moments, rows: inverseOf(equations) };
  fits.set(rates, fit);
  return fit;
}

/** The inverse of a small, regular matrix, by Gauss and Jordan. */
function inverseOf(matrix: readonly (readonly number[])[]): number[][] {
  const size = matrix.length;
  const rows = matrix.map((row, i) => [...row, ...Array.from({ length: size }, (_, j) => Number(i === j))]);
  const at = (i: number, j: number): number => rows[i]?.[j] as number;
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let i = column; i < size; i++) if (Math.abs(at(i, column)) > Math.abs(at(pivot, column))) pivot = i;
    [rows[column], rows[pivot]] = [rows[pivot] as number[], rows[column] as number[]];
    const divisor = at(column, column);
    rows[column] = (rows[column] as number[]).map((x) => x / divisor);
    for (let i = 0; i < size; i++) {
      const factor = at(i, column);
      if (i !== column) rows[i] = (rows[i] as number[]).map((x, j) => x - factor * at(column, j));
    }
  }
  return rows.map((row) => row.slice(size));
}

export class Interpolant {
  /** Coefficients by power, each for the whole state. */
  private coefficients: Float64Array[] = [];
  private readonly rates: Float64Array[];
  private readonly scratch: Float64Array;

  /**
   * @param order of the method: the polynomial is about as exact as the step itself.
   * @param derivative called a few times: its results inside the step make the polynomial as exact as the step.
   */
  constructor(
    private readonly start: StepStart,
    private readonly stepSeconds: number,
    private readonly end: Float64Array,
    derivative: Derivative,
    order: number,
  ) {
    const size = end.length;
    this.scratch = new Float64Array(size);
    const endRates = new Float64Array(size);
    derivative(start.timeSeconds + stepSeconds, end, endRates);
    this.rates = [start.rates, endRates];
    this.fit(2);
    const wanted = Math.min(MOST_RATES, Math.max(2, order - 1));
    for (let count = 3; count <= wanted; count++) this.improve(count, derivative);
  }

  /** The state at a part of the step, from 0 to 1. */
  at(part: number, result: Float64Array): void {
    const { coefficients } = this;
    const { state } = this.start;
    for (let i = 0; i < result.length; i++) {
      let sum = 0;
      for (let k = coefficients.length - 1; k >= 0; k--)
        sum = part * (sum + ((coefficients[k] as Float64Array)[i] ?? 0));
      result[i] = (state[i] as number) + sum;
    }
  }

  /** A polynomial with one rate more; inner rates are computed anew on the last one, which is more exact each time. */
  private improve(count: number, derivative: Derivative): void {
    const inner = fitOf(count).moments.slice(2);
    const computed = inner.map((moment) => {
      const rates = new Float64Array(this.scratch.length);
      this.at(moment, this.scratch);
      derivative(this.start.timeSeconds + moment * this.stepSeconds, this.scratch, rates);
      return rates;
    });
    this.rates.splice(2, this.rates.length, ...computed);
    this.fit(count);
  }

  private fit(count: number): void {
    const { rows } = fitOf(count);
    const { state } = this.start;
    this.coefficients = rows.map((row) => {
      const coefficient = new Float64Array(state.length);
      for (let i = 0; i < state.length; i++) {
        let sum = (row[count] as number) * ((this.end[i] as number) - (state[i] as number));
        for (let j = 0; j < count; j++) {
          sum += (row[j] as number) * this.stepSeconds * ((this.rates[j] as Float64Array)[i] as number);
        }
        coefficient[i] = sum;
      }
      return coefficient;
    });
  }
}
