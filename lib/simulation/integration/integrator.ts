// Integrates a part of a simulation's state over a period: steps, their errors, events within them.
import { isThrown } from '../../model/state/thrown.js';
import { type DenseOutput, DenseSampler } from './dense-output.js';
import { EventFinder, type FoundEvent, type IntegrationEvent } from './event-finder.js';
import { METHOD_NAMES, type MethodName, stepperOf } from './methods.js';
import { StateVector } from './state-vector.js';
import { type Derivative, NonFiniteRateError, type Stepper } from './stepper.js';
import { stepTo, type Working } from './working.js';

export type { IntegrationEvent } from './event-finder.js';

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

export class Integrator {
  private working: Working | undefined;
  private readonly events: EventFinder;
  private lastNonFinite: Error | undefined;
  private readonly sampler: DenseSampler | undefined;

  /**
   * @param state views of floating-point numbers: a structure, a vector, a scalar's cell, or an object or list of them.
   * @param derivative returns rates in the same shape; what it leaves out is not integrated.
   * @param accepted called after each step without an event; it may change the state.
   */
  constructor(
    private readonly state: unknown,
    private readonly derivative: (timeSeconds: number) => unknown,
    private readonly options: IntegratorOptions,
    private readonly accepted?: (timeSeconds: number) => void,
  ) {
    this.events = new EventFinder(options.events ?? []);
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

  /** What it knows of its events, as numbers of a fixed count, which make it go on from a saved state as before. */
  get memory(): readonly number[] {
    return this.events.memory;
  }
  set memory(numbers: readonly number[]) {
    this.events.memory = numbers;
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
      const found = this.events.first(working, length);
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
  private settle(working: Working): void {
    const { evaluate, timeSeconds, state, rates } = working;
    evaluate(timeSeconds, state, rates);
    this.events.settle(working);
  }

  /** Computes the end of a step. @returns its error as a multiple of the tolerance. */
  private attempt(working: Working, stepSeconds: number): number {
    const { stepper, next } = working;
    try {
      const error = stepTo(working, stepSeconds, next);
      return Number.isNaN(error) ? Number.POSITIVE_INFINITY : error;
    } catch (error) {
      // A trial step may reach too far, for example to a place where a force has no value.
      if (!stepper.isAdaptive || !isThrown(error, NonFiniteRateError)) throw error;
      this.lastNonFinite = error;
      return Number.POSITIVE_INFINITY;
    }
  }

  private accept(working: Working, stepSeconds: number, endSeconds: number): void {
    const { vector, stepper, state, next } = working;
    this.sample(working, stepSeconds, endSeconds);
    stepper.accept?.(working, stepSeconds, next);
    vector.store(next);
    this.accepted?.(endSeconds);
    // A view of single precision rounds what it is given.
    vector.load(state);
    working.timeSeconds = endSeconds;
    this.events.passed();
    this.lastNonFinite = undefined;
  }

  private sample(working: Working, seconds: number, endSeconds: number): void {
    const { vector, evaluate, stepper, next: end } = working;
    const { order } = stepper;
    this.sampler?.sample({ start: working, seconds, end, endSeconds, order }, vector, evaluate);
  }

  /** Moves to an event and lets it happen, together with all other events of the same moment. */
  private happen(working: Working, found: FoundEvent, stepSeconds: number): void {
    const { vector, state, next } = working;
    const atSeconds = working.timeSeconds + found.part * stepSeconds;
    found.stateOf(next);
    this.sample(working, found.part * stepSeconds, atSeconds);
    vector.store(next);
    const due = this.events.together(working, { state: next, atSeconds, stepSeconds });
    // The step stays accepted even if an event throws.
    vector.load(state);
    working.timeSeconds = atSeconds;
    for (const { happen } of due) happen(atSeconds);
    vector.load(state);
  }

  private giveUp({ timeSeconds }: Working): never {
    if (this.lastNonFinite) throw this.lastNonFinite;
    const { tolerance = 1e-9 } = this.options;
    throw new RangeError(`the tolerance of ${tolerance} cannot be kept at ${timeSeconds} s: no step is short enough`);
  }

  private tooMany({ event }: FoundEvent, periodSeconds: number): never {
    const { name = `number ${(this.options.events ?? []).indexOf(event) + 1}` } = event;
    throw new RangeError(
      `event ${name} has happened ${MOST_EVENTS} times within ${periodSeconds} s; an event that repeats faster and faster needs an end`,
    );
  }
}

/** How much longer or shorter the next step should be. */
const factorOf = (error: number, { order }: Stepper): number =>
  Math.min(LARGEST_GROWTH, Math.max(LARGEST_SHRINKAGE, SAFETY * error ** (-1 / order)));
