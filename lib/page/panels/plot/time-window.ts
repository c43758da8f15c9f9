// Which stretch of simulation time a plot shows: it follows the latest, or stands still where a person has put it.

export interface TimeWindow {
  /** Seconds from the left edge to the right. */
  readonly span: number;
  /** Time at the right edge; undefined while the plot follows. */
  readonly end?: number | undefined;
}

export const SHORTEST_SPAN = 1e-3;
export const LONGEST_SPAN = 1e7;
export const DEFAULT_SPAN = 30;

export const isFollowing = ({ end }: TimeWindow): boolean => end === undefined;

const within = (span: number): number => Math.min(Math.max(span, SHORTEST_SPAN), LONGEST_SPAN);

/** Left and right edge, for the time of the latest sample; there is nothing before 0, so a plot fills up from there. */
export function edges({ span, end }: TimeWindow, latest: number): readonly [from: number, to: number] {
  const isEarly = !Number.isFinite(latest) || (latest >= 0 && latest < span);
  const to = end ?? (isEarly ? span : latest);
  return [to - span, to];
}

/** Stops a plot at the latest sample, so that no later one comes into it; one that stands already stays. */
export const pause = (window: TimeWindow, latest: number): TimeWindow => ({
  span: window.span,
  end: window.end ?? (Number.isFinite(latest) ? latest : window.span),
});

export const follow = ({ span }: TimeWindow): TimeWindow => ({ span });

/** Shows another stretch of the past, from one time to another. */
export const show = (from: number, to: number): TimeWindow => {
  const span = within(Math.abs(to - from));
  return { span, end: (from + to) / 2 + span / 2 };
};

/**
 * Zooms by a factor (above 1 shows less time). The time `at` stays where it is; a plot that follows keeps its right
 * edge, so that it follows on.
 */
export function zoom(window: TimeWindow, factor: number, latest: number, at?: number): TimeWindow {
  const span = within(window.span / factor);
  if (isFollowing(window)) return { span };
  const [from, to] = edges(window, latest);
  const fixed = at ?? (from + to) / 2;
  const share = (fixed - from) / (to - from);
  return { span, end: fixed + (1 - share) * span };
}

/** Moves the window by seconds; one that follows stands still then. Moving past the latest sample follows again. */
export function pan(window: TimeWindow, seconds: number, latest: number): TimeWindow {
  const end = edges(window, latest)[1] + seconds;
  return Number.isFinite(latest) && end >= latest ? follow(window) : { span: window.span, end };
}

/** Zooms and moves at once, as two fingers do; a window that follows is only zoomed, so that it follows on. */
export function pinch(window: TimeWindow, factor: number, latest: number, at: number, seconds: number): TimeWindow {
  const { span, end } = zoom(window, factor, latest, at);
  return end === undefined ? { span } : { span, end: end + seconds / factor };
}
