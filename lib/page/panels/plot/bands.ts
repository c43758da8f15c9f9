// Coloured bands above the lines of a chart: what a text, an enumeration or a switch was, as long as it was so.
import uPlot from 'uplot';
import { type Look, seriesColour } from './look.js';

export interface Band {
  readonly label: string;
  /** Index of its column in the plot's data. */
  readonly column: number;
  readonly wordOf: (value: number) => string;
  /** False for the values of a switch that is off, which have no colour. */
  readonly isOn: (value: number) => boolean;
}

/** In pixels of the style sheet. */
const HEIGHT = 18;
const GAP = 3;
/** Of the plot's height; more bands are lower. */
const MOST_SHARE = 0.6;
const PADDING = 5;

/** Height that bands take of a plot of a height, in the same pixels. */
export const heightOfBands = (count: number, plotHeight: number, ratio = 1): number =>
  Math.min(count * (HEIGHT + GAP) * ratio, plotHeight * MOST_SHARE);

export interface Segment {
  readonly from: number;
  readonly to: number;
  readonly value: number;
}

/** Stretches of one value each; a value holds until the next, and null is none. */
export function segmentsOf(times: readonly number[], values: readonly (number | null | undefined)[]): Segment[] {
  const segments: Segment[] = [];
  let open: { from: number; value: number } | undefined;
  const close = (to: number): void => {
    if (open) segments.push({ ...open, to });
    open = undefined;
  };
  for (const [index, time] of times.entries()) {
    const value = values[index];
    if (open && open.value === value) continue;
    close(time);
    if (typeof value === 'number') open = { from: time, value };
  }
  close(times.at(-1) ?? 0);
  return segments;
}

/** Draws the bands over the upper edge of the plot. */
export function drawBands(plot: uPlot, bands: readonly Band[], look: Look): void {
  const { ctx, bbox } = plot;
  const ratio = uPlot.pxRatio;
  const step = heightOfBands(bands.length, bbox.height, ratio) / Math.max(bands.length, 1);
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.font = look.font.replace(/\d+px/, `${Math.round(11 * ratio)}px`);
  ctx.textBaseline = 'middle';
  for (const [row, band] of bands.entries()) {
    const top = bbox.top + row * step;
    drawBand(plot, band, look, { top, height: Math.max(step - GAP * ratio, 2) });
  }
  ctx.restore();
}

function drawBand(plot: uPlot, band: Band, look: Look, { top, height }: { top: number; height: number }): void {
  const { ctx, bbox } = plot;
  const [times, values] = [plot.data[0] as number[], plot.data[band.column] as (number | null)[]];
  const middle = top + height / 2;
  const right = bbox.left + bbox.width;
  const padding = PADDING * uPlot.pxRatio;
  const isHigh = height >= 11 * uPlot.pxRatio;
  ctx.textAlign = 'left';
  const nameWidth = isHigh ? ctx.measureText(band.label).width : 0;
  let isFirst = true;
  for (const { from, to, value } of segmentsOf(times, values)) {
    const [start, end] = [plot.valToPos(from, 'x', true), plot.valToPos(to, 'x', true)];
    if (end < bbox.left || start > right) continue;
    const width = Math.max(end - start, 1);
    ctx.fillStyle = band.isOn(value) ? seriesColour(look, Math.abs(Math.trunc(value))) : look.line;
    ctx.globalAlpha = band.isOn(value) ? 0.3 : 0.5;
    ctx.fillRect(start, top, width, height);
    ctx.globalAlpha = 1;
    const [left, word] = [Math.max(start, bbox.left) + padding, band.wordOf(value)];
    const shown = isFirst ? `${band.label}: ${word}` : word;
    const room = Math.min(end, right) - left - padding;
    ctx.fillStyle = look.ink;
    if (isHigh && ctx.measureText(shown).width <= room) ctx.fillText(shown, left, middle);
    else if (isHigh && isFirst && nameWidth <= room) ctx.fillText(band.label, left, middle);
    isFirst = false;
  }
}
