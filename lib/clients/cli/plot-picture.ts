// Curves as a picture: SVG, and a line of blocks for a terminal.
// By hand: a few lines and texts, for which a library of charts would bring a browser's worth of code.

/** A curve and what it is called; `times` are what stands across, also where that is no time. */
export interface Line {
  readonly name: string;
  readonly units: string;
  readonly times: readonly number[];
  readonly values: readonly number[];
  readonly colour?: string | undefined;
}

export interface AxisLook {
  readonly label?: string | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly isLogarithmic?: boolean;
}

/** How a picture looks; in pixels. */
export interface Look {
  readonly title?: string | undefined;
  readonly x?: AxisLook;
  readonly y?: AxisLook;
  /** Of the curves' room, to which the legend adds. */
  readonly width?: number;
  readonly height?: number;
}

export const PICTURE = { width: 960, height: 420 } as const;
const MARGIN = { left: 76, right: 16, top: 14, bottom: 44 };
/** Told apart by people who see few colours, too. Okabe and Ito 2008 */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000'];
const LEGEND_LINE = 18;
const TICKS = 6;

interface Axis {
  /** Where a value stands, from 0 to 1. */
  readonly place: (value: number) => number;
  readonly ticks: readonly number[];
}

/** All lines over one axis across and one of values. */
export function svgOf(lines: readonly Line[], look: Look = {}): string {
  const { title, width = PICTURE.width } = look;
  const head = title === undefined ? 0 : LEGEND_LINE;
  const above = head + LEGEND_LINE * lines.length;
  const [top, height] = [MARGIN.top + above, (look.height ?? PICTURE.height) + above];
  const x = axisOf(
    lines.flatMap(({ times }) => extremes(times)),
    look.x,
  );
  const y = axisOf(
    lines.flatMap(({ values }) => extremes(values)),
    look.y,
  );
  const [left, right, bottom] = [MARGIN.left, width - MARGIN.right, height - MARGIN.bottom];
  const across = (value: number): number => left + (right - left) * x.place(value);
  const down = (value: number): number => bottom - (bottom - top) * y.place(value);
  const grid = [
    ...x.ticks.map((tick) => stroke(across(tick), top, across(tick), bottom)),
    ...y.ticks.map((tick) => stroke(left, down(tick), right, down(tick))),
  ];
  const middle = (top + bottom) / 2;
  const texts = [
    ...x.ticks.map((tick) => text(across(tick), bottom + 18, numberText(tick), 'middle')),
    ...y.ticks.map((tick) => text(left - 8, down(tick) + 4, numberText(tick), 'end')),
    text((left + right) / 2, height - 8, look.x?.label ?? 'time (s)', 'middle'),
    ...(title === undefined ? [] : [text((left + right) / 2, MARGIN.top + 4, title, 'middle')]),
    ...(look.y?.label === undefined
      ? []
      : [`<g transform="rotate(-90 14 ${middle})">${text(14, middle, look.y.label, 'middle')}</g>`]),
  ];
  const curves = lines.map(
    (line, index) =>
      `<polyline fill="none" stroke="${colourOf(line, index)}" stroke-width="1.4" points="${pointsOf(line, across, down)}"/>`,
  );
  const legend = lines.map((line, index) => {
    const at = MARGIN.top + head + LEGEND_LINE * index;
    const mark = `<rect x="${left}" y="${at - 5}" width="18" height="4" fill="${colourOf(line, index)}"/>`;
    return `${mark}${text(left + 26, at + 2, withUnits(line), 'start')}`;
  });
  const clip = `clip-${idOf(lines)}`;
  return drawing(width, height, [
    `<clipPath id="${clip}"><rect x="${left}" y="${top}" width="${right - left}" height="${bottom - top}"/></clipPath>`,
    `<g stroke="#d8d8d8">${grid.join('')}</g>`,
    `<g fill="#333333">${texts.join('')}${legend.join('')}</g>`,
    `<g clip-path="url(#${clip})">`,
    ...curves,
    '</g>',
  ]);
}

/** Pictures in rows and columns, below a title. */
export function pageOf(title: string, pictures: readonly string[], across: number): string {
  const sizes = pictures.map((picture) => {
    const [, width = 0, height = 0] = (/^<svg [^>]*?width="(\d+)" height="(\d+)"/.exec(picture) ?? []).map(Number);
    return { width, height };
  });
  const width = Math.max(...sizes.map((size) => size.width));
  const rows = Math.ceil(pictures.length / across);
  let top = TITLE_HEIGHT;
  const parts: string[] = [];
  for (let row = 0; row < rows; row++) {
    const from = row * across;
    for (const [k, picture] of pictures.slice(from, from + across).entries())
      parts.push(picture.replace('<svg ', `<svg x="${width * k}" y="${top}" `).trimEnd());
    top += Math.max(...sizes.slice(from, from + across).map((size) => size.height));
  }
  const head = `<g fill="#333333" font-size="16">${text((width * across) / 2, 22, title, 'middle')}</g>`;
  return drawing(width * across, top, [head, ...parts]);
}

const TITLE_HEIGHT = 32;

const drawing = (width: number, height: number, content: readonly string[]): string =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...content,
    '</svg>\n',
  ].join('\n');

/** A value with its units, such as `ball.height (m)`. */
export const withUnits = ({ name, units }: Pick<Line, 'name' | 'units'>): string =>
  units === '--' || units === '1' || units === '' ? name : `${name} (${units})`;

/** One of this picture among those of a page: a number of what it shows. */
function idOf(lines: readonly Line[]): string {
  let sum = 0;
  for (const { name, values } of lines)
    for (const sign of `${name}${values.length}${values[0]}`) sum = (31 * sum + (sign.codePointAt(0) as number)) >>> 0;
  return sum.toString(36);
}

/** A colour that would end the attribute is none. */
const isColour = (colour: string): boolean => /^(#[0-9a-f]{3,8}|[a-z]{3,30})$/i.test(colour);

const colourOf = ({ colour }: Line, index: number): string =>
  colour !== undefined && isColour(colour) ? colour : (COLOURS[index % COLOURS.length] as string);

const pointsOf = ({ times, values }: Line, across: (x: number) => number, down: (y: number) => number): string =>
  times
    .map((time, index) => `${across(time).toFixed(1)},${down(clamped(values[index] as number)).toFixed(1)}`)
    .join(' ');

/** The length of an axis must be a number, too. */
const clamped = (value: number): number => Math.max(-1e300, Math.min(1e300, value));

const stroke = (x1: number, y1: number, x2: number, y2: number): string =>
  `<line x1="${x1.toFixed(1)}" y1="${y1.toFixed(1)}" x2="${x2.toFixed(1)}" y2="${y2.toFixed(1)}"/>`;

const text = (x: number, y: number, content: string, anchor: string): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${escaped(content)}</text>`;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (content: string): string =>
  content.replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] as string).replaceAll(/\p{Cc}/gu, ' ');

function extremes(numbers: readonly number[]): number[] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const number of numbers) {
    if (!Number.isFinite(number)) continue;
    least = Math.min(least, clamped(number));
    most = Math.max(most, clamped(number));
  }
  return least <= most ? [least, most] : [];
}

/** From a round number to a round number, with ticks of 1, 2 or 5 times a power of ten; ends that are given stand. */
function axisOf(numbers: readonly number[], { min, max, isLogarithmic = false }: AxisLook = {}): Axis {
  if (isLogarithmic) return logarithmic(numbers, min, max);
  const [found = 0, greatest = 1] = extremes(numbers);
  const least = min ?? found;
  const most = max ?? greatest;
  const room = most > least ? most - least : Math.abs(most) || 1;
  const power = 10 ** Math.floor(Math.log10(room / TICKS));
  const step = power * ([1, 2, 5, 10].find((factor) => power * factor * TICKS >= room) ?? 10);
  const [first, last] = [Math.floor(least / step) * step, Math.ceil(most / step) * step];
  const low = min ?? first;
  const high = max ?? (last > low ? last : low + step);
  const [from, to] = high > low ? [low, high] : [low, low + step];
  const count = Math.round((to - first) / step);
  const ticks = Array.from({ length: count + 1 }, (_, index) => first + index * step);
  return {
    place: (value) => (value - from) / (to - from),
    ticks: ticks.filter((tick) => tick >= from - step * 1e-6 && tick <= to + step * 1e-6),
  };
}

/** Powers of ten; what is not above 0 stands far below. */
function logarithmic(numbers: readonly number[], min: number | undefined, max: number | undefined): Axis {
  const [least = 1, most = 10] = extremes(numbers.filter((number) => number > 0));
  const low = min !== undefined && min > 0 ? Math.log10(min) : Math.floor(Math.log10(least));
  const end = max !== undefined && max > 0 ? Math.log10(max) : Math.ceil(Math.log10(most));
  const high = end > low ? end : low + 1;
  const every = Math.max(1, Math.ceil((high - low) / TICKS));
  const powers = Array.from({ length: Math.floor(high) - Math.ceil(low) + 1 }, (_, index) => Math.ceil(low) + index);
  return {
    place: (value) => ((value > 0 ? Math.log10(value) : low - 10) - low) / (high - low),
    ticks: powers.filter((_, index) => index % every === 0).map((power) => 10 ** power),
  };
}

const numberText = (number: number): string => String(+number.toPrecision(10));

const BLOCKS = '▁▂▃▄▅▆▇█';

/** The course of a curve in so many characters: of each part of the time the middle of its least and greatest value. */
export function sparkline({ times, values }: Line, width: number): string {
  const [from = 0, to = 1] = extremes(times);
  const [least = 0, most = 0] = extremes(values);
  const parts: [number, number][] = [];
  for (const [index, time] of times.entries()) {
    const value = clamped(values[index] as number);
    if (!Number.isFinite(values[index])) continue;
    const at = Math.min(width - 1, Math.floor((width * (time - from)) / (to - from || 1)));
    const [low, high] = parts[at] ?? [value, value];
    parts[at] = [Math.min(low, value), Math.max(high, value)];
  }
  let last = ' ';
  return Array.from({ length: width }, (_, at) => {
    const part = parts[at];
    if (part) last = BLOCKS[blockOf((part[0] + part[1]) / 2, least, most)] as string;
    return last;
  }).join('');
}

const blockOf = (value: number, least: number, most: number): number =>
  most > least ? Math.min(BLOCKS.length - 1, Math.floor((BLOCKS.length * (value - least)) / (most - least))) : 3;
