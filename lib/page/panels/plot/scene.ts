// What a chart shows besides its lines: thresholds, what happened when, and the times that a person looks at.
import uPlot from 'uplot';
import type { Look } from './look.js';
import type { ValueAxis } from './value-axes.js';

export interface DrawnThreshold {
  readonly value: number;
  /** That of its axis. */
  readonly unit: string;
  readonly level: 'warning' | 'alarm';
}

/** Something that happened at a time. */
export interface Happening {
  readonly seconds: number;
  readonly kind: 'freeze' | 'run' | 'event' | 'checkpoint' | 'jump' | 'message';
  readonly text: string;
}

export interface Scene {
  /** Times of the cursors; undefined for none. */
  readonly looked: number | undefined;
  readonly marked: number | undefined;
  readonly happenings: readonly Happening[];
  /** Where a playback is; undefined where nothing is played. */
  readonly place?: number | undefined;
}

const SIGN = 4;

export function drawScene(plot: uPlot, { looked, marked, happenings, place }: Scene, look: Look): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  for (const happening of happenings) drawHappening(plot, happening, look);
  if (place !== undefined) upright(plot, plot.valToPos(place, 'x', true), look.accent, [2, 2]);
  if (marked !== undefined && looked !== undefined) {
    const [one, other] = [plot.valToPos(marked, 'x', true), plot.valToPos(looked, 'x', true)];
    ctx.fillStyle = look.accent;
    ctx.globalAlpha = 0.07;
    ctx.fillRect(Math.min(one, other), bbox.top, Math.abs(other - one), bbox.height);
    ctx.globalAlpha = 1;
    upright(plot, other, look.ink, [3, 3]);
    upright(plot, one, look.accent, []);
  }
  ctx.restore();
}

function upright({ ctx, bbox }: uPlot, left: number, colour: string, dash: readonly number[]): void {
  const x = Math.round(left) + 0.5;
  ctx.strokeStyle = colour;
  ctx.lineWidth = uPlot.pxRatio;
  ctx.setLineDash(dash.map((length) => length * uPlot.pxRatio));
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
}

/** A thin line with a sign of its kind at its foot: a square, a triangle, a bar or a circle. */
function drawHappening(plot: uPlot, { seconds, kind }: Happening, look: Look): void {
  const { ctx, bbox } = plot;
  const x = plot.valToPos(seconds, 'x', true);
  if (x < bbox.left - SIGN || x > bbox.left + bbox.width + SIGN) return;
  upright(plot, x, look.line, []);
  const size = SIGN * uPlot.pxRatio;
  const y = bbox.top + bbox.height - size - 1;
  ctx.setLineDash([]);
  ctx.fillStyle = kind === 'message' ? look.warning : kind === 'event' ? look.accent : look.ink;
  ctx.beginPath();
  if (kind === 'checkpoint' || kind === 'jump') ctx.rect(x - size, y - size, 2 * size, 2 * size);
  else if (kind === 'freeze') ctx.rect(x - size / 2, y - size, size, 2 * size);
  else if (kind === 'run') triangle(ctx, [x - size, y - size, x + size, y, x - size, y + size]);
  else if (kind === 'event') triangle(ctx, [x - size, y + size, x, y - size, x + size, y + size]);
  else ctx.arc(x, y, size, 0, 2 * Math.PI);
  ctx.fill();
}

function triangle(ctx: CanvasRenderingContext2D, [a, b, c, d, e, f]: readonly number[]): void {
  ctx.moveTo(a as number, b as number);
  ctx.lineTo(c as number, d as number);
  ctx.lineTo(e as number, f as number);
  ctx.closePath();
}

export function drawThresholds(
  plot: uPlot,
  axes: readonly ValueAxis[],
  thresholds: readonly DrawnThreshold[],
  look: Look,
): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio]);
  for (const { value, unit, level } of thresholds) {
    const axis = axes.find((each) => each.unit === unit);
    if (!axis) continue;
    const y = Math.round(plot.valToPos(value, axis.scale, true)) + 0.5;
    if (!(y >= bbox.top && y <= bbox.top + bbox.height)) continue;
    ctx.strokeStyle = level === 'alarm' ? look.alarm : look.warning;
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
  }
  ctx.restore();
}
