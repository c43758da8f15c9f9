// `varwire plot`: curves of recordings, or of a server's past, as an SVG picture or in a terminal.
import { existsSync, writeFileSync } from 'node:fs';
import { curveOf, timeSpan } from '../../source/recording/curve.js';
import { CONNECTION_OPTIONS, jsonClient } from './client-options.js';
import { type CommandLine, type GivenLine, parseLine, textOf } from './command-line.js';
import { isPattern, patternOf } from './names.js';
import { nearest } from './nearest.js';
import { type Line, PICTURE, sparkline, svgOf } from './plot-picture.js';
import { opened, TIME_OPTION } from './recording-options.js';
import { isServer } from './server-name.js';
import { UsageError } from './usage.js';
import { printable } from './value-text.js';

const PLOT: CommandLine = {
  name: 'plot',
  takes: '<recording>... <name>...',
  about:
    'Draws variables of one recording, or of several, over time: to a file with --svg, else as a line of blocks each. A server in the place of a recording gives the past that it keeps.',
  options: [
    ['--svg <file>', 'the picture'],
    ['--force', 'replace a file that is there'],
    TIME_OPTION,
    ...CONNECTION_OPTIONS,
  ],
};
const ADVICE = "varwire plot takes recordings and names, such as log_flight.trk 'ball.position[1]'";
const MOST_LINES = 50;
const LINE_WIDTH = 60;

export async function plotCommand(args: readonly string[]): Promise<void> {
  const given = parseLine(PLOT, args);
  if (!given) return;
  const count = given.words.findIndex((word, index) => index > 0 && !isServer(word) && !existsSync(word));
  const [sources, names] = count < 0 ? [given.words, []] : [given.words.slice(0, count), given.words.slice(count)];
  if (sources.length === 0 || names.length === 0) throw new UsageError(ADVICE);
  const svg = textOf(given, 'svg');
  if (svg !== undefined && !svg.endsWith('.svg'))
    throw new UsageError(
      `--svg takes a file that ends in .svg, not ${svg}; for .png a browser or rsvg-convert makes one of it`,
    );
  if (svg !== undefined && !given.values.force && existsSync(svg))
    throw new Error(`${svg} is there already; --force replaces it`);
  const lines: Line[] = [];
  for (const source of sources) {
    const found = isServer(source) ? await linesOfServer(source, names, given) : linesOf(source, names, given);
    lines.push(...(sources.length === 1 ? found : found.map((line) => ({ ...line, name: `${line.name}, ${source}` }))));
  }
  if (lines.length > MOST_LINES)
    throw new Error(`these are ${lines.length} curves, and ${MOST_LINES} are drawn at most`);
  if (svg !== undefined) return writeFileSync(svg, svgOf(lines));
  for (const line of lines) console.log(printable(rowOf(line)));
}

/** Throws an Error with one sentence for a name that the recording does not have. */
function linesOf(file: string, names: readonly string[], given: GivenLine): Line[] {
  const recording = opened(file, given);
  try {
    const columns = names.flatMap((name) => {
      const isMeant = isPattern(name) ? patternOf(name) : undefined;
      const found = recording.columns.filter((column) =>
        isMeant ? isMeant.test(column.name) : column.name === name || column.name.startsWith(`${name}[`),
      );
      const numbers = found.filter(({ type }) => type.kind !== 'text');
      if (numbers.length > 0) return numbers;
      const known = new Set(
        recording.columns.flatMap((column) => [column.name, column.name.replace(/(\[\d+\])+$/, '')]),
      );
      const near = nearest(name, [...known]);
      const advice = near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`;
      throw new Error(`${file} has no number ${name}${advice}`);
    });
    const span = timeSpan(recording);
    if (!span) throw new Error(`${file} has no rows to draw`);
    return [...new Set(columns)].slice(0, MOST_LINES + 1).map((column) => ({
      ...curveOf(recording, column, span, PICTURE.width),
      name: column.name,
      units: column.units,
    }));
  } finally {
    recording.close();
  }
}

interface Series {
  readonly times: readonly number[];
  readonly values: readonly (number | null)[];
}

async function linesOfServer(server: string, names: readonly string[], given: GivenLine): Promise<Line[]> {
  const client = jsonClient(server, given);
  const { series } = (await client.call('var/history', { aliases: names, points: PICTURE.width })) as {
    readonly series: Readonly<Record<string, Series>>;
  };
  return names.map((name) => {
    const { times, values } = series[name] ?? { times: [], values: [] };
    const places = times.flatMap((_, index) => (typeof values[index] === 'number' ? [index] : []));
    if (places.length === 0) throw new Error(`${server} has kept nothing of ${name}; it does from now on`);
    return {
      name,
      units: '--',
      times: places.map((index) => times[index] as number),
      values: places.map((index) => values[index] as number),
    };
  });
}

function rowOf(line: Line): string {
  const { name, units, values } = line;
  const numbers = values.filter(Number.isFinite);
  const [least, most] = [
    numbers.reduce((a, b) => Math.min(a, b), 1 / 0),
    numbers.reduce((a, b) => Math.max(a, b), -1 / 0),
  ];
  const reach = numbers.length === 0 ? 'no values' : `${+least.toPrecision(6)} to ${+most.toPrecision(6)}`;
  return `${sparkline(line, LINE_WIDTH)}  ${name}  ${reach}${units === '--' || units === '1' ? '' : ` ${units}`}`;
}
