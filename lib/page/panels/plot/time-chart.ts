// A chart over simulation time on a canvas, by uPlot: it draws what it is given, and tells what people do with it.
import uPlot from 'uplot';
import { timeTexts, valueTexts } from './axis-texts.js';
import { listenToPointer, type PointerMove, unlessPanning } from './chart-pointer.js';
import { lineWidth, thicken } from './line-width.js';
import { type Look, seriesColour } from './look.js';
import type { DrawnSamples } from './sample-pyramid.js';
import { axisTitle, type ValueAxis, valueAxes, valueRange } from './value-axes.js';

export interface DrawnLine {
  readonly label: string;
  readonly unit: string;
  /** A value that holds until the next one: integers, switches, enumerations. */
  readonly isStepped: boolean;
  readonly labels?: Readonly<Record<string, number>> | undefined;
  readonly isHidden: boolean;
}

export interface DrawnThreshold {
  readonly value: number;
  readonly unit: string;
  readonly level: 'warning' | 'alarm';
}

export interface ChartPlan {
  readonly lines: readonly DrawnLine[];
  readonly thresholds: readonly DrawnThreshold[];
  readonly ranges: Readonly<Record<string, { readonly min?: number | undefined; readonly max?: number | undefined }>>;
}

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
  /** Undefined when the pointer has left. */
  onCursor(time: number | undefined): void;
}

/** The size of a value between two gaps, in pixels. */
const POINT = 2;
/** Room for half of the time axis's last label. */
const LAST_LABEL = 28;
const ONE_CURSOR = uPlot.sync('varwire-time');

export class TimeChart {
  private readonly plot: uPlot;
  private readonly axes: readonly ValueAxis[];
  private readonly ends = new AbortController();

  constructor(
    element: HTMLElement,
    private readonly plan: ChartPlan,
    private readonly look: Look,
    private readonly gestures: ChartGestures,
  ) {
    this.axes = valueAxes(plan.lines.map(({ unit }) => unit));
    const empty: uPlot.AlignedData = [[], ...plan.lines.map(() => [])];
    this.plot = new uPlot(this.options(element), empty, element);
    ONE_CURSOR.sub(this.plot);
    listenToPointer(this.plot.over, 'x', (move) => this.pointerMoved(move), this.ends.signal);
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
  draw({ times, columns }: DrawnSamples, from: number, to: number): void {
    this.plot.batch(() => {
      this.plot.setData([times, ...columns], false);
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
        points: { size: 5 },
        bind: { mousedown: unlessPanning, dblclick: () => () => this.follow() },
      },
      hooks: {
        setSelect: [(plot) => this.selected(plot)],
        setCursor: [(plot) => this.cursorMoved(plot)],
        draw: [(plot) => this.drawThresholds(plot)],
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
      { range: (_, least, most) => this.rangeOf(axis, least, most) },
    ]);
    return Object.fromEntries(scales);
  }

  /** A threshold within reach of the values is shown; one far away would make a flat line of them. */
  private rangeOf({ unit, members }: ValueAxis, least: number | null, most: number | null): [number, number] {
    const fixed = this.plan.ranges[unit];
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
      values: (_, splits) => (labels ? splits.map((split) => labelOf(labels, split)) : valueTexts(splits)),
    };
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

  private series({ label, isStepped, isHidden }: DrawnLine, index: number): uPlot.Series {
    const scale = this.axes.find(({ members }) => members.includes(index))?.scale ?? 'y0';
    const paths = isStepped ? uPlot.paths.stepped?.({ align: 1 }) : uPlot.paths.linear?.();
    return {
      label,
      scale,
      show: !isHidden,
      stroke: seriesColour(this.look, index),
      width: lineWidth(),
      // On whole pixels, a slope would be stairs.
      pxAlign: isStepped,
      points: { show: false, size: POINT, fill: seriesColour(this.look, index), filter: lonely },
      ...(paths && { paths: thickened(paths) }),
    };
  }

  private selected(plot: uPlot): void {
    const { left, width } = plot.select;
    if (width <= 0) return;
    const [from, to] = [plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')];
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    this.gestures.onSelect(from, to);
  }

  private cursorMoved({ cursor, posToVal }: uPlot): void {
    const left = cursor.left ?? -1;
    this.gestures.onCursor(left < 0 ? undefined : posToVal(left, 'x'));
  }

  private drawThresholds(plot: uPlot): void {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio]);
    for (const { value, unit, level } of this.plan.thresholds) {
      const axis = this.axes.find((each) => each.unit === unit);
      if (!axis) continue;
      const y = Math.round(plot.valToPos(value, axis.scale, true)) + 0.5;
      if (y < bbox.top || y > bbox.top + bbox.height) continue;
      ctx.strokeStyle = level === 'alarm' ? this.look.alarm : this.look.warning;
      ctx.beginPath();
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(bbox.left + bbox.width, y);
      ctx.stroke();
    }
    ctx.restore();
  }
}

/** Of what people do with the pointer, other charts are told where it is. */
const isCursor = (type: string): boolean => type === 'mousemove' || type === 'mouseleave';

/** A value between two gaps is no line, and would not be seen. */
function lonely({ data }: uPlot, index: number): number[] | null {
  const values = data[index] as readonly unknown[];
  const isGap = (at: number): boolean => typeof values[at] !== 'number';
  const found = values.flatMap((_, k) => (!isGap(k) && isGap(k - 1) && isGap(k + 1) ? [k] : []));
  return found.length > 0 ? found : null;
}

const thickened =
  (paths: uPlot.Series.PathBuilder): uPlot.Series.PathBuilder =>
  (plot, index, first, last) => {
    const made = paths(plot, index, first, last);
    if (made?.stroke instanceof Path2D) thicken(made.stroke);
    return made;
  };

const labelOf = (labels: Readonly<Record<string, number>>, value: number): string =>
  Object.keys(labels).find((label) => labels[label] === value) ?? '';
