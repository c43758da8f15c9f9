// `varwire plot`: curves of recordings, or of a server's past, as an SVG picture or in a terminal.
import { existsSync, writeFileSync } from 'node:fs';
import { curveOf, timeSpan } from '../../source/recording/curve.js';
import type { Recording } from '../../source/recording/recording.js';
import { type CommandLine, parseLine, textOf } from './command-line.js';
import { type Line, PICTURE, sparkline, svgOf } from './plot-picture.js';
import { columnsMeant, openedPast, RECORDING_OPTIONS } from './recording-options.js';
import { isServer } from './server-name.js';
import { UsageError } from './usage.js';
import { printable } from './value-text.js';

const PLOT: CommandLine = {
  name: 'plot',
  takes: '<recording>... <name>...',
  about:
    'Draws variables of one recording, or of several, over time: to a file with --svg, else as a line of blocks each. A server in the place of a recording gives the past that it keeps.',
  options: [['--svg <file>', 'the picture'], ['--force', 'replace a file that is there'], ...RECORDING_OPTIONS],
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
    const recording = await openedPast(source, given, names);
    const found = linesOf(recording, names);
    recording.close();
    lines.push(...(sources.length === 1 ? found : found.map((line) => ({ ...line, name: `${line.name}, ${source}` }))));
  }
  if (lines.length > MOST_LINES)
    throw new Error(`these are ${lines.length} curves, and ${MOST_LINES} are drawn at most`);
  if (svg !== undefined) return writeFileSync(svg, svgOf(lines));
  for (const line of lines) console.log(printable(rowOf(line)));
}

function linesOf(recording: Recording, names: readonly string[]): Line[] {
  const columns = names.flatMap((name) => columnsMeant(recording, name).filter(({ type }) => type.kind !== 'text'));
  const span = timeSpan(recording);
  if (!span) throw new Error(`${recording.file} has no rows to draw`);
  return [...new Set(columns)].slice(0, MOST_LINES + 1).map((column) => ({
    ...curveOf(recording, column, span, PICTURE.width),
    name: column.name,
    units: column.units,
  }));
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
