// Trajectories on a canvas, by uPlot: y over x, in the order of time, with a point where each of them is now.
import uPlot from 'uplot';
import { valueTexts } from './axis-texts.js';
import { type Extent, equalRanges, extentOf } from './equal-scale.js';
import { type Look, seriesColour } from './look.js';

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

export interface TrajectoryPlan {
  readonly xTitle: string;
  readonly yTitle: string;
  readonly count: number;
  readonly isEqual: boolean;
}

export class TrajectoryChart {
  readonly #plot: uPlot;
  #drawn: readonly Points[] = [];

  constructor(
    element: HTMLElement,
    private readonly plan: TrajectoryPlan,
    private readonly look: Look,
    private readonly onPoint: (point: PointedAt | undefined) => void,
  ) {
    this.#plot = new uPlot(this.#options(element), [[], ...seriesOf([], plan.count)] as never, element);
  }

  get canvas(): HTMLCanvasElement {
    return this.#plot.ctx.canvas;
  }

  get widthPixels(): number {
    return this.#plot.over.clientWidth;
  }

  draw(points: readonly Points[]): void {
    this.#drawn = points;
    const { over } = this.#plot;
    const x = joined(points.map((each) => extentOf(each.x)));
    const y = joined(points.map((each) => extentOf(each.y)));
    const ranges = this.plan.isEqual ? equalRanges(x, y, over.clientWidth, over.clientHeight) : { x, y };
    this.#plot.batch(() => {
      this.#plot.setData([[], ...seriesOf(points, this.plan.count)] as never, false);
      this.#plot.setScale('x', ranges.x);
      this.#plot.setScale('y', ranges.y);
    });
  }

  resize(width: number, height: number): void {
    this.#plot.setSize({ width, height });
  }

  close(): void {
    this.#plot.destroy();
  }

  #options(element: HTMLElement): uPlot.Options {
    const series = Array.from({ length: this.plan.count }, (_, index) => this.#series(index));
    return {
      mode: 2,
      width: Math.max(element.clientWidth, 1),
      height: Math.max(element.clientHeight, 1),
      legend: { show: false },
      padding: [12, 16, 0, 0],
      scales: { x: { time: false, auto: false }, y: { auto: false } },
      axes: [this.#axis('x', this.plan.xTitle), this.#axis('y', this.plan.yTitle)],
      series: [{}, ...series] as uPlot.Series[],
      cursor: { drag: { x: false, y: false, setScale: false }, points: { show: false } },
      hooks: { setCursor: [(plot) => this.#pointed(plot)], draw: [(plot) => this.#drawHeads(plot)] },
    };
  }

  #axis(scale: string, title: string): uPlot.Axis {
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

  #series(index: number): uPlot.Series {
    return {
      facets: [
        { scale: 'x', auto: false },
        { scale: 'y', auto: false },
      ],
      stroke: seriesColour(this.look, index),
      width: 1.5,
      paths: (plot, seriesIndex) => pathOf(plot, this.#drawn[seriesIndex - 1]),
    } as uPlot.Series;
  }

  /** Where each trajectory is now. */
  #drawHeads({ ctx, valToPos }: uPlot): void {
    // uPlot remembers what it has set, so its own lines would be drawn with what is set here.
    ctx.save();
    for (const [index, { x, y }] of this.#drawn.entries()) {
      const [lastX, lastY] = [x.at(-1), y.at(-1)];
      if (typeof lastX !== 'number' || typeof lastY !== 'number') continue;
      ctx.beginPath();
      ctx.arc(valToPos(lastX, 'x', true), valToPos(lastY, 'y', true), 4.5 * devicePixelRatio, 0, 2 * Math.PI);
      ctx.fillStyle = seriesColour(this.look, index);
      ctx.strokeStyle = this.look.surface;
      ctx.lineWidth = 2 * devicePixelRatio;
      ctx.fill();
      ctx.stroke();
    }
    ctx.restore();
  }

  #pointed({ cursor, valToPos }: uPlot): void {
    const { left = -1, top = -1 } = cursor;
    let nearest: PointedAt | undefined;
    let least = REACH_PIXELS ** 2;
    for (const [trajectory, { times, x, y }] of this.#drawn.entries()) {
      for (let k = 0; left >= 0 && k < times.length; k++) {
        const [pointX, pointY] = [x[k], y[k]];
        if (typeof pointX !== 'number' || typeof pointY !== 'number') continue;
        const distance = (valToPos(pointX, 'x') - left) ** 2 + (valToPos(pointY, 'y') - top) ** 2;
        if (distance >= least) continue;
        least = distance;
        nearest = { trajectory, time: times[k] as number, x: pointX, y: pointY };
      }
    }
    this.onPoint(nearest);
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
