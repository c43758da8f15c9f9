// Brings the curves of a plot of runs: all of them at once, then as finely as the stretch that is shown needs.
import { effect } from '@preact/signals';
import { askedCurves } from './curves.js';
import { NOTHING, type RunPanel, type RunState } from './run-state.js';
import type { RunPlotSettings } from './settings.js';
import { STRETCH, type Stretch } from './stretch.js';

const SETTLED_MILLIS = 60;
/** A file that is still looked through is waited for by the server; recordings may grow, and a simulation does. */
const AGAIN_MILLIS = { sampled: 100, live: 1500, recorded: 5000 } as const;
const POINTS = { perPixel: 3, least: 300, most: 3000, ofAll: 40_000, ofPlane: 10_000 } as const;

/** Loads until the returned function is called. */
export function loadCurves(panel: RunPanel, state: RunState): () => void {
  let [isOver, asked] = [false, 0];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;

  const points = (): number => {
    const count = Math.max(1, state.curves.peek().length);
    if (state.across.peek().length > 0) return Math.min(POINTS.ofPlane, Math.ceil((5 * POINTS.ofAll) / count));
    const wanted = Math.max(POINTS.least, POINTS.perPixel * (state.chart?.widthPixels ?? panel.size.peek().width));
    return Math.round(Math.min(wanted, POINTS.most, Math.max(POINTS.least, POINTS.ofAll / count)));
  };
  const ask = async (stretch: Stretch | undefined, question: number): Promise<void> => {
    const [curves, across] = [state.curves.peek(), state.across.peek()];
    if (curves.length === 0) {
      state.whole.value = NOTHING;
      return;
    }
    const span = stretch ? { from: stretch[0], to: stretch[1] } : partOf(panel.settings.peek());
    const data = await askedCurves(panel.server, [...curves, ...across], { ...span, points: points() });
    if (isOver || question !== asked) return;
    state.fault.value = undefined;
    if (stretch) state.part.value = { curves, data, stretch };
    else if (!isSame(state.whole.peek(), { curves, data })) state.whole.value = { curves, data };
  };
  const askAll = async (): Promise<void> => {
    const question = ++asked;
    try {
      const curves = state.curves.peek();
      const stretch = state.across.peek().length > 0 ? undefined : STRETCH.peek();
      if (state.whole.peek().curves !== curves || !stretch) await ask(undefined, question);
      if (stretch && question === asked) await ask(widened(stretch), question);
    } catch (error) {
      if (question === asked) state.fault.value = (error as Error).message;
    }
    if (isOver || question !== asked) return;
    const isSampled = [state.whole, state.part].some((each) => each.peek()?.data.some((one) => one.is_sampled));
    const isLive = state.runs.peek().some((run) => run.is_live);
    again = setTimeout(askSoon, AGAIN_MILLIS[isSampled ? 'sampled' : isLive ? 'live' : 'recorded']);
  };
  const askSoon = (): void => {
    clearTimeout(again);
    clearTimeout(timer);
    if (panel.isVisible.peek()) timer = setTimeout(() => void askAll(), 0);
  };
  const stop = effect(() => {
    void [state.curves.value, state.across.value, STRETCH.value];
    const isAway = !panel.isVisible.value || panel.server.state.value !== 'connected';
    clearTimeout(again);
    clearTimeout(timer);
    if (!isAway) timer = setTimeout(() => void askAll(), state.whole.peek() === NOTHING ? 0 : SETTLED_MILLIS);
  });
  return () => {
    isOver = true;
    clearTimeout(timer);
    clearTimeout(again);
    stop();
  };
}

/** What is asked for as the whole. */
const partOf = ({ from, to }: Pick<RunPlotSettings, 'from' | 'to'>): { from?: number; to?: number } => ({
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
});

/** A little more on both sides, so that lines run to the edges. */
const widened = ([from, to]: Stretch): Stretch => [from - (to - from) / 10, to + (to - from) / 10];

function isSame(one: RunState['whole']['value'], other: RunState['whole']['value']): boolean {
  const known = (each: typeof one): string =>
    JSON.stringify(each.data.map(({ times = [], values: _, ...facts }) => [facts, times.length]));
  return one.curves === other.curves && known(one) === known(other);
}
