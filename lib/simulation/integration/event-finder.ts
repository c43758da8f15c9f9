// Finds where the events of an integrator happen within a step; knows on which side of zero their functions are.
import { type Bracket, bracketOf, type Direction, isAsked, narrow, partsOf, Side } from './crossing.js';
import { Interpolant } from './interpolant.js';
import { finiteSize, roundOffOf, type ZeroCrossing } from './near-zero.js';
import { normalize, stepTo, type Working } from './working.js';

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

/** An event within a step. */
export interface FoundEvent {
  readonly event: IntegrationEvent;
  /** Where in the step it happens, from 0 to 1. */
  readonly part: number;
  /** Computes the state of that moment. */
  readonly stateOf: (result: Float64Array) => void;
}

interface Watched {
  readonly event: IntegrationEvent;
  /** At the start of the present step. */
  side: Side;
  startValue: number;
  hasHappened: boolean;
  /** At the end of the present step, or just before the first event in it. */
  endSide: Side;
  /** The side to which it crosses in the part of the step with the first event, otherwise 0. */
  next: number;
  /** The largest value so far, without its sign. */
  scale: number;
}

/** A bracket that has been narrowed by the polynomial. */
interface Narrowed {
  readonly watched: Watched;
  readonly bracket: Bracket;
  readonly part: number;
}

/** A step as its events see it, by dense output. */
interface Inside {
  stateAt(part: number): Float64Array;
  valueAt(part: number, watched: Watched): number;
  noiseAt(part: number, watched: Watched): number;
}

/** How many times larger the round-off from moment to moment may be than what shows at one. */
const NOISE_MARGIN = 16;

export class EventFinder {
  private readonly all: readonly Watched[];

  constructor(events: readonly IntegrationEvent[]) {
    this.all = events.map((event) => {
      return { event, side: new Side(), startValue: 0, hasHappened: false, endSide: new Side(), next: 0, scale: 0 };
    });
  }

  /** What it knows besides the values of the functions, as numbers: with them it goes on from a saved state as before. */
  get memory(): number[] {
    return this.all.flatMap(({ side: { sign, noise }, scale, hasHappened }) => [sign, noise, scale, +hasHappened]);
  }
  set memory(numbers: readonly number[]) {
    for (const [index, watched] of this.all.entries()) {
      const [sign = 0, noise = 0, scale = 0, hasHappened = 0] = numbers.slice(4 * index);
      watched.side = new Side(sign, noise);
      watched.scale = scale;
      watched.hasHappened = hasHappened !== 0;
    }
  }

  /** Looks at the functions at the start of a step; a jump there is no crossing. The views hold its state. */
  settle({ timeSeconds }: Working): void {
    for (const watched of this.all) {
      watched.startValue = watched.event.value(timeSeconds);
      watched.scale = Math.max(watched.scale, finiteSize(watched.startValue));
      watched.side.settle(watched.startValue);
    }
  }

  /** The earliest event within the step, if there is one. */
  first(working: Working, stepSeconds: number): FoundEvent | undefined {
    if (this.all.length === 0) return undefined;
    const inside = insideOf(working, stepSeconds);
    const parts = partsOf(this.all.some(({ hasHappened }) => hasHappened));
    const seen = new Map(this.all.map((watched) => [watched, [] as number[]]));
    for (const part of parts) for (const [watched, values] of seen) values.push(inside.valueAt(part, watched));
    const walk = (watched: Watched, values: readonly number[], until: number): Bracket | undefined => {
      watched.endSide = watched.side.copy();
      const walked = parts.filter((part) => part <= until);
      return bracketOf(walked, values, watched, (part) => inside.noiseAt(part, watched));
    };
    const resolution = resolutionOf(working.timeSeconds, stepSeconds);
    let first: Narrowed | undefined;
    for (const [watched, values] of seen) {
      const bracket = walk(watched, values, 1);
      const part = bracket ? narrow((at) => inside.valueAt(at, watched), bracket, resolution) : 2;
      if (bracket && !(first && part >= first.part)) first = { watched, part, bracket };
    }
    if (!first) return undefined;
    for (const [watched, values] of seen) {
      walk(watched, values, first.bracket.from);
      watched.next = watched.endSide.crossedTo(values[parts.indexOf(first.bracket.to)] as number);
    }
    return exactly(working, stepSeconds, first, inside);
  }

  /** The step was accepted, without an event. */
  passed(): void {
    for (const watched of this.all) {
      watched.side = watched.endSide;
      watched.hasHappened = false;
    }
  }

  /** The events of the moment of the first one, in their order. The views hold its state. */
  together(working: Working, moment: ZeroCrossing): IntegrationEvent[] {
    for (const watched of this.all) {
      const { event, endSide, next } = watched;
      const value = event.value(moment.atSeconds);
      const to = next !== 0 && value * next >= 0 ? next : endSide.crossedTo(value);
      watched.hasHappened = to !== 0 && isAsked(event.direction, to);
      watched.side = to === 0 ? endSide : sideAfter(watched, to, noiseOf(watched, working, moment));
      working.vector.store(moment.state);
    }
    return this.all.filter(({ hasHappened }) => hasHappened).map(({ event }) => event);
  }
}

/** An event of both directions happens once when its function turns back from zero; the others take one of the ways. */
const sideAfter = ({ event }: Watched, to: number, noise: number): Side =>
  new Side((event.direction ?? 'either') === 'either' ? 0 : to, noise);

/** The size of what round-off makes of zero; above 0, so that no function that stays at zero crosses it again. */
function noiseOf({ event, scale }: Watched, working: Working, moment: ZeroCrossing): number {
  const noise = NOISE_MARGIN * Math.max(roundOffOf(event.value, working, moment), Number.EPSILON * scale);
  // A steep function jumps from side to side.
  return Math.min(noise, scale / 2) || Number.MIN_VALUE;
}

function insideOf(working: Working, stepSeconds: number): Inside {
  const { vector, evaluate, next, trial, stepper, timeSeconds } = working;
  const dense = new Interpolant(working, stepSeconds, next, evaluate, stepper.order);
  let stored = Number.NaN;
  const stateAt = (part: number): Float64Array => {
    // The end itself, not its image in the polynomial: the next step begins from there.
    if (part === 1) return next;
    dense.at(part, trial);
    normalize(working, trial);
    return trial;
  };
  return {
    stateAt,
    valueAt: (part, watched) => {
      if (part !== stored) vector.store(stateAt(part));
      stored = part;
      const value = watched.event.value(timeSeconds + part * stepSeconds);
      watched.scale = Math.max(watched.scale, finiteSize(value));
      return value;
    },
    noiseAt: (part, watched) => {
      stored = Number.NaN;
      return noiseOf(watched, working, {
        state: stateAt(part),
        atSeconds: timeSeconds + part * stepSeconds,
        stepSeconds,
      });
    },
  };
}

/** Where the event happens by the method itself, whose short steps are more exact than a polynomial. */
function exactly(
  working: Working,
  stepSeconds: number,
  { watched: { event }, bracket, part }: Narrowed,
  inside: Inside,
): FoundEvent {
  const { vector, trial, timeSeconds } = working;
  const valueAt = (at: number): number => {
    stepTo(working, at * stepSeconds, trial);
    vector.store(trial);
    return event.value(timeSeconds + at * stepSeconds);
  };
  const { from, to, sign } = bracket;
  const fromValue = from === 0 ? bracket.fromValue : valueAt(from);
  const toValue = to === 1 ? bracket.toValue : valueAt(to);
  const isBetween = (from === 0 || fromValue * sign < 0) && toValue * sign >= 0;
  // Where the method's own steps do not cross zero, the polynomial has.
  if (!isBetween) return { event, part, stateOf: (result) => result.set(inside.stateAt(part)) };
  const exact = narrow(valueAt, { from, fromValue, to, toValue, sign }, resolutionOf(timeSeconds, stepSeconds));
  return { event, part: exact, stateOf: (result) => void stepTo(working, exact * stepSeconds, result) };
}

/** The smallest part of a step that simulation time can tell apart, with some room. */
const resolutionOf = (timeSeconds: number, stepSeconds: number): number =>
  4 * Number.EPSILON * Math.max(1, Math.abs(timeSeconds) / stepSeconds);
