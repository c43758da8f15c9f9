// The points of curves, each with times of its own: as a chart draws them, and the value at a time.
import uPlot from 'uplot';
import type { DrawnPoints } from '../plot/chart-plan.js';
import { plottable } from '../values/value-text.js';
import type { CurveData } from './curves.js';

const numberAt = (value: unknown): number | null => {
  const number = plottable(value as never);
  return Number.isFinite(number) ? number : null;
};

/** One list of times for all; where a curve has no row of its own, it goes on as it is. */
export function joinedPoints(all: readonly CurveData[]): DrawnPoints {
  const tables = all.map(({ times = [], values = [] }): [number[], (number | null)[]] => [
    [...times],
    values.map(numberAt),
  ]);
  const [first] = tables;
  if (!first) return { times: [], columns: [] };
  const isOne = tables.every(([times]) => isSame(times, first[0]));
  if (isOne) return { times: first[0], columns: tables.map(([, values]) => values) };
  const [times = [], ...columns] = uPlot.join(
    tables,
    tables.map(() => [0, 2]) as uPlot.JoinNullMode[][],
  ) as unknown as [number[], ...(number | null | undefined)[][]];
  return { times, columns };
}

const isSame = (one: readonly number[], other: readonly number[]): boolean =>
  one === other || (one.length === other.length && one.every((time, k) => time === other[k]));

/** The first index whose time is later. */
function after(times: readonly number[], seconds: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) > seconds) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The value of the row at a time, or of the nearest; of one that holds, the one before. Undefined outside of the curve. */
export function valueNear(
  { times = [], values = [], is_held, from, to }: CurveData,
  seconds: number,
): number | undefined {
  if (times.length === 0 || seconds < (from ?? Number.NEGATIVE_INFINITY) || (seconds > (to ?? 0) && !is_held))
    return undefined;
  const next = after(times, seconds);
  const before = Math.max(next - 1, 0);
  const isNextNearer =
    next < times.length && (times[next] as number) - seconds < seconds - (times[before] as number) && is_held !== true;
  return plottable(values[isNextNearer ? next : before] as never);
}

/** The time of the next row of a curve, forwards or back. */
export function nextTime({ times = [] }: CurveData, seconds: number, step: -1 | 1): number | undefined {
  if (step === 1) return times[after(times, seconds)];
  let at = after(times, seconds) - 1;
  while (at >= 0 && (times[at] as number) >= seconds) at--;
  return times[at];
}

/** The greatest distance from 0, and when; undefined without numbers. */
export function largest({
  times = [],
  values = [],
}: CurveData): { readonly value: number; readonly seconds: number } | undefined {
  let found: { value: number; seconds: number } | undefined;
  for (const [k, each] of values.entries()) {
    const value = numberAt(each);
    if (value !== null && Math.abs(value) > Math.abs(found?.value ?? -1))
      found = { value, seconds: times[k] as number };
    found ??= value === null ? undefined : { value, seconds: times[k] as number };
  }
  return found;
}
