// `varwire plot`: variables of recordings, or of a server's past, on a page, as a picture, or as lines in a terminal.
import { type CommandLine, type GivenLine, parseLine, textOf } from './command-line.js';
import type { Named } from './layout-pictures.js';
import { askedOf, linesOf, numbersMeant, onlyOne, requireFew, rowOf } from './plot-lines.js';
import { showPage } from './plot-page.js';
import { type Line, svgOf } from './plot-picture.js';
import { check, openedPast, RECORDING_OPTIONS, recordingsAndNames, requireFree } from './recording-options.js';
import { UsageError } from './usage.js';
import { printable } from './value-text.js';

const PLOT: CommandLine = {
  name: 'plot',
  takes: '<recording>... <name>...',
  about:
    'Plots variables of one recording, or of several, over time: on a page, which it serves and a browser opens; with --svg or --png as a picture; with --text as a line of blocks each. Names may have units, ball.height{ft}. A server in the place of a recording gives the past that it keeps.',
  options: [
    ['--svg <file>', 'a picture, for which no browser is needed'],
    ['--png <file>', 'the same in pixels; takes the package @resvg/resvg-js'],
    ['--text', 'lines for a terminal alone'],
    ['--x <name>', 'what stands across (the time)'],
    ['--layout <file>', "pages of plots instead of names, as Trick's data products have them (DP_ball.xml, ball.dp)"],
    ['--no-open', 'print the address of the page, and open no browser'],
    ['--port <port>', 'of the page (a free one)'],
    ['--force', 'replace a file that is there'],
    ...RECORDING_OPTIONS,
  ],
};
const ADVICE = "varwire plot takes recordings and names, such as log_flight.trk 'ball.position[1]'";

export async function plotCommand(args: readonly string[]): Promise<void> {
  const given = parseLine(PLOT, args);
  if (!given) return;
  const [picture, x, layout] = [pictureOf(given), textOf(given, 'x'), textOf(given, 'layout')];
  const isText = given.values.text === true;
  if (isText && (picture ?? x ?? layout) !== undefined)
    throw new UsageError('--text is for variables over time, without a picture, --x or --layout');
  const { sources, names } = recordingsAndNames(given.words);
  if (sources.length === 0 || (names.length === 0) === (layout === undefined)) throw new UsageError(ADVICE);
  if (picture === undefined && !isText) return showPage({ sources, names, x, layout }, given);
  if (layout !== undefined) return plotLayout(layout, picture as string, given);
  if (picture !== undefined) requireFree(picture, given);
  const lines: Line[] = [];
  for (const source of sources) {
    const recording = await openedPast(
      source,
      given,
      askedOf(x === undefined ? names : [...names, x]).map(({ name }) => name),
    );
    check(recording);
    const columns = numbersMeant(recording, names);
    requireFew(lines.length + columns.length);
    const found = linesOf(recording, columns, x === undefined ? undefined : onlyOne(x, numbersMeant(recording, [x])));
    recording.close();
    lines.push(...(sources.length === 1 ? found : found.map((line) => ({ ...line, name: `${line.name}, ${source}` }))));
  }
  if (picture !== undefined) return draw(picture, svgOf(lines, x === undefined ? {} : { x: { label: x } }));
  for (const line of lines) console.log(printable(rowOf(line)));
}

function pictureOf(given: GivenLine): string | undefined {
  const [svg, png] = [textOf(given, 'svg'), textOf(given, 'png')];
  if (svg !== undefined && png !== undefined) throw new UsageError('--svg and --png are one picture each');
  if (svg !== undefined && !svg.endsWith('.svg'))
    throw new UsageError(`--svg takes a file that ends in .svg, not ${svg}`);
  if (png !== undefined && !png.endsWith('.png'))
    throw new UsageError(`--png takes a file that ends in .png, not ${png}`);
  return svg ?? png;
}

async function draw(file: string, svg: string): Promise<void> {
  const { writePicture } = await import('./picture-file.js');
  const fault = await writePicture(file, svg);
  if (fault !== undefined) console.error(printable(`varwire: ${file}: ${fault}`));
}

/** A picture for each page: to the file, or to several with numbers. */
async function plotLayout(layout: string, picture: string, given: GivenLine): Promise<void> {
  const [{ readProduct }, { namesIn, picturesOf }] = await Promise.all([
    import('./product-file.js'),
    import('./layout-pictures.js'),
  ]);
  const sources = given.words;
  const product = readProduct(layout);
  const runs: Named[] = [];
  try {
    for (const source of sources) {
      const recording = await openedPast(source, given, namesIn(product), true);
      runs.push({ recording, label: sources.length === 1 ? undefined : source });
      check(recording);
    }
    const { pages, leftOut } = picturesOf(product, runs);
    const files = pages.map((_, k) => (pages.length === 1 ? picture : picture.replace(/(?=\.\w+$)/, `-${k + 1}`)));
    for (const file of files) requireFree(file, given);
    for (const [k, page] of pages.entries()) await draw(files[k] as string, page);
    for (const sentence of leftOut) console.error(printable(`varwire: ${layout}: ${sentence}`));
  } finally {
    for (const { recording } of runs) recording.close();
  }
}
