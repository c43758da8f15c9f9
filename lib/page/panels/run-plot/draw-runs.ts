// Draws a plot of runs: over time, or one variable over another.
import { computed, effect } from '@preact/signals';
import type { ChartPlan } from '../plot/chart-plan.js';
import { happeningsOf } from '../plot/happenings.js';
import { historyRows } from '../plot/history-rows.js';
import { type Look, lookOf, seriesColour } from '../plot/look.js';
import { LOOKED, look, MARKED, mark } from '../plot/looked-at.js';
import { PAGE_TURNS } from '../plot/page-turns.js';
import { type ChartGestures, TimeChart } from '../plot/time-chart.js';
import { type Points, TrajectoryChart } from '../plot/trajectory-chart.js';
import { type Curve, type CurveData, nameInRuns } from './curves.js';
import { joinedPoints } from './points.js';
import { drawnOf, type Loaded, type RunPanel, type RunState } from './run-state.js';
import type { RunPlotSettings } from './settings.js';
import { moved, STRETCH, shownOf, zoomed } from './stretch.js';

/** The colour of a curve: that of its run, or of its variable where there is one run. */
export const slotOf = ({ run, line }: Curve, runs: number): number => (runs > 1 && run !== undefined ? run : line);

/** That of the file where there is one run and it has one. */
function colourOf(curve: Curve, { lines }: Pick<RunPlotSettings, 'lines'>, runs: number, colours: Look): string {
  const own = runs > 1 ? undefined : lines[curve.line]?.colour;
  return own ?? seriesColour(colours, slotOf(curve, runs));
}

/** Draws until the returned function is called. */
export function drawRuns(host: HTMLElement, panel: RunPanel, state: RunState): () => void {
  const loaded = computed(() => drawnOf(state, STRETCH.value));
  // The titles of a plane have units.
  const units = computed(() => (panel.settings.value.x ? loaded.value.data.map((each) => each.units) : []));
  const plan = computed(() => JSON.stringify([planOf(panel, loaded.value, state, undefined), units.value]));
  const draw = (): void => drawNow(panel, state, loaded.peek());
  const stopMaking = effect(() => {
    void [panel.isDark.value, plan.value];
    const colours = lookOf(host);
    end(state);
    make(host, panel, state, loaded.peek(), colours);
    PAGE_TURNS.request(draw);
  });
  const stopDrawing = effect(() => {
    void [loaded.value, state.reach.value, STRETCH.value, state.view.value, MARKED.value];
    if (MARKED.peek() !== undefined) void LOOKED.value;
    if (panel.server.status.value?.playback) void panel.server.time.value;
    if (panel.isVisible.value) PAGE_TURNS.request(draw);
  });
  const observer = new ResizeObserver(() => {
    const { clientWidth, clientHeight } = host;
    state.chart?.resize(clientWidth, clientHeight);
    state.plane?.resize(clientWidth, clientHeight);
    PAGE_TURNS.request(draw);
  });
  observer.observe(host);
  return () => {
    observer.disconnect();
    stopMaking();
    stopDrawing();
    PAGE_TURNS.cancel(draw);
    end(state);
  };
}

function end(state: RunState): void {
  state.chart?.close();
  state.plane?.close();
  state.chart = undefined;
  state.plane = undefined;
}

function make(host: HTMLElement, panel: RunPanel, state: RunState, loaded: Loaded, colours: Look): void {
  const { x } = panel.settings.peek();
  if (!x) {
    state.chart = new TimeChart(host, planOf(panel, loaded, state, colours), colours, gesturesOf(panel, state));
    return;
  }
  const { curves, data } = loaded;
  // uPlot draws no plane without trajectories; they come when the runs are known.
  if (curves.length === 0) return;
  const titleOf = (name: string, of: CurveData | undefined): string =>
    of?.units && of.units !== '1' ? `${name} (${of.units})` : name;
  const nameOf = (alias: string): string => nameInRuns(alias, state.all.peek()) ?? alias;
  const first = panel.settings.peek().lines[0]?.alias ?? '';
  const plan = {
    xTitle: titleOf(nameOf(x.alias), data[curves.length]),
    yTitle: titleOf(nameOf(first), data[0]),
    count: curves.length,
    isEqual: data[curves.length]?.units === data[0]?.units,
    colours: curves.map((curve) => colourOf(curve, panel.settings.peek(), state.runs.peek().length, colours)),
  };
  state.plane = new TrajectoryChart(host, plan, colours, {
    onPoint: (point) => {
      state.pointed.value = point;
    },
    onView: (view) => {
      state.view.value = view;
    },
    wanted: () => state.view.peek(),
  });
}

export function drawNow(panel: RunPanel, state: RunState, { curves, data }: Loaded): void {
  if (state.plane) {
    state.plane.draw(curves.map((_, k) => trajectoryOf(data[k], data[curves.length + k])));
    return;
  }
  const [from, to] = shownOf(state.reach.peek());
  if (panel.settings.peek().x === undefined) state.chart?.draw(joinedPoints(data), from, to);
}

/** The points of y, with x at their times, and those of x. */
function trajectoryOf(y: CurveData | undefined, x: CurveData | undefined): Points {
  const seriesOf = (data: CurveData | undefined) => ({
    times: data?.times ?? [],
    values: data?.values ?? [],
    ...(data?.from !== undefined && { since: data.from }),
  });
  const rows = historyRows([seriesOf(x), seriesOf(y)], [x?.is_held ?? false, y?.is_held ?? false]);
  const values = (column: number): (number | null)[] =>
    rows.map(({ least, isBreak }) => (isBreak || Number.isNaN(least[column]) ? null : (least[column] as number)));
  return { times: rows.map(({ time }) => time), x: values(0), y: values(1) };
}

/** @param colours undefined where only what makes another chart necessary is asked. */
function planOf(panel: RunPanel, { curves, data }: Loaded, { runs }: RunState, colours: Look | undefined): ChartPlan {
  const settings = panel.settings.value;
  const { ranges, x } = settings;
  const count = runs.value.length;
  const lines = curves.map((curve, k) => ({
    label: curve.label,
    axis: x ? '' : (data[k]?.units ?? '1'),
    isStepped: data[k]?.is_held ?? false,
    isHidden: false,
    colour: colours ? colourOf(curve, settings, count, colours) : `${slotOf(curve, count)}`,
    isDashed: count > 1 && curve.line > 0,
    width: 1,
  }));
  const { '': others } = ranges;
  const all = others ? Object.fromEntries(lines.map(({ axis }) => [axis, others])) : {};
  return { lines, thresholds: [], ranges: { ...all, ...ranges } };
}

function gesturesOf(panel: RunPanel, state: RunState): ChartGestures {
  const { server } = panel;
  const whole = () => state.reach.peek();
  return {
    edges: () => shownOf(whole()),
    onSelect: (from, to) => {
      STRETCH.value = [from, to];
    },
    onFollow: () => {
      STRETCH.value = undefined;
    },
    onZoom: (factor, at) => {
      STRETCH.value = zoomed(whole(), factor, at);
    },
    onPan: (seconds) => {
      STRETCH.value = moved(whole(), seconds);
    },
    onPinch: (factor, at, seconds) => {
      STRETCH.value = zoomed(whole(), factor, at);
      STRETCH.value = moved(whole(), seconds);
    },
    onCursor: look,
    onMark: mark,
    scene: () => ({
      looked: LOOKED.peek(),
      marked: MARKED.peek(),
      happenings: happeningsOf(server).peek(),
      place: server.status.peek()?.playback && server.time.peek(),
    }),
  };
}
