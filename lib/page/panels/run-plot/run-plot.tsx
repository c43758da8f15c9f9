// The plot of whole runs: variables of several runs over each other, or one run less another, from the first row to the last.
import { useEffect, useRef } from 'preact/hooks';
import type { PanelKind } from '../panel.js';
import { LOOKED, look, mark, unmark } from '../plot/looked-at.js';
import { ZOOM_STEP } from '../plot/zoom-buttons.js';
import { askedCurves } from './curves.js';
import { drawRuns } from './draw-runs.js';
import { loadCurves } from './load-curves.js';
import { nextTime } from './points.js';
import { RunLegend } from './run-legend.js';
import { RunPlotForm } from './run-plot-form.js';
import { RunPlotTools } from './run-plot-tools.js';
import { drawnOf, type RunPanel, type RunState, runStateOf } from './run-state.js';
import { type RunPlotSettings, runPlotSettings, runPlotTitle, withRunLine } from './settings.js';
import { moved, STRETCH, shownOf, zoomed } from './stretch.js';

interface ViewProps {
  readonly panel: RunPanel;
}

const KEYS =
  'plus and minus zoom, left and right move, End shows whole runs, shift with left and right goes from row to row, m puts the second cursor, Escape takes it away';
const PAN_SHARE = 0.1;

function RunPlotView({ panel }: ViewProps) {
  if (panel.settings.value.lines.length === 0)
    return (
      <p class="empty">
        Drop a variable of one run here: it is drawn for all runs, from their first row to their last.
      </p>
    );
  return <Plot panel={panel} />;
}

function Plot({ panel }: ViewProps) {
  const host = useRef<HTMLDivElement>(null);
  const state = runStateOf(panel);
  const isPlane = panel.settings.value.x !== undefined;
  useEffect(() => loadCurves(panel, state), [panel]);
  useEffect(() => drawRuns(host.current as HTMLDivElement, panel, state), [panel, isPlane]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || !pressed(event, panel, state)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no plot.
    <div
      class={`strip-chart ${panel.server.isStale.value ? 'stale' : ''}`}
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the plot is moved and zoomed by keys.
      tabIndex={0}
      aria-label={`Plot of whole runs: ${runPlotTitle(panel.settings.value)}: ${KEYS}`}
      onKeyDown={onKeyDown}
    >
      <RunLegend panel={panel} />
      {state.fault.value !== undefined && <p class="refusal">{state.fault.value}</p>}
      <div class={`canvas-host ${isPlane ? 'plane' : ''}`} ref={host} />
    </div>
  );
}

/** Whether the key did something. */
function pressed({ key, shiftKey }: KeyboardEvent, panel: RunPanel, state: RunState): boolean {
  const reach = state.reach.peek();
  const [from, to] = shownOf(reach);
  const step = { ArrowLeft: -1, ArrowRight: 1 }[key] as -1 | 1 | undefined;
  if (key === 'Escape') return unmark();
  if (shiftKey && step) void hop(panel, state, step);
  else if (key === '+' || key === '=') STRETCH.value = zoomed(reach, ZOOM_STEP);
  else if (key === '-') STRETCH.value = zoomed(reach, 1 / ZOOM_STEP);
  else if (step) STRETCH.value = moved(reach, step * PAN_SHARE * (to - from));
  else if (key === 'm') mark(LOOKED.peek() ?? (from + to) / 2, (to - from) / 1000);
  else if (key === 'Home' || key === 'End') {
    STRETCH.value = undefined;
    state.view.value = undefined;
  } else return false;
  return true;
}

/** Goes to the next row of the first curve; where rows are thinned, those beside the cursor are asked for. */
async function hop(panel: RunPanel, state: RunState, step: -1 | 1): Promise<void> {
  const { curves, data } = drawnOf(state, STRETCH.peek());
  const at = data.findIndex(({ times = [] }) => times.length > 0);
  const [curve, found] = [curves[at], data[at]];
  if (!curve || !found) return;
  const [from, to] = shownOf(state.reach.peek());
  const seconds = LOOKED.peek() ?? (step === 1 ? from : to);
  const stretch = 2 * (found.stretch_sec ?? 0);
  const near = { from: seconds - stretch, to: seconds + stretch, points: 10_000 };
  const [rows = found] = stretch > 0 ? await askedCurves(panel.server, [curve], near).catch(() => []) : [];
  const next = nextTime(rows, seconds, step);
  if (next === undefined) return;
  state.chart?.setCursor(next);
  look(next);
}

export const runPlot: PanelKind<RunPlotSettings> = {
  type: 'run-plot',
  name: 'Whole runs',
  about: 'Variables of all runs over each other or one run less another, from the first row to the last.',
  icon: 'M2 2v12h12M4 11c2-6 4-6 9-7M4 12.500c3-4 5-4 9-4',
  size: { columns: 12, rows: 10 },
  leastSize: { columns: 5, rows: 4 },
  settings: runPlotSettings,
  title: runPlotTitle,
  add: withRunLine,
  isOffered: (server) => server.has('runs/curves'),
  View: RunPlotView,
  SettingsView: RunPlotForm,
  ToolsView: RunPlotTools,
};
