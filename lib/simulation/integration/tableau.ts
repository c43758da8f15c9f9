// The coefficients of the explicit Runge-Kutta methods, as they are printed in the literature.

/** A Butcher tableau: stage i is evaluated at `nodes[i]` of the step, with `stages[i]` as weights of earlier stages. */
export interface Tableau {
  readonly order: number;
  readonly nodes: readonly number[];
  readonly stages: readonly (readonly number[])[];
  readonly weights: readonly number[];
  /** Weights of the error estimate, of order `order - 1`; without them the step is fixed. */
  readonly errorWeights?: readonly number[];
}

export const EULER: Tableau = { order: 1, nodes: [0], stages: [[]], weights: [1] };

/** Heun's method. Trick: Runge_Kutta_2 */
export const RK2: Tableau = { order: 2, nodes: [0, 1], stages: [[], [1]], weights: [1 / 2, 1 / 2] };

/** Two half-steps by the midpoint, and the mean with the end that they give. Trick: Modified_Midpoint_4 */
export const MM4: Tableau = {
  order: 2,
  nodes: [0, 1 / 2, 1],
  stages: [[], [1 / 2], [0, 1]],
  weights: [1 / 4, 1 / 2, 1 / 4],
};

/** The classical method of fourth order. Trick: Runge_Kutta_4 */
export const RK4: Tableau = {
  order: 4,
  nodes: [0, 1 / 2, 1 / 2, 1],
  stages: [[], [1 / 2], [0, 1 / 2], [0, 0, 1]],
  weights: [1 / 6, 1 / 3, 1 / 3, 1 / 6],
};

const { SQRT2 } = Math;

/** Gill's method of fourth order. Trick: Runge_Kutta_Gill_4 */
export const RKG4: Tableau = {
  order: 4,
  nodes: [0, 1 / 2, 1 / 2, 1],
  stages: [[], [1 / 2], [(SQRT2 - 1) / 2, (2 - SQRT2) / 2], [0, -SQRT2 / 2, 1 + SQRT2 / 2]],
  weights: [1 / 6, (2 - SQRT2) / 6, (2 + SQRT2) / 6, 1 / 6],
};

const difference = (of: readonly number[], and: readonly number[]): number[] =>
  of.map((weight, stage) => weight - (and[stage] as number));

const RKF45_FIFTH = [16 / 135, 0, 6656 / 12825, 28561 / 56430, -9 / 50, 2 / 55];
const RKF45_FOURTH = [25 / 216, 0, 1408 / 2565, 2197 / 4104, -1 / 5, 0];

/** Fehlberg, NASA TR R-315 (1969); the fifth-order result is kept. Trick: Runge_Kutta_Fehlberg_45 */
export const RKF45: Tableau = {
  order: 5,
  nodes: [0, 1 / 4, 3 / 8, 12 / 13, 1, 1 / 2],
  stages: [
    [],
    [1 / 4],
    [3 / 32, 9 / 32],
    [1932 / 2197, -7200 / 2197, 7296 / 2197],
    [439 / 216, -8, 3680 / 513, -845 / 4104],
    [-8 / 27, 2, -3544 / 2565, 1859 / 4104, -11 / 40],
  ],
  weights: RKF45_FIFTH,
  errorWeights: difference(RKF45_FIFTH, RKF45_FOURTH),
};

/** Fehlberg, NASA TR R-287 (1968); the eighth-order result is kept. Trick: Runge_Kutta_Fehlberg_78 */
export const RKF78: Tableau = {
  order: 8,
  nodes: [0, 2 / 27, 1 / 9, 1 / 6, 5 / 12, 1 / 2, 5 / 6, 1 / 6, 2 / 3, 1 / 3, 1, 0, 1],
  stages: [
    [],
    [2 / 27],
    [1 / 36, 1 / 12],
    [1 / 24, 0, 1 / 8],
    [5 / 12, 0, -25 / 16, 25 / 16],
    [1 / 20, 0, 0, 1 / 4, 1 / 5],
    [-25 / 108, 0, 0, 125 / 108, -65 / 27, 125 / 54],
    [31 / 300, 0, 0, 0, 61 / 225, -2 / 9, 13 / 900],
    [2, 0, 0, -53 / 6, 704 / 45, -107 / 9, 67 / 90, 3],
    [-91 / 108, 0, 0, 23 / 108, -976 / 135, 311 / 54, -19 / 60, 17 / 6, -1 / 12],
    [2383 / 4100, 0, 0, -341 / 164, 4496 / 1025, -301 / 82, 2133 / 4100, 45 / 82, 45 / 164, 18 / 41],
    [3 / 205, 0, 0, 0, 0, -6 / 41, -3 / 205, -3 / 41, 3 / 41, 6 / 41, 0],
    [-1777 / 4100, 0, 0, -341 / 164, 4496 / 1025, -289 / 82, 2193 / 4100, 51 / 82, 33 / 164, 12 / 41, 0, 1],
  ],
  weights: [0, 0, 0, 0, 0, 34 / 105, 9 / 35, 9 / 35, 9 / 280, 9 / 280, 0, 41 / 840, 41 / 840],
  errorWeights: [-41 / 840, 0, 0, 0, 0, 0, 0, 0, 0, 0, -41 / 840, 41 / 840, 41 / 840],
};
