// A chart over simulation time on a canvas, by uPlot: it draws what it is given, and tells what people do with it.
import uPlot from 'uplot';
import { decadeTexts, TIME_STEPS, timeTexts, valueTexts } from './axis-texts.js';
import { type Band, drawBands, heightOfBands } from './bands.js';
import type { ChartPlan, DrawnLine, DrawnPoints } from './chart-plan.js';
import { listenToPointer, type PointerMove, unlessPanning } from './chart-pointer.js';
import { limitStroke } from './limit-stroke.js';
import { lineWidth, thicken } from './line-width.js';
import type { Look } from './look.js';
import { drawScene, drawThresholds, type Scene } from './scene.js';
import { svgOf } from './svg-chart.js';
import { axisTitle, logarithmicRange, type ValueAxis, valueAxes, valueRange } from './value-axes.js';

/** What a person does on the chart. Times are in seconds. */
export interface ChartGestures {
  onZoom(factor: number, at: number): void;
  onPan(seconds: number): void;
  /** Two fingers zoom around a time, and move the window. */
  onPinch(factor: number, at: number, seconds: number): void;
  /** The window as it is now; the chart may show an earlier one, as several gestures come in one picture. */
  edges(): readonly [from: number, to: number];
  /** A person has drawn a frame around a stretch of time. */
  onSelect(from: number, to: number): void;
  onFollow(): void;
  /** The pointer is at a time; undefined when it has left. */
  onCursor(time: number | undefined): void;
  /** A press without a drag. `within`: seconds that a finger covers. */
  onMark(time: number, within: number): void;
  /** What is drawn besides the lines, as it is now. */
  scene(): Scene;
}

/** The scale of bands, whose values are not measured. */
const NO_SCALE = 'none';
/** The size of a value between two gaps, in pixels. */
const POINT = 2;
/** Room for half of the time axis's last label. */
const LAST_LABEL = 28;
/** Pixels within which a press is none of a drag, and at a mark. */
const PRESS = 6;
/** A second press within this time makes a double one. */
const DOUBLE_MILLIS = 300;
const DASH = [7, 4] as const;
const ONE_CURSOR = uPlot.sync('varwire-time');

export class TimeChart {
  private readonly plot: uPlot;
  private readonly axes: readonly ValueAxis[];
  private readonly bands: readonly Band[];
  private readonly ends = new AbortController();

  constructor(
    element: HTMLElement,
    private readonly plan: ChartPlan,
    private readonly look: Look,
    private readonly gestures: ChartGestures,
  ) {
    this.axes = valueAxes(plan.lines.map(({ axis }) => axis));
    this.bands = plan.lines.flatMap(({ label, band, isHidden }, index) =>
      band && !isHidden ? [{ label, column: index + 1, ...band }] : [],
    );
    const empty: uPlot.AlignedData = [[], ...plan.lines.map(() => [])];
    this.plot = new uPlot(this.options(element), empty, element);
    ONE_CURSOR.sub(this.plot);
    listenToPointer(this.plot.over, 'x', (move) => this.pointerMoved(move), this.ends.signal);
    this.listenToPresses(this.plot.over);
  }

  private listenToPresses(over: HTMLElement): void {
    const { signal } = this.ends;
    let down: { x: number; y: number } | undefined;
    let marking: ReturnType<typeof setTimeout> | undefined;
    const press = ({ clientX: x, clientY: y, shiftKey, button }: PointerEvent): void => {
      down = shiftKey || button !== 0 ? undefined : { x, y };
    };
    const click = ({ clientX, clientY, offsetX, detail }: MouseEvent): void => {
      clearTimeout(marking);
      if (detail > 1 || !down || Math.hypot(clientX - down.x, clientY - down.y) >= PRESS) return;
      const [time, within] = [this.timeAt(offsetX), this.timeAt(PRESS) - this.timeAt(0)];
      // What the mark shows moves the chart, and the second press of two would miss it.
      marking = setTimeout(() => this.gestures.onMark(time, within), DOUBLE_MILLIS);
    };
    over.addEventListener('pointerdown', press, { signal });
    over.addEventListener('click', click, { signal });
    signal.addEventListener('abort', () => clearTimeout(marking));
  }

  /** Width of the plot without its axes, in pixels of the style sheet; asks the browser for no layout. */
  get widthPixels(): number {
    return this.plot.bbox.width / uPlot.pxRatio;
  }

  /** The same width in pixels of the screen. */
  get devicePixels(): number {
    return Math.max(this.plot.bbox.width, 1);
  }

  /** Draws samples of the window from one time to another. */
  draw({ times, columns }: DrawnPoints, from: number, to: number): void {
    this.plot.batch(() => {
      this.plot.setData([times, ...columns] as uPlot.AlignedData, false);
      this.plot.setScale('x', { min: from, max: to });
    });
  }

  resize(width: number, height: number): void {
    this.plot.setSize({ width, height });
  }

  /** Puts the cursor at a time, for those who use keys. */
  setCursor(time: number): void {
    const left = this.plot.valToPos(time, 'x');
    this.plot.setCursor({ left, top: this.plot.over.clientHeight / 2 });
  }

  get canvas(): HTMLCanvasElement {
    return this.plot.ctx.canvas;
  }

  /** What is drawn now, as SVG. */
  svg(): string {
    const { plot, plan, axes, look } = this;
    return svgOf({ plot, plan, axes, look });
  }

  close(): void {
    this.ends.abort();
    ONE_CURSOR.unsub(this.plot);
    this.plot.destroy();
  }

  private pointerMoved({ kind, factor, pixels, center }: PointerMove): void {
    const seconds = this.timeAt(pixels.x) - this.timeAt(0);
    const at = this.timeAt(center.x);
    if (kind === 'zoom') this.gestures.onZoom(factor, at);
    else if (kind === 'pan') this.gestures.onPan(seconds);
    else this.gestures.onPinch(factor, at, seconds);
  }

  private timeAt(left: number): number {
    const [from, to] = this.gestures.edges();
    return from + ((to - from) * left) / Math.max(this.widthPixels, 1);
  }

  private options(element: HTMLElement): uPlot.Options {
    return {
      width: Math.max(element.clientWidth, 1),
      height: Math.max(element.clientHeight, 1),
      legend: { show: false },
      padding: [8, this.axes.length > 1 ? 0 : LAST_LABEL, 0, 0],
      scales: { x: { time: false, auto: false }, ...this.valueScales() },
      axes: [this.timeAxis(), ...this.axes.map((axis, index) => this.valueAxis(axis, index))],
      series: [{}, ...this.plan.lines.map((line, index) => this.series(line, index))],
      cursor: {
        sync: { key: ONE_CURSOR.key, setSeries: false, scales: ['x', null], filters: { pub: isCursor } },
        drag: { x: true, y: false, setScale: false, dist: 6 },
        points: { size: (_, index) => (this.plan.lines[index - 1]?.band ? 0 : 5) },
        bind: { mousedown: unlessPanning, dblclick: () => () => this.follow() },
      },
      hooks: {
        setSelect: [(plot) => this.selected(plot)],
        setCursor: [(plot) => this.cursorMoved(plot)],
        drawAxes: [(plot) => drawScene(plot, this.gestures.scene(), this.look)],
        draw: [
          (plot) => drawBands(plot, this.bands, this.look),
          (plot) => drawThresholds(plot, this.axes, this.plan.thresholds, this.look),
        ],
      },
    };
  }

  private follow(): null {
    this.gestures.onFollow();
    return null;
  }

  private valueScales(): Record<string, uPlot.Scale> {
    const scales = this.axes.map((axis): [string, uPlot.Scale] => [
      axis.scale,
      {
        distr: this.plan.ranges[axis.unit]?.isLogarithmic ? 3 : 1,
        range: (plot, least, most) => this.underBands(plot, axis, this.rangeOf(plot, axis, least, most)),
      },
    ]);
    return { ...Object.fromEntries(scales), [NO_SCALE]: { range: [0, 1] } };
  }

  /** The range with room for the bands above its values, unless a person has fixed its upper end. */
  private underBands(plot: uPlot, { unit }: ValueAxis, [low, high]: [number, number]): [number, number] {
    const height = plot.bbox.height / uPlot.pxRatio;
    const { max, isLogarithmic } = this.plan.ranges[unit] ?? {};
    if (this.bands.length === 0 || max !== undefined || !(height > 0)) return [low, high];
    const stretch = 1 / (1 - heightOfBands(this.bands.length, height) / height);
    return isLogarithmic ? [low, low * (high / low) ** stretch] : [low, low + (high - low) * stretch];
  }

  /** A threshold within reach of the values is shown; one far away would make a flat line of them. */
  private rangeOf(
    { data }: uPlot,
    { unit, members }: ValueAxis,
    least: number | null,
    most: number | null,
  ): [number, number] {
    const fixed = this.plan.ranges[unit];
    if (fixed?.isLogarithmic) {
      const shown = members.filter((member) => !this.plan.lines[member]?.isHidden);
      const [low, high] = logarithmicRange(shown.map((member) => data[member + 1] ?? []));
      const [min, max] = [positive(fixed.min) ?? low, positive(fixed.max) ?? high];
      return max > min ? [min, max] : [min, 10 * min];
    }
    const isLabelled = this.plan.lines[members[0] as number]?.labels !== undefined;
    const [low, high] =
      isLabelled && least !== null && most !== null ? [least - 0.5, most + 0.5] : valueRange(least, most);
    const isNear = (value: number): boolean => value > low - (high - low) && value < high + (high - low);
    const near = this.plan.thresholds.filter((each) => each.unit === unit && isNear(each.value));
    const values = near.map(({ value }) => value);
    const room = values.length > 0 ? (high - low) * 0.06 : 0;
    const min = fixed?.min ?? Math.min(low, ...values.map((value) => value - room));
    const max = fixed?.max ?? Math.max(high, ...values.map((value) => value + room));
    return max > min ? [min, max] : [min - 1, min + 1];
  }

  private timeAxis(): uPlot.Axis {
    return {
      ...this.axisLook(),
      size: 28,
      incrs: [...TIME_STEPS],
      values: (_, splits) => timeTexts(splits),
    };
  }

  private valueAxis(axis: ValueAxis, index: number): uPlot.Axis {
    const labels = this.plan.lines[axis.members[0] as number]?.labels;
    const title = axisTitle(axis);
    return {
      ...this.axisLook(),
      scale: axis.scale,
      side: axis.side === 'left' ? 3 : 1,
      grid: { show: index === 0, stroke: this.look.line, width: 1 },
      size: (_, values) => 14 + (labels ? 7.6 : 7) * Math.max(3, ...(values ?? []).map((text) => text.length)),
      ...(title !== '' && { label: title, labelSize: 16, labelFont: this.look.font, labelGap: 0 }),
      ...(labels && { incrs: [1, 2, 5, 10, 20, 50, 100] }),
      values: (_, splits) => this.textsOf(axis, labels, splits),
    };
  }

  private textsOf({ unit }: ValueAxis, labels: DrawnLine['labels'], splits: readonly number[]): string[] {
    if (labels) return splits.map((split) => labelOf(labels, split));
    return this.plan.ranges[unit]?.isLogarithmic ? decadeTexts(splits) : valueTexts(splits);
  }

  private axisLook(): uPlot.Axis {
    const { ink, line, font } = this.look;
    return {
      stroke: ink,
      font,
      grid: { stroke: line, width: 1 },
      ticks: { stroke: line, width: 1, size: 4 },
      gap: 4,
    };
  }

  private series(
    { label, isStepped, isHidden, colour, isDashed, width, limits, band }: DrawnLine,
    index: number,
  ): uPlot.Series {
    const scale = this.axes.find(({ members }) => members.includes(index))?.scale ?? NO_SCALE;
    if (band) return { label, scale, show: !isHidden, paths: () => null, points: { show: false } };
    const paths = isStepped ? uPlot.paths.stepped?.({ align: 1 }) : uPlot.paths.linear?.();
    return {
      label,
      scale,
      show: !isHidden,
      stroke: limits ? (plot) => limitStroke(plot, scale, limits, this.look, colour) : colour,
      width: width === 1 ? lineWidth() : width,
      ...(isDashed && { dash: [...DASH] }),
      // On whole pixels, a slope would be stairs.
      pxAlign: isStepped,
      points: { show: false, size: POINT, fill: colour, filter: lonely },
      ...(paths && { paths: width === 1 && !isDashed ? thickened(paths) : paths }),
    };
  }

  private selected(plot: uPlot): void {
    const { left, width } = plot.select;
    if (width <= 0) return;
    const [from, to] = [plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')];
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    this.gestures.onSelect(from, to);
  }

  /** Of the charts that show one cursor, the one under the pointer tells its time. */
  private cursorMoved({ cursor, posToVal, over }: uPlot): void {
    const left = cursor.left ?? -1;
    if (left < 0) this.gestures.onCursor(undefined);
    else if (over.matches(':hover')) this.gestures.onCursor(posToVal(left, 'x'));
  }
}

/** Of what people do with the pointer, other charts are told where it is. */
const isCursor = (type: string): boolean => type === 'mousemove' || type === 'mouseleave';

/** A value between two gaps is no line, and would not be seen. */
function lonely({ data }: uPlot, index: number): number[] | null {
  // At the times of other lines, this one has nothing that could be a gap.
  const own = (data[index] as readonly unknown[]).flatMap((value, at) => (value === undefined ? [] : [{ value, at }]));
  const isGap = (k: number): boolean => typeof own[k]?.value !== 'number';
  const found = own.flatMap(({ at }, k) => (!isGap(k) && isGap(k - 1) && isGap(k + 1) ? [at] : []));
  return found.length > 0 ? found : null;
}

const thickened =
  (paths: uPlot.Series.PathBuilder): uPlot.Series.PathBuilder =>
  (plot, index, first, last) => {
    const made = paths(plot, index, first, last);
    if (made?.stroke instanceof Path2D) thicken(made.stroke);
    return made;
  };

const positive = (value: number | undefined): number | undefined =>
  value !== undefined && value > 0 ? value : undefined;

const labelOf = (labels: Readonly<Record<string, number>>, value: number): string =>
  Object.keys(labels).find((label) => labels[label] === value) ?? '';
