// Fewer points of a stretch of time: the least and the greatest of each part of it, so that every peak is seen.
import type { PastPoints, Points } from './points.js';

/** Keeps the least, the greatest and the first NaN of each of equal stretches of time, and the first and last of all. */
export function thinned(all: PastPoints, most: number): PastPoints {
  const { times, values } = all;
  const count = times.length;
  if (count <= most) return all;
  const [start, end] = [times[0] as number, times[count - 1] as number];
  const stretches = Math.max(1, Math.floor((most - 2) / (values.some(Number.isNaN) ? 3 : 2)));
  const stretchOf = (index: number): number =>
    Math.min(stretches - 1, Math.floor((stretches * ((times[index] as number) - start)) / (end - start || 1)));
  const kept: Points = { times: [], values: [] };
  for (let first = 0; first < count; ) {
    const stretch = stretchOf(first);
    let next = first + 1;
    while (next < count && stretchOf(next) === stretch) next++;
    const { least, greatest, hole } = chosenOf(values as number[], first, next);
    const chosen = new Set([least, greatest]);
    // With few points there is room for the extremes alone.
    if (most >= 5 && hole !== undefined) chosen.add(hole);
    if (most >= 4) for (const edge of [0, count - 1]) if (edge >= first && edge < next) chosen.add(edge);
    for (const index of [...chosen].sort((one, other) => one - other)) {
      kept.times.push(times[index] as number);
      kept.values.push(values[index] as number);
    }
    first = next;
  }
  return { ...kept, stretchSeconds: Math.max(all.stretchSeconds, (end - start) / stretches) };
}

/** Where the least, the greatest and the first NaN stand from one index up to another. */
function chosenOf(
  values: readonly number[],
  first: number,
  next: number,
): { least: number; greatest: number; hole: number | undefined } {
  let [least, greatest, hole] = [first, first, undefined as number | undefined];
  for (let index = first; index < next; index++) {
    const [value, low, high] = [values[index], values[least], values[greatest]] as [number, number, number];
    if (Number.isNaN(value)) hole ??= index;
    if (value < low || Number.isNaN(low)) least = index;
    if (value > high || Number.isNaN(high)) greatest = index;
  }
  return { least, greatest, hole };
}

/** Adds times without a value. */
export function withGaps(points: PastPoints, gaps: readonly number[]): PastPoints {
  if (gaps.length === 0) return points;
  const merged = { times: [] as number[], values: [] as (number | null)[], stretchSeconds: points.stretchSeconds };
  let next = 0;
  const addUpTo = (time: number): void => {
    for (; next < points.times.length && (points.times[next] as number) < time; next++) {
      merged.times.push(points.times[next] as number);
      merged.values.push(points.values[next] as number);
    }
  };
  for (const gap of gaps) {
    addUpTo(gap);
    merged.times.push(gap);
    merged.values.push(null);
  }
  addUpTo(Number.POSITIVE_INFINITY);
  return merged;
}
