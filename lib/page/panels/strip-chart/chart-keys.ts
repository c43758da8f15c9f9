// The keys of a strip chart; each has a button or a gesture that does the same.

import { edges, follow, isFollowing, pan, pause, type TimeWindow, zoom } from '../plot/time-window.js';
import { ZOOM_STEP } from '../plot/zoom-buttons.js';

export const CHART_KEYS =
  'space follows or pauses, plus and minus zoom, left and right move the time, shift with left and right moves the cursor, m puts the second cursor, Escape takes it away';

const PAN_SHARE = 0.1;

/** The window after a key; undefined for a key that means nothing here. */
export function windowAfterKey(key: string, window: TimeWindow, latest: number): TimeWindow | undefined {
  if (key === ' ') return isFollowing(window) ? pause(window, latest) : follow(window);
  if (key === '+' || key === '=') return zoom(window, ZOOM_STEP, latest);
  if (key === '-') return zoom(window, 1 / ZOOM_STEP, latest);
  if (key === 'ArrowLeft') return pan(window, -PAN_SHARE * window.span, latest);
  if (key === 'ArrowRight') return pan(window, PAN_SHARE * window.span, latest);
  return key === 'Home' || key === 'End' ? follow(window) : undefined;
}

/** Where the cursor goes with shift and an arrow, a fiftieth of the window at a time. */
export function cursorAfterKey(
  key: string,
  cursor: number | undefined,
  window: TimeWindow,
  latest: number,
): number | undefined {
  const steps = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (steps === undefined) return undefined;
  const [from, to] = edges(window, latest);
  return Math.min(Math.max((cursor ?? (from + to) / 2) + (steps * window.span) / 50, from), to);
}
