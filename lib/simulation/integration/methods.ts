// The integration methods by name.
import { Adams } from './adams.js';
import { RungeKutta } from './runge-kutta.js';
import { EulerCromer, NystromLear2 } from './second-order.js';
import type { Derivative, Stepper, Tolerance } from './stepper.js';
import { EULER, MM4, RK2, RK4, RKF45, RKF78, RKG4, type Tableau } from './tableau.js';

type Make = (derivative: Derivative, size: number, tolerance: Tolerance) => Stepper;

const rungeKutta =
  (tableau: Tableau): Make =>
  (derivative, size, tolerance) =>
    new RungeKutta(tableau, derivative, tolerance, size);

const METHODS = {
  euler: rungeKutta(EULER),
  'euler-cromer': () => new EulerCromer(),
  'nystrom-lear-2': (derivative, size) => new NystromLear2(derivative, size),
  rk2: rungeKutta(RK2),
  mm4: rungeKutta(MM4),
  rk4: rungeKutta(RK4),
  rkg4: rungeKutta(RKG4),
  rkf45: rungeKutta(RKF45),
  rkf78: rungeKutta(RKF78),
  abm: (derivative, size) => new Adams(derivative, size),
} as const satisfies Record<string, Make>;

/** `rkf45` and `rkf78` choose their steps by the tolerance; the others make one step of the period. */
export type MethodName = keyof typeof METHODS;

export const METHOD_NAMES = Object.keys(METHODS) as MethodName[];

export const stepperOf = (name: MethodName, derivative: Derivative, size: number, tolerance: Tolerance): Stepper =>
  METHODS[name](derivative, size, tolerance);
