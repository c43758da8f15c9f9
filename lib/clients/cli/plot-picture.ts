// Curves as a picture: SVG, and a line of blocks for a terminal.
// By hand: a few lines and texts, for which a library of charts would bring a browser's worth of code.

/** A curve and what it is called. */
export interface Line {
  readonly name: string;
  readonly units: string;
  readonly times: readonly number[];
  readonly values: readonly number[];
}

export const PICTURE = { width: 960, height: 420 } as const;
const MARGIN = { left: 76, right: 16, top: 14, bottom: 44 };
/** Told apart by people who see few colours, too. Okabe and Ito 2008 */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000'];
const LEGEND_LINE = 18;
const TICKS = 6;

interface Axis {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
}

/** All lines over one time and one axis of values. */
export function svgOf(lines: readonly Line[]): string {
  const { width } = PICTURE;
  const top = MARGIN.top + LEGEND_LINE * lines.length;
  const height = PICTURE.height + LEGEND_LINE * lines.length;
  const x = axisOf(lines.flatMap(({ times }) => extremes(times)));
  const y = axisOf(lines.flatMap(({ values }) => extremes(values)));
  const across = (time: number): number =>
    MARGIN.left + ((width - MARGIN.left - MARGIN.right) * (time - x.low)) / (x.high - x.low);
  const down = (value: number): number =>
    height - MARGIN.bottom - ((height - top - MARGIN.bottom) * (value - y.low)) / (y.high - y.low);
  const [left, right, bottom] = [MARGIN.left, width - MARGIN.right, height - MARGIN.bottom];
  const grid = [
    ...x.ticks.map((tick) => stroke(across(tick), top, across(tick), bottom)),
    ...y.ticks.map((tick) => stroke(left, down(tick), right, down(tick))),
  ];
  const numbers = [
    ...x.ticks.map((tick) => text(across(tick), bottom + 18, numberText(tick), 'middle')),
    ...y.ticks.map((tick) => text(left - 8, down(tick) + 4, numberText(tick), 'end')),
    text((left + right) / 2, height - 8, 'time (s)', 'middle'),
  ];
  const curves = lines.map(
    (line, index) =>
      `<polyline fill="none" stroke="${colourOf(index)}" stroke-width="1.4" points="${pointsOf(line, across, down)}"/>`,
  );
  const legend = lines.map(({ name, units }, index) => {
    const at = MARGIN.top + LEGEND_LINE * index;
    const label = units === '--' || units === '1' ? name : `${name} (${units})`;
    const mark = `<rect x="${left}" y="${at - 5}" width="18" height="4" fill="${colourOf(index)}"/>`;
    return `${mark}${text(left + 26, at + 2, label, 'start')}`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    `<g stroke="#d8d8d8">${grid.join('')}</g>`,
    `<g fill="#333333">${numbers.join('')}${legend.join('')}</g>`,
    ...curves,
    '</svg>\n',
  ].join('\n');
}

const colourOf = (index: number): string => COLOURS[index % COLOURS.length] as string;

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

/** From a round number to a round number, with ticks of 1, 2 or 5 times a power of ten. */
function axisOf(numbers: readonly number[]): Axis {
  const [least = 0, most = 1] = extremes(numbers);
  const room = most > least ? most - least : Math.abs(most) || 1;
  const power = 10 ** Math.floor(Math.log10(room / TICKS));
  const step = power * ([1, 2, 5, 10].find((factor) => power * factor * TICKS >= room) ?? 10);
  const [low, high] = [Math.floor(least / step) * step, Math.ceil(most / step) * step];
  const end = high > low ? high : low + step;
  const count = Math.round((end - low) / step);
  return { low, high: end, ticks: Array.from({ length: count + 1 }, (_, index) => low + index * step) };
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
