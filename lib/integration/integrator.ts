// Integrates a part of a simulation's state over a period: steps, their errors, events within them.
import { type Bracket, bracketOf, type Direction, hasCrossed, narrow, partsOf } from './crossing.js';
import { type DenseOutput, DenseSampler } from './dense-output.js';
import { Interpolant } from './interpolant.js';
import { METHOD_NAMES, type MethodName, stepperOf } from './methods.js';
import { StateVector } from './state-vector.js';
import { type Derivative, NonFiniteRateError, type Stepper, type StepStart } from './stepper.js';

/** Something that happens when a function of the state crosses zero, at its exact time within a step. */
export interface IntegrationEvent {
  /** The name in sentences. */
  readonly name?: string;
  /** Crosses zero when the event happens; it reads the state from the views. */
  readonly value: (timeSeconds: number) => number;
  /** Which crossings count. Default `either`. */
  readonly direction?: Direction;
  /** Called at the crossing; it may change the state, which is integrated on from there. */
  readonly happen: (timeSeconds: number) => void;
}

/** How a state is integrated. */
export interface IntegratorOptions {
  readonly method: MethodName;
  /** Of `rkf45` and `rkf78`: the largest error of a step, relative to each number. Default 1e-9. */
  readonly tolerance?: number;
  /** The same in each number's own units, for numbers near zero. Default: the value of `tolerance`. */
  readonly absoluteTolerance?: number;
  /** Vectors that keep the length 1, such as quaternions: they are normalized after each step. */
  readonly normalize?: readonly ArrayLike<number>[];
  readonly events?: readonly IntegrationEvent[];
  /** Looks at the state between the ends of the steps. */
  readonly denseOutput?: DenseOutput;
}

const SAFETY = 0.9;
const LARGEST_GROWTH = 5;
const LARGEST_SHRINKAGE = 0.1;
/** A step below this part of the period is refused: the tolerance is out of reach. */
const SMALLEST_PART = 1e-12;
/** More steps in one period would hold up the simulation for good. */
const MOST_STEPS = 100_000;
/** An event that comes this often within one period, such as the last bounces of a ball, never ends. */
const MOST_EVENTS = 1000;

/** The numbers, once the first derivative has shown what is integrated: the start of the present step, and its end. */
interface Working extends StepStart {
  timeSeconds: number;
  readonly vector: StateVector;
  readonly evaluate: Derivative;
  readonly stepper: Stepper;
  readonly next: Float64Array;
  readonly trial: Float64Array;
  readonly normalized: readonly { readonly from: number; readonly length: number }[];
  /** By event: its value at the start of the step. */
  readonly values: number[];
}

/** An event within a step, and where in the step it happens, from 0 to 1. */
interface Found {
  readonly index: number;
  readonly part: number;
}

export class Integrator {
  private working: Working | undefined;
  private readonly events: readonly IntegrationEvent[];
  /** Events that have happened at the start of the present step; they are at zero, on no side of it. */
  private readonly fresh = new Set<number>();
  private lastNonFinite: Error | undefined;
  private readonly sampler: DenseSampler | undefined;

  /**
   * @param state views of floating-point numbers: a structure, a vector, a scalar's cell, or an object or list of them.
   * @param derivative returns rates in the same shape; what it leaves out is not integrated.
   */
  constructor(
    private readonly state: unknown,
    private readonly derivative: (timeSeconds: number) => unknown,
    private readonly options: IntegratorOptions,
  ) {
    this.events = options.events ?? [];
    const { method, tolerance = 1e-9, absoluteTolerance = tolerance, denseOutput } = options;
    this.sampler = denseOutput && new DenseSampler(denseOutput);
    if (!METHOD_NAMES.includes(method)) {
      throw new RangeError(`there is no integration method ${method}; there are ${METHOD_NAMES.join(', ')}`);
    }
    for (const given of [tolerance, absoluteTolerance]) {
      if (!(given > 0 && given < Number.POSITIVE_INFINITY)) {
        throw new RangeError(`a tolerance is a number above 0, not ${given}`);
      }
    }
  }

  /**
   * Integrates from one simulation time to another. On an error the state is what it was after the last accepted step.
   * Throws a RangeError when the tolerance cannot be kept or an event repeats without end, and what the derivative and
   * the events throw.
   */
  advance(fromSeconds: number, toSeconds: number): void {
    this.working ??= this.begin(fromSeconds);
    const { working } = this;
    working.timeSeconds = fromSeconds;
    working.vector.load(working.state);
    try {
      this.settle(working);
      this.run(working, toSeconds);
    } catch (error) {
      working.vector.store(working.state);
      throw error;
    }
  }

  private run(working: Working, toSeconds: number): void {
    const periodSeconds = toSeconds - working.timeSeconds;
    let wanted = periodSeconds;
    let happened = 0;
    for (let steps = 0; working.timeSeconds < toSeconds; steps++) {
      if (steps === MOST_STEPS)
        throw new RangeError(`a period of ${periodSeconds} s needs more than ${MOST_STEPS} steps`);
      const left = toSeconds - working.timeSeconds;
      const length = wanted >= left * (1 - SMALLEST_PART) ? left : wanted;
      const error = this.attempt(working, length);
      if (error > 0) wanted = length * factorOf(error, working.stepper);
      if (error > 1) {
        if (wanted < periodSeconds * SMALLEST_PART) this.giveUp(working);
        continue;
      }
      const found = this.firstEvent(working, length);
      if (found) {
        this.happen(working, found, length);
        if (++happened === MOST_EVENTS) this.tooMany(found, periodSeconds);
        // After an event, the state may need steps of another length.
        wanted = periodSeconds;
      } else this.accept(working, length, length === left ? toSeconds : working.timeSeconds + length);
      if (working.timeSeconds < toSeconds) this.settle(working);
    }
  }

  private begin(timeSeconds: number): Working {
    const vector = new StateVector(this.state, this.derivative(timeSeconds));
    const { method, tolerance = 1e-9, absoluteTolerance = tolerance, normalize = [] } = this.options;
    const { size } = vector;
    const evaluate: Derivative = (at, state, rates) => this.evaluate(vector, at, state, rates);
    const normalized = normalize.map((one) => {
      const place = vector.placeOf(one);
      if (!place) throw new TypeError('a vector to normalize must be one that is integrated');
      return place;
    });
    const numbers = (): Float64Array => new Float64Array(size);
    return {
      timeSeconds,
      vector,
      evaluate,
      normalized,
      stepper: stepperOf(method, evaluate, size, { relative: tolerance, absolute: absoluteTolerance }),
      state: numbers(),
      rates: numbers(),
      next: numbers(),
      trial: numbers(),
      values: this.events.map(() => 0),
    };
  }

  private evaluate(vector: StateVector, timeSeconds: number, state: Float64Array, rates: Float64Array): void {
    vector.store(state);
    vector.ratesOf(this.derivative(timeSeconds), rates);
    for (let i = 0; i < rates.length; i++) {
      if (!Number.isFinite(rates[i])) {
        throw new NonFiniteRateError(`the rate of ${vector.nameOf(i)} is ${rates[i]} at ${timeSeconds} s`);
      }
    }
  }

  /** The rates and the events' values at the start of a step. */
  private settle({ evaluate, timeSeconds, state, rates, values }: Working): void {
    evaluate(timeSeconds, state, rates);
    for (const [index, { value }] of this.events.entries()) values[index] = value(timeSeconds);
  }

  /** Computes the end of a step. @returns its error as a multiple of the tolerance. */
  private attempt(working: Working, stepSeconds: number): number {
    const { stepper, next } = working;
    try {
      const error = stepTo(working, stepSeconds, next);
      return Number.isNaN(error) ? Number.POSITIVE_INFINITY : error;
    } catch (error) {
      // A trial step may reach too far, for example to a place where a force has no value.
      if (!stepper.isAdaptive || !(error instanceof NonFiniteRateError)) throw error;
      this.lastNonFinite = error;
      return Number.POSITIVE_INFINITY;
    }
  }

  private accept(working: Working, stepSeconds: number, endSeconds: number): void {
    const { vector, stepper, state, next } = working;
    this.sample(working, stepSeconds, endSeconds);
    stepper.accept?.(working, stepSeconds, next);
    vector.store(next);
    // A view of single precision rounds what it is given.
    vector.load(state);
    working.timeSeconds = endSeconds;
    this.fresh.clear();
    this.lastNonFinite = undefined;
  }

  private sample(working: Working, seconds: number, endSeconds: number): void {
    const { vector, evaluate, stepper, next: end } = working;
    const { order } = stepper;
    this.sampler?.sample({ start: working, seconds, end, endSeconds, order }, vector, evaluate);
  }

  /** The earliest event within the step, if there is one. */
  private firstEvent(working: Working, stepSeconds: number): Found | undefined {
    if (this.events.length === 0) return undefined;
    const inside = this.insideOf(working, stepSeconds);
    const parts = partsOf(this.fresh.size > 0);
    const seen = this.sampled(parts, inside);
    const resolution = resolutionOf(working.timeSeconds, stepSeconds);
    let first: (Found & { readonly bracket: Bracket }) | undefined;
    for (const [index, { direction = 'either' }] of this.events.entries()) {
      const start = working.values[index] as number;
      const bracket = bracketOf(parts, seen[index] as number[], start, this.sideOf(index, working), direction);
      if (!bracket) continue;
      const part = narrow((at) => inside(at, index), bracket, resolution);
      if (!first || part < first.part) first = { index, part, bracket };
    }
    return first && { index: first.index, part: this.exactly(working, stepSeconds, first) };
  }

  /** The value of an event at a part of the step, by dense output. */
  private insideOf(working: Working, stepSeconds: number): (part: number, index: number) => number {
    const { vector, evaluate, next, trial, stepper, timeSeconds } = working;
    const dense = new Interpolant(working, stepSeconds, next, evaluate, stepper.order);
    let stored = Number.NaN;
    return (part, index) => {
      if (part !== stored) {
        if (part < 1) dense.at(part, trial);
        // The end itself, not its image in the polynomial: the next step begins from there.
        vector.store(part < 1 ? trial : next);
        stored = part;
      }
      return (this.events[index] as IntegrationEvent).value(timeSeconds + part * stepSeconds);
    };
  }

  /** By event, its values at the parts of the step. */
  private sampled(parts: readonly number[], inside: (part: number, index: number) => number): number[][] {
    const seen = this.events.map(() => [] as number[]);
    for (const part of parts) for (const [index, values] of seen.entries()) values.push(inside(part, index));
    return seen;
  }

  /** Where the event happens by the method itself, whose short steps are more exact than a polynomial. */
  private exactly(working: Working, stepSeconds: number, found: Found & { readonly bracket: Bracket }): number {
    const { vector, trial, timeSeconds } = working;
    const { value } = this.events[found.index] as IntegrationEvent;
    const valueAt = (part: number): number => {
      stepTo(working, part * stepSeconds, trial);
      vector.store(trial);
      return value(timeSeconds + part * stepSeconds);
    };
    const { from, to, fromValue, toValue } = found.bracket;
    const ends: Bracket = {
      from,
      fromValue: from === 0 ? fromValue : valueAt(from),
      to,
      toValue: to === 1 ? toValue : valueAt(to),
    };
    if (Math.sign(ends.fromValue) === Math.sign(ends.toValue)) return found.part;
    return narrow(valueAt, ends, resolutionOf(timeSeconds, stepSeconds));
  }

  /** Moves to an event and lets it happen, together with all other events of the same moment. */
  private happen(working: Working, { index, part }: Found, stepSeconds: number): void {
    const { vector, state, next } = working;
    const atSeconds = working.timeSeconds + part * stepSeconds;
    stepTo(working, part * stepSeconds, next);
    this.sample(working, part * stepSeconds, atSeconds);
    vector.store(next);
    const due = [...this.events.entries()].filter(([other, { value, direction = 'either' }]) => {
      return other === index || hasCrossed(this.sideOf(other, working), value(atSeconds), direction);
    });
    // The step stays accepted even if an event throws.
    vector.load(state);
    working.timeSeconds = atSeconds;
    this.fresh.clear();
    for (const [other, { happen }] of due) {
      this.fresh.add(other);
      happen(atSeconds);
    }
    vector.load(state);
  }

  private sideOf(index: number, { values }: Working): number {
    return this.fresh.has(index) ? 0 : Math.sign(values[index] as number);
  }

  private giveUp({ timeSeconds }: Working): never {
    if (this.lastNonFinite) throw this.lastNonFinite;
    const { tolerance = 1e-9 } = this.options;
    throw new RangeError(`the tolerance of ${tolerance} cannot be kept at ${timeSeconds} s: no step is short enough`);
  }

  private tooMany({ index }: Found, periodSeconds: number): never {
    const { name = `number ${index + 1}` } = this.events[index] as IntegrationEvent;
    throw new RangeError(
      `event ${name} has happened ${MOST_EVENTS} times within ${periodSeconds} s; an event that repeats faster and faster needs an end`,
    );
  }
}

/** A step with its vectors normalized. @returns its error as a multiple of the tolerance. */
function stepTo(working: Working, stepSeconds: number, next: Float64Array): number {
  const error = working.stepper.step(working, stepSeconds, next);
  for (const { from, length } of working.normalized) normalize(next.subarray(from, from + length));
  return error;
}

function normalize(vector: Float64Array): void {
  const length = Math.hypot(...vector);
  if (length > 0) for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] as number) / length;
}

/** How much longer or shorter the next step should be. */
const factorOf = (error: number, { order }: Stepper): number =>
  Math.min(LARGEST_GROWTH, Math.max(LARGEST_SHRINKAGE, SAFETY * error ** (-1 / order)));

/** The smallest part of a step that simulation time can tell apart, with some room. */
const resolutionOf = (timeSeconds: number, stepSeconds: number): number =>
  4 * Number.EPSILON * Math.max(1, Math.abs(timeSeconds) / stepSeconds);
