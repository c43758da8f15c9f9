// Trajectories on a canvas, by uPlot: y over x, in the order of time, with a point where each of them is now.
import uPlot from 'uplot';
import { valueTexts } from './axis-texts.js';
import { listenToPointer, type PointerMove, unlessPanning } from './chart-pointer.js';
import { type Extent, equalRanges, extentOf } from './equal-scale.js';
import { type Look, seriesColour } from './look.js';
import { type PlanePlace, type PlaneView, panPlane, partOf, zoomPlane } from './plane-view.js';
import { planeSvgOf } from './svg-chart.js';

/** The points of one trajectory, in the order of time; null interrupts it. */
export interface Points {
  readonly times: readonly number[];
  readonly x: readonly (number | null)[];
  readonly y: readonly (number | null)[];
}

/** A point of a trajectory under the cursor. */
export interface PointedAt {
  readonly trajectory: number;
  readonly time: number;
  readonly x: number;
  readonly y: number;
}

/** As near as this many pixels. */
const REACH_PIXELS = 24;
/** Room for half of the axis's last label. */
const LAST_LABEL = 28;
/** A frame with a shorter side shows nothing. */
const LEAST_FRAME = 8;

export interface TrajectoryPlan {
  readonly xTitle: string;
  readonly yTitle: string;
  readonly count: number;
  readonly isEqual: boolean;
  /** Those of the trajectories; without them each has its own. */
  readonly colours?: readonly string[];
}

/** What a person does on the plot. */
export interface TrajectoryGestures {
  onPoint(point: PointedAt | undefined): void;
  /** A person wants another part of the plane; undefined for all that is drawn. */
  onView(view: PlaneView | undefined): void;
  /** The part that is wanted now; the plot may show an earlier one, as several gestures come in one picture. */
  wanted(): PlaneView | undefined;
}

export class TrajectoryChart {
  private readonly plot: uPlot;
  private readonly ends = new AbortController();
  private drawn: readonly Points[] = [];
  private shown: PlaneView = { x: { min: -1, max: 1 }, y: { min: -1, max: 1 } };

  constructor(
    element: HTMLElement,
    private readonly plan: TrajectoryPlan,
    private readonly look: Look,
    private readonly gestures: TrajectoryGestures,
  ) {
    this.plot = new uPlot(this.options(element), [[], ...seriesOf([], plan.count)] as never, element);
    listenToPointer(this.plot.over, 'x and y', (move) => this.pointerMoved(move), this.ends.signal);
  }

  get canvas(): HTMLCanvasElement {
    return this.plot.ctx.canvas;
  }

  get widthPixels(): number {
    return this.plot.over.clientWidth;
  }

  draw(points: readonly Points[]): void {
    this.drawn = points;
    const ranges = this.view;
    this.shown = ranges;
    this.plot.batch(() => {
      this.plot.setData([[], ...seriesOf(points, this.plan.count)] as never, false);
      this.plot.setScale('x', ranges.x);
      this.plot.setScale('y', ranges.y);
    });
  }

  /** The part of the plane that is wanted now, with equal axes where they are. */
  get view(): PlaneView {
    const { clientWidth, clientHeight } = this.plot.over;
    const { x, y } = this.gestures.wanted() ?? this.whole();
    return this.plan.isEqual ? equalRanges(x, y, clientWidth, clientHeight) : { x, y };
  }

  private whole(): PlaneView {
    const x = joined(this.drawn.map((each) => extentOf(each.x)));
    const y = joined(this.drawn.map((each) => extentOf(each.y)));
    return { x, y };
  }

  /** What is drawn. @param labels of the trajectories. */
  svg(labels: readonly string[]): string {
    const { plot, look } = this;
    const { xTitle, yTitle } = this.plan;
    const trajectories = this.drawn.map(({ x, y }, k) => ({ label: labels[k] ?? '', colour: this.colourOf(k), x, y }));
    return planeSvgOf({ plot, look, xTitle, yTitle, trajectories });
  }

  resize(width: number, height: number): void {
    this.plot.setSize({ width, height });
  }

  close(): void {
    this.ends.abort();
    this.plot.destroy();
  }

  private placeOf(left: number, top: number): PlanePlace {
    const { clientWidth, clientHeight } = this.plot.over;
    return { across: left / Math.max(clientWidth, 1), down: top / Math.max(clientHeight, 1) };
  }

  private pointerMoved({ factor, pixels, center }: PointerMove): void {
    const zoomed = zoomPlane(this.view, factor, this.placeOf(center.x, center.y));
    this.gestures.onView(panPlane(zoomed, this.placeOf(pixels.x, pixels.y)));
  }

  /** Called when a frame was drawn around a part. */
  private selected(plot: uPlot): void {
    const { left, top, width, height } = plot.select;
    if (width <= 0 && height <= 0) return;
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    if (width < LEAST_FRAME || height < LEAST_FRAME) return;
    const [from, to] = [this.placeOf(left, top), this.placeOf(left + width, top + height)];
    this.gestures.onView(partOf(this.shown, from, to));
  }

  private showAll(): null {
    this.gestures.onView(undefined);
    return null;
  }

  private options(element: HTMLElement): uPlot.Options {
    const series = Array.from({ length: this.plan.count }, (_, index) => this.series(index));
    return {
      mode: 2,
      width: Math.max(element.clientWidth, 1),
      height: Math.max(element.clientHeight, 1),
      legend: { show: false },
      padding: [12, LAST_LABEL, 0, 0],
      scales: { x: { time: false, auto: false }, y: { auto: false } },
      axes: [this.axis('x', this.plan.xTitle), this.axis('y', this.plan.yTitle)],
      series: [{}, ...series] as uPlot.Series[],
      cursor: {
        drag: { x: true, y: true, setScale: false, dist: 6 },
        points: { show: false },
        bind: { mousedown: unlessPanning, dblclick: () => () => this.showAll() },
      },
      hooks: {
        setSelect: [(plot) => this.selected(plot)],
        setCursor: [(plot) => this.pointed(plot)],
        draw: [(plot) => this.drawHeads(plot)],
      },
    };
  }

  private axis(scale: string, title: string): uPlot.Axis {
    const { ink, line, font } = this.look;
    return {
      scale,
      stroke: ink,
      font,
      label: title,
      labelFont: font,
      labelSize: 16,
      labelGap: 0,
      gap: 4,
      size: scale === 'x' ? 28 : 48,
      values: (_, splits) => valueTexts(splits),
      grid: { stroke: line, width: 1 },
      ticks: { stroke: line, width: 1, size: 4 },
    };
  }

  private colourOf(index: number): string {
    return this.plan.colours?.[index] ?? seriesColour(this.look, index);
  }

  private series(index: number): uPlot.Series {
    return {
      facets: [
        { scale: 'x', auto: false },
        { scale: 'y', auto: false },
      ],
      stroke: this.colourOf(index),
      width: 1.5,
      paths: (plot, seriesIndex) => pathOf(plot, this.drawn[seriesIndex - 1]),
    } as uPlot.Series;
  }

  /** Draws a point where each trajectory is now. */
  private drawHeads({ ctx, valToPos }: uPlot): void {
    // uPlot remembers what it has set, so its own lines would be drawn with what is set here.
    ctx.save();
    for (const [index, { x, y }] of this.drawn.entries()) {
      const [lastX, lastY] = [x.at(-1), y.at(-1)];
      if (typeof lastX !== 'number' || typeof lastY !== 'number') continue;
      ctx.beginPath();
      ctx.arc(valToPos(lastX, 'x', true), valToPos(lastY, 'y', true), 4.5 * devicePixelRatio, 0, 2 * Math.PI);
      ctx.fillStyle = this.colourOf(index);
      ctx.strokeStyle = this.look.surface;
      ctx.lineWidth = 2 * devicePixelRatio;
      ctx.fill();
      ctx.stroke();
    }
    ctx.restore();
  }

  private pointed({ cursor, valToPos }: uPlot): void {
    const { left = -1, top = -1 } = cursor;
    let nearest: PointedAt | undefined;
    let least = REACH_PIXELS ** 2;
    for (const [trajectory, { times, x, y }] of this.drawn.entries()) {
      for (let k = 0; left >= 0 && k < times.length; k++) {
        const [pointX, pointY] = [x[k], y[k]];
        if (typeof pointX !== 'number' || typeof pointY !== 'number') continue;
        const distance = (valToPos(pointX, 'x') - left) ** 2 + (valToPos(pointY, 'y') - top) ** 2;
        if (distance >= least) continue;
        least = distance;
        nearest = { trajectory, time: times[k] as number, x: pointX, y: pointY };
      }
    }
    this.gestures.onPoint(nearest);
  }
}

const seriesOf = (points: readonly Points[], count: number): unknown[] =>
  Array.from({ length: count }, (_, index) => [points[index]?.x ?? [], points[index]?.y ?? []]);

function joined(extents: readonly Extent[]): Extent {
  const min = Math.min(...extents.map((extent) => extent.min));
  const max = Math.max(...extents.map((extent) => extent.max));
  return max > min ? { min, max } : { min: -1, max: 1 };
}

function pathOf(plot: uPlot, points: Points | undefined): uPlot.Series.Paths {
  const stroke = new Path2D();
  let isOpen = false;
  for (let k = 0; k < (points?.times.length ?? 0); k++) {
    const [x, y] = [points?.x[k], points?.y[k]];
    if (typeof x !== 'number' || typeof y !== 'number') {
      isOpen = false;
      continue;
    }
    const [left, top] = [plot.valToPos(x, 'x', true), plot.valToPos(y, 'y', true)];
    if (isOpen) stroke.lineTo(left, top);
    else stroke.moveTo(left, top);
    isOpen = true;
  }
  return { stroke };
}
