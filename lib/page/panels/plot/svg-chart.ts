// A chart, or trajectories, as SVG: the same lines, bands and axes as on the canvas, for papers and slides.
import uPlot from 'uplot';
import { segmentsOf } from './bands.js';
import type { ChartPlan, DrawnLine } from './chart-plan.js';
import { type Look, seriesColour } from './look.js';
import { axisTitle, type ValueAxis } from './value-axes.js';

interface Drawn {
  readonly plot: uPlot;
  readonly plan: ChartPlan;
  readonly axes: readonly ValueAxis[];
  readonly look: Look;
}

/** What uPlot knows of the ticks that it has drawn, in the order of the axes. */
interface Ticks {
  readonly _splits?: readonly (number | null)[] | null;
  readonly _values?: readonly (string | null)[] | null;
}

const LEGEND = 22;
const BAND = { height: 18, step: 21 };

export function svgOf({ plot, plan, axes, look }: Drawn): string {
  const ratio = uPlot.pxRatio;
  const box = boxOf(plot);
  const x = (value: number): number => plot.valToPos(value, 'x', true) / ratio;
  const y = (scale: string) => (value: number) => plot.valToPos(value, scale, true) / ratio + LEGEND;
  const shown = plan.lines.map((line, index) => ({ line, index })).filter(({ line }) => !line.isHidden);
  const scaleOf = (index: number): string => axes.find(({ members }) => members.includes(index))?.scale ?? '';
  const lines = shown.filter(({ line }) => !line.band);
  const bands = shown.filter(({ line }) => line.band);
  return sheetOf(plot, look, [
    ...timeTicks(plot, box, x, look),
    ...axes.flatMap((axis, k) => valueTicks(plot, axis, k, box, y(axis.scale), look)),
    ...clipped(box, [
      ...lines.map(({ line, index }) => linePath(plot, line, index, x, y(scaleOf(index)))),
      ...bands.flatMap(({ line, index }, row) => bandParts(plot, line, index, box.top + row * BAND.step, x, look)),
      ...plan.thresholds.flatMap(({ value, unit, level }) => {
        const axis = axes.find((each) => each.unit === unit);
        const at = axis && round(y(axis.scale)(value));
        const colour = level === 'alarm' ? look.alarm : look.warning;
        return at === undefined
          ? []
          : [`<path d="M${box.left} ${at}h${box.width}" stroke="${colour}" stroke-dasharray="6 4"/>`];
      }),
    ]),
    ...legend(plan.lines, look),
  ]);
}

/** Numbers over numbers; null interrupts it. */
interface Trajectory {
  readonly label: string;
  readonly colour: string;
  readonly x: readonly (number | null)[];
  readonly y: readonly (number | null)[];
}

interface DrawnPlane {
  readonly plot: uPlot;
  readonly look: Look;
  readonly xTitle: string;
  readonly yTitle: string;
  readonly trajectories: readonly Trajectory[];
}

/** The axis of values of a plane: its title stands along it. */
const PLANE_AXIS: ValueAxis = { scale: 'y', unit: '1', members: [], side: 'left' };

/** @param plot with the scales x and y. */
export function planeSvgOf({ plot, look, xTitle, yTitle, trajectories }: DrawnPlane): string {
  const ratio = uPlot.pxRatio;
  const box = boxOf(plot);
  const x = (value: number): number => plot.valToPos(value, 'x', true) / ratio;
  const y = (value: number): number => plot.valToPos(value, 'y', true) / ratio + LEGEND;
  const [across, down] = [box.left + box.width / 2, box.top + box.height / 2];
  return sheetOf(plot, look, [
    ...timeTicks(plot, box, x, look),
    ...valueTicks(plot, PLANE_AXIS, 0, box, y, look),
    text(across, box.top + box.height + 32, xTitle, look.ink, 'middle'),
    `<g transform="rotate(-90 12 ${round(down)})">${text(12, down, yTitle, look.ink, 'middle')}</g>`,
    ...clipped(
      box,
      trajectories.map((one) => `<path d="${planePath(one, x, y)}" stroke="${one.colour}" stroke-width="1.5"/>`),
    ),
    ...legend(trajectories, look),
  ]);
}

function planePath(trajectory: Trajectory, across: (x: number) => number, down: (y: number) => number): string {
  let [path, isOn] = ['', false];
  for (const [k, x] of trajectory.x.entries()) {
    const y = trajectory.y[k];
    const isPoint = typeof x === 'number' && typeof y === 'number';
    if (isPoint) path += `${isOn ? 'L' : 'M'}${round(across(x))} ${round(down(y))}`;
    isOn = isPoint;
  }
  return path;
}

function boxOf({ bbox }: uPlot): Box {
  const ratio = uPlot.pxRatio;
  return {
    left: bbox.left / ratio,
    top: bbox.top / ratio + LEGEND,
    width: bbox.width / ratio,
    height: bbox.height / ratio,
  };
}

const clipped = (box: Box, parts: readonly string[]): string[] => [
  `<clipPath id="plot"><rect x="${box.left}" y="${box.top}" width="${box.width}" height="${box.height}"/></clipPath>`,
  '<g clip-path="url(#plot)">',
  ...parts,
  '</g>',
];

function sheetOf(plot: uPlot, look: Look, parts: readonly string[]): string {
  const [width, height] = [plot.width, plot.height + LEGEND];
  const font = look.font.replace(/^\d+px /, '');
  const ground = `<rect width="100%" height="100%" fill="${look.surface}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${escaped(font)}" font-size="11" fill="none">\n${[ground, ...parts].join('\n')}\n</svg>\n`;
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const round = (value: number): number => Math.round(value * 100) / 100;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const text = (x: number, y: number, said: string, colour: string, anchor = 'start'): string =>
  `<text x="${round(x)}" y="${round(y)}" fill="${colour}" text-anchor="${anchor}">${escaped(said)}</text>`;

/** The ticks of an axis that have a text. */
function ticksOf(plot: uPlot, index: number): [value: number, said: string][] {
  const { _splits, _values } = plot.axes[index] as Ticks;
  return (_splits ?? []).flatMap((value, k): [number, string][] => {
    const said = _values?.[k];
    return value === null || !said ? [] : [[value, said]];
  });
}

function timeTicks(plot: uPlot, box: Box, x: (value: number) => number, look: Look): string[] {
  const bottom = box.top + box.height;
  return ticksOf(plot, 0).flatMap(([value, said]) => [
    `<path d="M${round(x(value))} ${box.top}V${bottom}" stroke="${look.line}"/>`,
    text(x(value), bottom + 16, said, look.ink, 'middle'),
  ]);
}

function valueTicks(
  plot: uPlot,
  axis: ValueAxis,
  index: number,
  box: Box,
  y: (value: number) => number,
  look: Look,
): string[] {
  const isLeft = axis.side === 'left';
  // Further axes of a side stand outside of the first.
  const away = 8 + Math.floor(index / 2) * 56;
  const at = isLeft ? box.left - away : box.left + box.width + away;
  const anchor = isLeft ? 'end' : 'start';
  const title = axisTitle(axis);
  return [
    ...ticksOf(plot, index + 1).flatMap(([value, said]) => [
      ...(index === 0 ? [`<path d="M${box.left} ${round(y(value))}h${box.width}" stroke="${look.line}"/>`] : []),
      text(at, y(value) + 4, said, look.ink, anchor),
    ]),
    ...(title === '' ? [] : [text(at, box.top + box.height + 16, title, look.ink, anchor)]),
  ];
}

function linePath(
  plot: uPlot,
  { isStepped, colour, width, isDashed }: DrawnLine,
  index: number,
  x: (value: number) => number,
  y: (value: number) => number,
): string {
  const [times, values] = [plot.data[0] as number[], plot.data[index + 1] as (number | null | undefined)[]];
  let path = '';
  let isOn = false;
  for (const [k, time] of times.entries()) {
    const value = values[k];
    if (value === undefined) continue;
    if (value === null) isOn = false;
    else {
      const [left, top] = [round(x(time)), round(y(value))];
      path += !isOn ? `M${left} ${top}` : isStepped ? `H${left}V${top}` : `L${left} ${top}`;
      isOn = true;
    }
  }
  const dash = isDashed ? ' stroke-dasharray="7 4"' : '';
  return `<path d="${path}" stroke="${colour}" stroke-width="${width === 1 ? 1.5 : width}"${dash}/>`;
}

function bandParts(
  plot: uPlot,
  { label, band }: DrawnLine,
  index: number,
  top: number,
  x: (value: number) => number,
  look: Look,
): string[] {
  const segments = segmentsOf(plot.data[0] as number[], plot.data[index + 1] as (number | null)[]);
  return segments.flatMap(({ from, to, value }, k) => {
    const [left, width] = [x(from), Math.max(x(to) - x(from), 1)];
    const isOn = band?.isOn(value) ?? false;
    const colour = isOn ? seriesColour(look, Math.abs(Math.trunc(value))) : look.line;
    const word = `${k === 0 ? `${label}: ` : ''}${band?.wordOf(value) ?? ''}`;
    return [
      `<rect x="${round(left)}" y="${top}" width="${round(width)}" height="${BAND.height}" fill="${colour}" fill-opacity="${isOn ? 0.3 : 0.5}"/>`,
      ...(width > 7 * word.length ? [text(left + 5, top + 13, word, look.ink)] : []),
    ];
  });
}

type Named = Pick<DrawnLine, 'label' | 'colour'> & Partial<Pick<DrawnLine, 'isHidden' | 'band'>>;

function legend(lines: readonly Named[], look: Look): string[] {
  let left = 8;
  return lines.flatMap(({ label, colour, isHidden, band }) => {
    if (isHidden || band) return [];
    const at = left;
    left += 32 + 6.5 * label.length;
    return [`<path d="M${at} 11h12" stroke="${colour}" stroke-width="3"/>`, text(at + 16, 15, label, look.ink)];
  });
}
