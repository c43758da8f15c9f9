// The strip chart: lines over simulation time.
import { effect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { PanelKind } from '../panel.js';
import type { ChartPlan, DrawnLine } from '../plot/chart-plan.js';
import { happeningsOf } from '../plot/happenings.js';
import { isDashedSlot, type Look, lookOf, seriesColour } from '../plot/look.js';
import { LOOKED, look, MARKED, mark, unmark } from '../plot/looked-at.js';
import { PAGE_NEWS, PAGE_TURNS } from '../plot/page-turns.js';
import { type ChartGestures, TimeChart } from '../plot/time-chart.js';
import { edges, follow, pan, pinch, show, zoom } from '../plot/time-window.js';
import { isSwitch, valueText } from '../values/value-text.js';
import { CHART_KEYS, cursorAfterKey, windowAfterKey } from './chart-keys.js';
import {
  axisOf,
  type ChartPanel,
  type ChartState,
  comes,
  isBand,
  isStepped,
  showTime,
  slotOf,
  stateOf,
} from './chart-state.js';
import { feedChart } from './feed-chart.js';
import { Legend } from './legend.js';
import { followLimits } from './line-limits.js';
import { Measure } from './measure.js';
import { areSame, chartTitle, type StripChartSettings, shortNames, stripChartSettings, withLine } from './settings.js';
import { StripChartForm } from './strip-chart-form.js';
import { StripChartTools } from './strip-chart-tools.js';

interface ViewProps {
  readonly panel: ChartPanel;
}

function StripChartView({ panel }: ViewProps) {
  if (panel.settings.value.lines.length === 0) {
    return <p class="empty">Drop variables here to plot them over time.</p>;
  }
  return <Chart panel={panel} />;
}

function Chart({ panel }: ViewProps) {
  const host = useRef<HTMLDivElement>(null);
  const state = stateOf(panel);
  const { lines } = panel.settings.value;
  const draw = useRef(() => drawChart(panel, state, draw)).current as () => void;
  // How a line looks changes nothing of its samples.
  const lineKey = JSON.stringify(lines.map(({ alias, units }) => [alias, units]));
  useEffect(() => {
    const tell = (): void => void state.news.value++;
    const stop = feedChart(panel, state, () => {
      askToDraw(panel, draw);
      if (panel.isVisible.peek()) PAGE_NEWS.request(tell);
    });
    return () => {
      stop();
      PAGE_NEWS.cancel(tell);
    };
  }, [panel, lineKey]);
  useEffect(() => followLimits(panel, state), [panel, lineKey]);
  useEffect(() => keepChart(host.current as HTMLDivElement, panel, state, draw), [panel, lineKey]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget) return;
    if (pressed(event, panel, state)) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no chart.
    <div
      class={`strip-chart ${panel.server.isStale.value ? 'stale' : ''}`}
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the chart is moved and zoomed by keys.
      tabIndex={0}
      aria-label={`Chart of ${lines.map(({ alias }) => alias).join(', ')}: ${CHART_KEYS}`}
      onKeyDown={onKeyDown}
    >
      <Legend panel={panel} />
      <div class="canvas-host" ref={host} />
      {/* Below the plot, so that nothing moves away under the pointer. */}
      <Measure panel={panel} />
    </div>
  );
}

function askToDraw({ isVisible }: ChartPanel, draw: () => void): void {
  if (isVisible.peek()) PAGE_TURNS.request(draw);
}

function drawChart(panel: ChartPanel, state: ChartState, again: () => void): void {
  const { chart, samples, pace } = state;
  // Lines that have just changed are drawn with the samples of their own feed.
  if (!chart || !areSame(state.sampled, panel.settings.peek().lines)) return;
  const [from, to] = edges(state.window.peek(), samples.latestTime);
  const shown = { to, latest: samples.latestTime, secondsPerPixel: (to - from) / chart.devicePixels };
  const now = performance.now();
  if (!pace.isDue(shown, now)) {
    if (pace.isWaiting(shown)) PAGE_TURNS.request(again);
    return;
  }
  chart.draw(samples.drawn(from, to, Math.max(chart.widthPixels, 100)), from, to);
  pace.drew(shown, now);
}

/** Keeps a chart in the element, and makes it again when its settings change; the returned function ends it. */
function keepChart(host: HTMLElement, panel: ChartPanel, state: ChartState, draw: () => void): () => void {
  const goes = comes(panel);
  const stopMaking = effect(() => {
    void panel.isDark.value;
    const colours = lookOf(host);
    const plan = planOf(panel, state, colours);
    state.chart?.close();
    state.chart = new TimeChart(host, plan, colours, gesturesOf(panel, state));
    state.pace.reset();
    PAGE_TURNS.request(draw);
  });
  const stopMoving = effect(() => {
    void state.window.value;
    state.pace.reset();
    if (panel.isVisible.value) PAGE_TURNS.request(draw);
  });
  const stopLooking = effect(() => {
    // Without a second cursor, the browser shows the cursor without another picture.
    if (MARKED.value !== undefined) void LOOKED.value;
    void happeningsOf(panel.server).value;
    state.pace.reset();
    if (panel.isVisible.peek()) PAGE_TURNS.request(draw);
  });
  const observer = new ResizeObserver(() => {
    state.chart?.resize(host.clientWidth, host.clientHeight);
    state.pace.reset();
    askToDraw(panel, draw);
  });
  observer.observe(host);
  return () => {
    goes();
    observer.disconnect();
    stopMaking();
    stopMoving();
    stopLooking();
    PAGE_TURNS.cancel(draw);
    state.chart?.close();
    state.chart = undefined;
  };
}

function planOf(panel: ChartPanel, state: ChartState, colours: Look): ChartPlan {
  const { lines, thresholds, ranges } = panel.settings.value;
  const names = shortNames(lines.map(({ alias }) => alias));
  const drawn = lines.map((line, index): DrawnLine => {
    const facts = state.facts.value.get(line.alias);
    const slot = slotOf(line, index);
    return {
      label: names[index] as string,
      axis: axisOf(facts, line),
      isStepped: facts !== undefined && isStepped(facts),
      labels: facts?.labels,
      isHidden: state.hidden.value.has(line.alias),
      colour: seriesColour(colours, slot),
      isDashed: isDashedSlot(slot),
      width: line.width ?? 1,
      limits: state.limits.value.get(line.alias),
      ...(facts &&
        isBand(facts, line) && {
          band: {
            wordOf: (value) => (facts.kind === 'text' ? state.words.textOf(value) : valueText(value, facts)),
            isOn: (value) => value !== 0 || !isSwitch(facts),
          },
        }),
    };
  });
  return { lines: drawn, thresholds, ranges };
}

function gesturesOf(panel: ChartPanel, state: ChartState): ChartGestures {
  const latest = (): number => state.samples.latestTime;
  const { window } = state;
  return {
    edges: () => edges(window.peek(), latest()),
    onSelect: (from: number, to: number) => {
      showTime(panel, show(from, to));
    },
    onFollow: () => {
      showTime(panel, follow({ span: panel.settings.peek().span }));
    },
    onZoom: (factor: number, at: number) => {
      showTime(panel, zoom(window.peek(), factor, latest(), at));
    },
    onPan: (seconds: number) => {
      showTime(panel, pan(window.peek(), seconds, latest()));
    },
    onPinch: (factor: number, at: number, seconds: number) => {
      showTime(panel, pinch(window.peek(), factor, latest(), at, seconds));
    },
    onCursor: look,
    onMark: mark,
    scene: () => ({ looked: LOOKED.peek(), marked: MARKED.peek(), happenings: happeningsOf(panel.server).peek() }),
  };
}

/** Whether the key did something. */
function pressed({ key, shiftKey }: KeyboardEvent, panel: ChartPanel, state: ChartState): boolean {
  const { window, samples, chart } = state;
  const latest = samples.latestTime;
  const time = shiftKey ? cursorAfterKey(key, LOOKED.peek(), window.peek(), latest) : undefined;
  if (time !== undefined) {
    chart?.setCursor(time);
    look(time);
    return true;
  }
  if (key === 'Escape') return unmark();
  if (key === 'm') {
    const [from, to] = edges(window.peek(), latest);
    mark(LOOKED.peek() ?? (from + to) / 2, (to - from) / 1000);
    return true;
  }
  const after = windowAfterKey(key, window.peek(), samples.latestTime);
  if (after) showTime(panel, after);
  return after !== undefined;
}

export const stripChart: PanelKind<StripChartSettings> = {
  type: 'strip-chart',
  name: 'Strip chart',
  about: 'Variables over simulation time, with an axis for each unit.',
  icon: 'M2 2v12h12M4.5 10.5l2.5-4 2.5 2.5 4-5.5',
  size: { columns: 12, rows: 9 },
  leastSize: { columns: 5, rows: 4 },
  settings: stripChartSettings,
  title: chartTitle,
  add: withLine,
  View: StripChartView,
  SettingsView: StripChartForm,
  ToolsView: StripChartTools,
};
