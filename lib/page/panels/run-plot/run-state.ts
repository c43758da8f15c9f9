// What the parts of one plot of runs share while it is on the page: its curves, their points, its chart.
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { PanelContext } from '../panel.js';
import type { PlaneView } from '../plot/plane-view.js';
import type { TimeChart } from '../plot/time-chart.js';
import type { PointedAt, TrajectoryChart } from '../plot/trajectory-chart.js';
import { type Curve, type CurveData, curvesOf, type Run } from './curves.js';
import { MOST_TOGETHER, runsOf } from './run-list.js';
import type { RunPlotSettings } from './settings.js';
import { reachOf, type Stretch } from './stretch.js';

export type RunPanel = PanelContext<RunPlotSettings>;

/** What has come of some curves. */
export interface Loaded {
  readonly curves: readonly Curve[];
  readonly data: readonly CurveData[];
}

export const NOTHING: Loaded = { curves: [], data: [] };

export interface RunState {
  /** Those that the server has. */
  readonly all: ReadonlySignal<readonly Run[]>;
  /** Those that this plot is of: up to so many. */
  readonly runs: ReadonlySignal<readonly Run[]>;
  readonly curves: ReadonlySignal<readonly Curve[]>;
  /** What stands across for each curve; empty when that is the time. */
  readonly across: ReadonlySignal<readonly Curve[]>;
  /** Whole runs. */
  readonly whole: Signal<Loaded>;
  /** The stretch that is shown, when it is not the whole. */
  readonly part: Signal<(Loaded & { readonly stretch: Stretch }) | undefined>;
  /** Why nothing comes. */
  readonly fault: Signal<string | undefined>;
  readonly reach: ReadonlySignal<Stretch>;
  readonly view: Signal<PlaneView | undefined>;
  readonly pointed: Signal<PointedAt | undefined>;
  chart: TimeChart | undefined;
  plane: TrajectoryChart | undefined;
}

const STATES = new WeakMap<RunPanel, RunState>();

export function runStateOf(panel: RunPanel): RunState {
  const known = STATES.get(panel);
  if (known) return known;
  const all = runsOf(panel.server);
  const runs = computed(() => {
    const { only } = panel.settings.value;
    return (only ? all.value.filter(({ run }) => only.includes(run)) : all.value).slice(0, MOST_TOGETHER);
  });
  const whole = signal<Loaded>(NOTHING);
  const of = (wanted: (settings: RunPlotSettings) => RunPlotSettings['lines']) =>
    computed(() =>
      curvesOf(wanted(panel.settings.value), panel.settings.value, runs.value, panel.runs.value, all.value),
    );
  const made: RunState = {
    all,
    runs,
    curves: of(({ lines }) => lines),
    across: of(({ lines, x }) => (x ? lines.map(() => x) : [])),
    whole,
    part: signal(undefined),
    fault: signal(undefined),
    reach: computed(() => part(reachOf(whole.value.data), panel.settings.value)),
    view: signal(undefined),
    pointed: signal(undefined),
    chart: undefined,
    plane: undefined,
  };
  STATES.set(panel, made);
  return made;
}

/** As much of it as the settings want. */
function part([least, most]: Stretch, { from = least, to = most }: Pick<RunPlotSettings, 'from' | 'to'>): Stretch {
  const [first, last] = [Math.max(least, from), Math.min(most, to)];
  return first < last ? [first, last] : [least, most];
}

/** What is drawn: the stretch that is shown as finely as it has come, or the whole. */
export function drawnOf({ whole, part, curves }: RunState, stretch: Stretch | undefined): Loaded {
  const fine = part.value;
  const isFine = stretch && fine && fine.curves === curves.value;
  return isFine && fine.stretch[0] <= stretch[0] && fine.stretch[1] >= stretch[1] ? fine : whole.value;
}
