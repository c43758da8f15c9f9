// `varwire plot`: curves of recordings, or of a server's past, as an SVG picture or in a terminal.
import { existsSync, writeFileSync } from 'node:fs';
import { curveOf, timeSpan } from '../../source/recording/curve.js';
import type { Recording } from '../../source/recording/recording.js';
import { type CommandLine, type GivenLine, parseLine, textOf } from './command-line.js';
import { type Named, namesIn, picturesOf } from './layout-pictures.js';
import { type Line, PICTURE, sparkline, svgOf } from './plot-picture.js';
import { readProduct } from './product-file.js';
import { columnsMeant, openedPast, RECORDING_OPTIONS } from './recording-options.js';
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
    ['--x <name>', 'what stands across (the time); for pictures'],
    ['--layout <file>', "pages of plots instead of names, as Trick's data products have them (DP_ball.xml, ball.dp)"],
    ['--force', 'replace a file that is there'],
    ...RECORDING_OPTIONS,
  ],
};
const ADVICE = "varwire plot takes recordings and names, such as log_flight.trk 'ball.position[1]'";
const MOST_LINES = 50;
const LINE_WIDTH = 60;

export async function plotCommand(args: readonly string[]): Promise<void> {
  const given = parseLine(PLOT, args);
  if (!given) return;
  const [svg, x, layout] = [textOf(given, 'svg'), textOf(given, 'x'), textOf(given, 'layout')];
  if (svg !== undefined && !svg.endsWith('.svg'))
    throw new UsageError(
      `--svg takes a file that ends in .svg, not ${svg}; for .png and .pdf a browser or rsvg-convert makes one of it`,
    );
  if (svg === undefined && (x ?? layout) !== undefined)
    throw new UsageError(`--${x === undefined ? 'layout' : 'x'} goes together with --svg`);
  if (layout !== undefined) return plotLayout(layout, svg as string, given);
  const count = given.words.findIndex((word, index) => index > 0 && !isServer(word) && !existsSync(word));
  const [sources, names] = count < 0 ? [given.words, []] : [given.words.slice(0, count), given.words.slice(count)];
  if (sources.length === 0 || names.length === 0) throw new UsageError(ADVICE);
  if (svg !== undefined) requireFree(svg, given);
  const lines: Line[] = [];
  for (const source of sources) {
    const recording = await openedPast(source, given, x === undefined ? names : [...names, x]);
    const found = linesOf(recording, names, x);
    recording.close();
    lines.push(...(sources.length === 1 ? found : found.map((line) => ({ ...line, name: `${line.name}, ${source}` }))));
  }
  if (lines.length > MOST_LINES)
    throw new Error(`these are ${lines.length} curves, and ${MOST_LINES} are drawn at most`);
  if (svg !== undefined) return writeFileSync(svg, svgOf(lines, x === undefined ? {} : { x: { label: x } }));
  for (const line of lines) console.log(printable(rowOf(line)));
}

function requireFree(file: string, { values }: GivenLine): void {
  if (!values.force && existsSync(file)) throw new Error(`${file} is there already; --force replaces it`);
}

/** A picture for each page: to the file, or to several with numbers. */
async function plotLayout(layout: string, svg: string, given: GivenLine): Promise<void> {
  const sources = given.words;
  if (sources.length === 0) throw new UsageError('varwire plot --layout takes recordings, such as log_flight.trk');
  const product = readProduct(layout);
  const runs: Named[] = [];
  try {
    for (const source of sources)
      runs.push({
        recording: await openedPast(source, given, namesIn(product), true),
        label: sources.length === 1 ? undefined : source,
      });
    const { pages, leftOut } = picturesOf(product, runs);
    const files = pages.map((_, k) => (pages.length === 1 ? svg : svg.replace(/\.svg$/, `-${k + 1}.svg`)));
    for (const file of files) requireFree(file, given);
    for (const [k, page] of pages.entries()) writeFileSync(files[k] as string, page);
    for (const sentence of leftOut) console.error(printable(`varwire: ${layout}: ${sentence}`));
  } finally {
    for (const { recording } of runs) recording.close();
  }
}

function linesOf(recording: Recording, names: readonly string[], x: string | undefined): Line[] {
  const numbers = (name: string) => columnsMeant(recording, name).filter(({ type }) => type.kind !== 'text');
  const columns = [...new Set(names.flatMap(numbers))].slice(0, MOST_LINES + 1);
  const across = x === undefined ? undefined : numbers(x);
  if (across && across.length !== 1) throw new Error(`--x takes one number, and ${x} stands for ${across.length}`);
  const span = timeSpan(recording);
  if (!span) throw new Error(`${recording.file} has no rows to draw`);
  return columns.map((column) => ({
    ...curveOf(recording, column, span, PICTURE.width, across?.[0]),
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
