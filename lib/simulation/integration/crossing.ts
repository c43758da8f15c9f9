// Moments within a step at which a function of the state crosses zero.

/** Into how many parts a step is divided to look for crossings: two within one part are not seen. */
const PARTS = 8;
const EQUAL_PARTS = Array.from({ length: PARTS }, (_, index) => (index + 1) / PARTS);
/**
 * Right after an event the function may cross zero again very soon, as the height of a ball that hardly bounces any
 * more.
 */
const FRESH_PARTS = [...Array.from({ length: 40 }, (_, index) => 2 ** (index - 40) / PARTS), ...EQUAL_PARTS];

export type Direction = 'falling' | 'rising' | 'either';

/** The parts of a step, from 0 to 1, at which functions are looked at; more of them right after an event. */
export const partsOf = (isFresh: boolean): readonly number[] => (isFresh ? FRESH_PARTS : EQUAL_PARTS);

/** The side of zero on which a function is, and how near to zero its values do not tell. */
export class Side {
  /**
   * @param sign -1 or 1; 0 for unknown, when the first side that shows is no crossing.
   * @param noise after a crossing, the size of what round-off makes of zero, until a value is larger.
   */
  constructor(
    public sign = 0,
    public noise = 0,
  ) {}

  copy(): Side {
    return new Side(this.sign, this.noise);
  }

  /** Takes the side of a value, unless that is too near to zero. */
  settle(value: number): void {
    if (!(Math.abs(value) > this.noise)) return;
    this.sign = Math.sign(value);
    this.noise = 0;
  }

  /** The side that a value has crossed to or has touched zero from; 0 when it has done neither. */
  crossedTo(value: number): number {
    const isBeyond = this.noise > 0 ? Math.abs(value) > this.noise : true;
    return isBeyond && value * this.sign <= 0 ? -this.sign : 0;
  }
}

/** Whether a crossing to a side counts. */
export const isAsked = (direction: Direction = 'either', to: number): boolean =>
  direction === 'either' || (direction === 'rising') === to > 0;

/** The first part of a step in which a function crosses zero: its ends, as numbers from 0 to 1, and its values there. */
export interface Bracket {
  readonly from: number;
  readonly fromValue: number;
  readonly to: number;
  readonly toValue: number;
  /** The side behind the crossing. */
  readonly sign: number;
}

/** A function at the start of a step. */
interface Start {
  readonly event: { readonly direction?: Direction };
  readonly startValue: number;
  /** Where it is at the start; it ends where the function is at the end of the step, or before the crossing. */
  readonly endSide: Side;
}

/**
 * The first part of a step with a crossing of the asked direction; undefined when there is none.
 * @param values of the function at the parts.
 * @param noiseAt the size of round-off at a part.
 */
export function bracketOf(
  parts: readonly number[],
  values: readonly number[],
  { event, startValue, endSide }: Start,
  noiseAt: (part: number) => number,
): Bracket | undefined {
  let [from, fromValue] = [0, startValue];
  for (const [index, to] of parts.entries()) {
    const toValue = values[index] as number;
    const sign = endSide.crossedTo(toValue);
    if (sign !== 0 && isAsked(event.direction, sign)) return { from, fromValue, to, toValue, sign };
    if (sign !== 0) Object.assign(endSide, { sign, noise: noiseAt(to) });
    endSide.settle(toValue);
    [from, fromValue] = [to, toValue];
  }
  return undefined;
}

/** The most tries: every second one halves the bracket, so that it comes to the last bit. */
const MOST_TRIES = 110;

/**
 * Narrows a bracket to a resolution. Returns its end behind the crossing, so that the crossing has happened there.
 * By the secant, with bisections between for functions that a secant follows badly.
 */
export function narrow(valueAt: (part: number) => number, bracket: Bracket, resolution: number): number {
  let { from, fromValue, to, toValue } = bracket;
  for (let tries = 0; tries < MOST_TRIES && to - from > resolution; tries++) {
    const secant = from - (fromValue * (to - from)) / (toValue - fromValue);
    const isBisection = tries % 2 === 1 || toValue === 0 || !Number.isFinite(secant);
    const guess = isBisection ? (from + to) / 2 : secant;
    // Kept off the ends, so that a guess that falls on one of them still narrows the bracket from the other side.
    const at = Math.min(to - resolution / 2, Math.max(from + resolution / 2, guess));
    const value = valueAt(at);
    if (value * bracket.sign < 0) [from, fromValue] = [at, value];
    else [to, toValue] = [at, value];
  }
  return to;
}
