// Which stretch of time the plots of runs show: all of it, or what a person has zoomed to, in all of them at once.
import { signal } from '@preact/signals';

export type Stretch = readonly [from: number, to: number];

/** Undefined for whole runs. */
export const STRETCH = signal<Stretch | undefined>(undefined);

const SHORTEST = 1e-9;

/** A part of what is shown; undefined when that is all of it. */
function within([from, to]: Stretch, whole: Stretch): Stretch | undefined {
  if (!(to - from > SHORTEST * Math.max(1, Math.abs(from), Math.abs(to)))) return undefined;
  return from <= whole[0] && to >= whole[1] ? undefined : [from, to];
}

export const shownOf = (whole: Stretch): Stretch => STRETCH.peek() ?? whole;

export function zoomed(whole: Stretch, factor: number, at?: number): Stretch | undefined {
  const [from, to] = shownOf(whole);
  const fixed = at ?? (from + to) / 2;
  const next: Stretch = [fixed - (fixed - from) / factor, fixed + (to - fixed) / factor];
  // A stretch that is as short as may be stays.
  return next[1] - next[0] > SHORTEST * Math.max(1, Math.abs(fixed)) ? within(next, whole) : [from, to];
}

export function moved(whole: Stretch, seconds: number): Stretch | undefined {
  const [from, to] = shownOf(whole);
  return within([from + seconds, to + seconds], whole);
}

/** How far all curves reach; 0 to 1 without rows. */
export function reachOf(all: readonly { readonly from?: number | null; readonly to?: number | null }[]): Stretch {
  const from = Math.min(...all.map((each) => each.from ?? Number.POSITIVE_INFINITY));
  const to = Math.max(...all.map((each) => each.to ?? Number.NEGATIVE_INFINITY));
  if (!(to >= from)) return [0, 1];
  return to > from ? [from, to] : [from - 0.5, to + 0.5];
}
