// The X-Y plot: one variable over another, as trajectories.
import { effect, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { VariableFacts } from '../../data/server.js';
import { NumberField } from '../form/number-field.js';
import type { PanelKind } from '../panel.js';
import { type HistorySeries, hasHistory, historyRows, seriesOf } from '../plot/history-rows.js';
import { lookOf, seriesVariable } from '../plot/look.js';
import { PAGE_TURNS } from '../plot/page-turns.js';
import { RedrawPace } from '../plot/redraw-pace.js';
import { LONGEST_SPAN, SHORTEST_SPAN } from '../plot/time-window.js';
import { Trail } from '../plot/trail.js';
import { type Points, TrajectoryChart } from '../plot/trajectory-chart.js';
import { clockText, numberText } from '../values/number-text.js';
import { plottable } from '../values/value-text.js';
import {
  axisUnits,
  type CompleteTrajectory,
  complete,
  type Trajectory,
  withAxis,
  type XYPlotSettings,
  xyPlotSettings,
  xyPlotTitle,
} from './settings.js';
import { XYPlotTools } from './xy-plot-tools.js';
import { pressedOn, XY_KEYS, type XYPanel, type XYState, xyStateOf } from './xy-state.js';

interface ViewProps {
  readonly panel: XYPanel;
}

/** Of each variable; between the least and the greatest values of thinned stretches, the other variable is interpolated. */
const HISTORY_POINTS = 10_000;
/** The whole trajectory is drawn again when it has moved, so often at most. */
const DRAWN_MILLIS = 50;

function XYPlotView({ panel }: ViewProps) {
  const { trajectories } = panel.settings.value;
  const last = trajectories.at(-1);
  if (!last) return <p class="empty">Drop two numbers here, or an array of them: y is drawn over x.</p>;
  if (complete(trajectories).length === 0) return <p class="empty">{last.x} is x; drop y here.</p>;
  return <Plot panel={panel} />;
}

function Plot({ panel }: ViewProps) {
  const host = useRef<HTMLDivElement>(null);
  const state = xyStateOf(panel);
  const trajectories = complete(panel.settings.value.trajectories);
  const { isEqual } = panel.settings.value;
  const key = JSON.stringify([trajectories, isEqual]);
  useEffect(() => {
    const drawing = new Drawing(host.current as HTMLDivElement, panel, trajectories, state);
    return () => drawing.close();
  }, [panel, key]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || !pressedOn(state, event.key)) return;
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
      aria-label={`Plot of ${xyPlotTitle(panel.settings.value)}: ${XY_KEYS}`}
      onKeyDown={onKeyDown}
    >
      <Names panel={panel} trajectories={trajectories} state={state} />
      <div class="canvas-host plane" ref={host} />
    </div>
  );
}

interface NamesProps extends ViewProps {
  readonly trajectories: readonly CompleteTrajectory[];
  readonly state: XYState;
}

function Names({ panel, trajectories, state }: NamesProps) {
  const at = state.pointed.value;
  const remove = ({ x, y }: Trajectory): void =>
    panel.change({
      trajectories: panel.settings.peek().trajectories.filter((each) => each.x !== x || each.y !== y),
    });
  return (
    <ul class="legend" aria-label="Trajectories">
      {trajectories.map((trajectory, index) => (
        <li class="legend-line" key={`${trajectory.x} ${trajectory.y}`}>
          <span class="legend-name">
            <span class="swatch" style={{ '--colour': seriesVariable(index) }} />
            {trajectory.y} over {trajectory.x}
          </span>
          {[trajectory.x, trajectory.y].map((alias) => {
            const refusal = state.refusals.value.get(alias);
            return refusal && <span class="refusal">{refusal}</span>;
          })}
          <button
            type="button"
            class="legend-remove"
            aria-label={`Remove ${trajectory.y} over ${trajectory.x}`}
            onClick={() => remove(trajectory)}
          >
            ×
          </button>
        </li>
      ))}
      {at && (
        <li class="legend-time number">
          ({numberText(at.x)}, {numberText(at.y)}) at {clockText(at.time)}
        </li>
      )}
    </ul>
  );
}

/** A plot that is on the page: its samples and its chart. */
class Drawing {
  private trail: Trail;
  private chart: TrajectoryChart | undefined;
  private isOver = false;
  private isPastWanted = false;
  private isCut = false;
  private jumps: number | undefined;
  private readonly facts = signal<ReadonlyMap<string, VariableFacts>>(new Map());
  private readonly ends: (() => void)[] = [];
  private readonly pace = new RedrawPace(DRAWN_MILLIS);
  private readonly draw = (): void => this.drawWhenDue();

  constructor(
    private readonly host: HTMLElement,
    private readonly panel: XYPanel,
    private readonly trajectories: readonly CompleteTrajectory[],
    private readonly state: XYState,
  ) {
    this.trail = new Trail(2 * trajectories.length);
    this.state.refusals.value = new Map();
    this.keepChart();
    void this.learn().then(() => !this.isOver && this.watch());
  }

  /** The variable of each column. */
  private get columns(): string[] {
    return this.trajectories.flatMap(({ x, y }) => [x, y]);
  }

  /** The variables, each once, with the unit of its axis; undefined where that is its own. */
  private get units(): Map<string, string | undefined> {
    const facts = this.facts.peek();
    const axes = axisUnits(this.trajectories, (alias) => facts.get(alias));
    const units = new Map<string, string | undefined>();
    for (const [column, alias] of this.columns.entries()) {
      const unit = column % 2 === 0 ? axes.x : axes.y;
      if (!units.has(alias)) units.set(alias, facts.get(alias)?.unit === unit ? undefined : unit);
    }
    return units;
  }

  close(): void {
    this.isOver = true;
    PAGE_TURNS.cancel(this.draw);
    for (const end of this.ends) end();
    this.chart?.close();
    this.chart = undefined;
  }

  private keepChart(): void {
    const make = effect(() => {
      const facts = this.facts.value;
      const { x, y } = axisUnits(this.trajectories, (alias) => facts.get(alias));
      void this.panel.isDark.value;
      const titleOf = (alias: string | undefined, unit: string | undefined): string =>
        `${alias ?? ''}${unit && unit !== '1' ? ` (${unit})` : ''}`;
      const [first] = this.trajectories;
      const { isEqual } = this.panel.settings.peek();
      const plan = {
        xTitle: titleOf(first?.x, x),
        yTitle: titleOf(first?.y, y),
        count: this.trajectories.length,
        isEqual,
      };
      this.chart?.close();
      this.chart = new TrajectoryChart(this.host, plan, lookOf(this.host), {
        onPoint: (point) => {
          this.state.pointed.value = point;
        },
        onView: (view) => {
          this.state.view.value = view;
        },
        wanted: () => this.state.view.peek(),
      });
      this.askNow();
    });
    this.state.shown = () => this.chart?.view;
    const show = effect(() => {
      void this.state.view.value;
      if (this.panel.isVisible.value) this.askNow();
    });
    const observer = new ResizeObserver(() => {
      this.chart?.resize(this.host.clientWidth, this.host.clientHeight);
      this.askNow();
    });
    observer.observe(this.host);
    this.ends.push(make, show, () => observer.disconnect());
  }

  private ask(): void {
    if (this.panel.isVisible.peek()) PAGE_TURNS.request(this.draw);
  }

  private askNow(): void {
    this.pace.reset();
    this.ask();
  }

  private drawWhenDue(): void {
    const { latestTime } = this.trail;
    const shown = { to: latestTime, latest: latestTime, secondsPerPixel: Number.POSITIVE_INFINITY };
    const now = performance.now();
    if (this.pace.isDue(shown, now)) {
      this.chart?.draw(this.points());
      this.pace.drew(shown, now);
    } else this.ask();
  }

  private points(): Points[] {
    const times = this.trail.times;
    return this.trajectories.map((_, k) => ({
      times,
      x: this.trail.column(2 * k),
      y: this.trail.column(2 * k + 1),
    }));
  }

  private watch(): void {
    const { server, settings } = this.panel;
    const [aliases, units] = [[...this.units.keys()], [...this.units.values()]];
    const places = this.columns.map((alias) => aliases.indexOf(alias));
    const stop = server.watch(
      aliases,
      { cycleMillis: 0, keepsHistory: hasHistory(server), units, onRefused: this.refuse },
      ({ seconds, values, jumps }) => {
        if (this.jumps !== undefined && jumps !== this.jumps) this.jump();
        this.jumps = jumps;
        this.isCut = false;
        const row = places.map((place) => plottable(values[place]));
        this.trail.add(seconds, row, seconds - (settings.peek().span ?? Number.POSITIVE_INFINITY));
        this.ask();
        if (!this.isPastWanted) return;
        this.isPastWanted = false;
        void this.askPast(seconds);
      },
    );
    const stopLink = effect(() => {
      if (server.state.value === 'lost') this.cut();
      else if (server.state.value === 'connected') this.isPastWanted = hasHistory(server);
    });
    this.ends.push(stop, stopLink);
  }

  private readonly refuse = (alias: string, sentence: string): void => {
    this.state.refusals.value = new Map([...this.state.refusals.peek(), [alias, sentence]]);
  };

  private cut(): void {
    this.isCut = true;
    this.trail.interrupt();
  }

  /** Time has jumped; how far it went back during a cut is unknown. */
  private jump(): void {
    if (this.isCut) this.trail.clear();
    else this.trail.interrupt();
    this.isPastWanted = hasHistory(this.panel.server);
  }

  /** Asks for the past up to a sample that has come; later samples come by themselves. */
  private async askPast(to: number): Promise<void> {
    const { span } = this.panel.settings.peek();
    const from = span !== undefined && { from: to - span };
    const inUnits = [...this.units].filter(([, unit]) => unit !== undefined);
    const units = inUnits.length > 0 && { units: Object.fromEntries(inUnits) };
    const question = { aliases: [...this.units.keys()], ...from, to, points: HISTORY_POINTS, lenient: true, ...units };
    const history = await this.panel.server
      .call<{ readonly series: Readonly<Record<string, HistorySeries>> }>('var/history', question)
      .catch(() => undefined);
    // Time that has gone back meanwhile has begun another trail.
    if (!history || this.isOver || !(this.trail.latestTime >= to)) return;
    const rows = historyRows(seriesOf(history.series, this.columns));
    // A point with the values of two times would lie on no trajectory, so only rows with all values count, and breaks.
    const whole = rows.filter(({ least, isBreak }) => isBreak || !least.some(Number.isNaN));
    this.trail = this.trail.with(whole.map(({ time, least }) => ({ time, values: least })));
    this.askNow();
  }

  private async learn(): Promise<void> {
    const { server } = this.panel;
    const facts = await Promise.all(this.columns.map((alias) => server.facts(alias).catch(() => undefined)));
    if (this.isOver) return;
    this.facts.value = new Map(facts.flatMap((each, k) => (each ? [[this.columns[k] as string, each]] : [])));
  }
}

function XYPlotForm({ panel }: ViewProps) {
  const { span, isEqual } = panel.settings.value;
  return (
    <div class="panel-form">
      <NumberField
        label="Seconds of the past"
        value={span}
        placeholder="all"
        least={SHORTEST_SPAN}
        most={LONGEST_SPAN}
        onEnter={(seconds) => panel.change({ span: seconds })}
      />
      <label class="toggle">
        <input
          type="checkbox"
          checked={isEqual}
          onChange={({ currentTarget }) => panel.change({ isEqual: currentTarget.checked })}
        />
        Equal axes
      </label>
    </div>
  );
}

export const xyPlot: PanelKind<XYPlotSettings> = {
  type: 'xy-plot',
  name: 'X-Y plot',
  about: 'One variable over another: trajectories, with equal axes.',
  icon: 'M2 2v12h12M4.5 9.5c0-7 8-5 5-1.5s-5 2.5-1 3.5 5-1 5-2.5',
  size: { columns: 9, rows: 9 },
  leastSize: { columns: 5, rows: 4 },
  settings: xyPlotSettings,
  title: xyPlotTitle,
  add: withAxis,
  View: XYPlotView,
  SettingsView: XYPlotForm,
  ToolsView: XYPlotTools,
};
