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

/** Whether a function that was on a side of zero (-1, 1; 0 for unknown) has crossed it. */
export function hasCrossed(side: number, value: number, direction: Direction): boolean {
  if (side > 0 && value <= 0) return direction !== 'rising';
  if (side < 0 && value >= 0) return direction !== 'falling';
  return false;
}

/** The first part of a step in which a function crosses zero: its ends, as numbers from 0 to 1, and its values there. */
export interface Bracket {
  readonly from: number;
  readonly fromValue: number;
  readonly to: number;
  readonly toValue: number;
}

/** The parts of a step, from 0 to 1, at which functions are looked at; more of them right after an event. */
export const partsOf = (isFresh: boolean): readonly number[] => (isFresh ? FRESH_PARTS : EQUAL_PARTS);

/**
 * The first part of a step with a crossing; undefined when there is none.
 * @param values of the function at the parts.
 * @param side the side of zero at the start; 0 right after an event, when the first side that shows counts.
 */
export function bracketOf(
  parts: readonly number[],
  values: readonly number[],
  startValue: number,
  side: number,
  direction: Direction,
): Bracket | undefined {
  let [from, fromValue, at] = [0, startValue, side];
  for (const [index, to] of parts.entries()) {
    const toValue = values[index] as number;
    if (hasCrossed(at, toValue, direction)) return { from, fromValue, to, toValue };
    if (toValue !== 0) at = Math.sign(toValue);
    [from, fromValue] = [to, toValue];
  }
  return undefined;
}

/** The most tries: as many as bisection alone needs to come from 1 to the last bit. */
const MOST_TRIES = 100;

/**
 * Narrows a bracket to a resolution. Returns its end behind the crossing, so that the crossing has happened there.
 * By the secant, with a bisection now and then for functions that a secant follows badly.
 */
export function narrow(valueAt: (part: number) => number, bracket: Bracket, resolution: number): number {
  let { from, fromValue, to, toValue } = bracket;
  for (let tries = 0; tries < MOST_TRIES && to - from > resolution && toValue !== 0; tries++) {
    const secant = from - (fromValue * (to - from)) / (toValue - fromValue);
    const isBisection = tries % 3 === 2 || !Number.isFinite(secant);
    const guess = isBisection ? (from + to) / 2 : secant;
    // Kept off the ends, so that a guess that falls on one of them still narrows the bracket from the other side.
    const at = Math.min(to - resolution / 2, Math.max(from + resolution / 2, guess));
    const value = valueAt(at);
    if (Math.sign(value) === Math.sign(fromValue)) [from, fromValue] = [at, value];
    else [to, toValue] = [at, value];
  }
  return to;
}
