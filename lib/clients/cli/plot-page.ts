// `varwire plot` without a picture: plots on the page, which is served here, or by the server that is named.
import { deflateRawSync } from 'node:zlib';
import type { RunningServer, SourceOptions } from '../../index.js';
import { playRecording } from '../../run/serve/feed.js';
import { serveSource } from '../../run/serve/serve.js';
import type { Column } from '../../simulation/recording/row.js';
import type { Recording } from '../../source/recording/recording.js';
import { placed } from '../../source/recording/variables.js';
import { parsePort } from './addresses.js';
import { jsonClient } from './client-options.js';
import { type GivenLine, textOf } from './command-line.js';
import type { JsonClient } from './json-client.js';
import { openBrowser } from './open-browser.js';
import {
  askedOf,
  inUnits,
  linesOf,
  type Meant,
  MOST_LINES,
  numbersMeant,
  onlyOne,
  requireFew,
  rowOf,
} from './plot-lines.js';
import { check, isPastOf, nameInRun, openedOf, sayFaults } from './recording-options.js';
import { serveUntilEnd } from './run.js';
import { webAddressOf } from './server-name.js';
import { singlesMeant } from './server-past.js';
import { UsageError } from './usage.js';
import { printable } from './value-text.js';
import { listWeb, type WebVariable } from './web-names.js';

export interface PageWish {
  readonly sources: readonly string[];
  readonly names: readonly string[];
  readonly x: string | undefined;
  /** A file, in the place of the names. */
  readonly layout: string | undefined;
}

/** A variable as the page knows it in each run. */
interface Shown {
  readonly alias: string;
  readonly units: string;
  /** If they are others than its own. */
  readonly asked: string | undefined;
}

/** Who looks at a file needs no other protocol. */
const PAGE_ALONE: SourceOptions = { udp: 'off', trick: 'off', brp: 'off', foxglove: 'off', discovery: false };
/** Larger recordings are looked through by the page, and not for the terminal before. */
const MOST_QUICK_BYTES = 64e6;
/** The grid of the page, and the lines of one plot. */
const [COLUMNS, ROWS, LEAST_ROWS, MOST_TOGETHER] = [24, 18, 7, 16];

/** Ends with the server that it has started; of a server that runs, at once. */
export async function showPage(wish: PageWish, given: GivenLine): Promise<void> {
  const server = wish.sources.find(isPastOf);
  if (server === undefined) return servePage(wish, given);
  if (wish.sources.length > 1 || wish.layout !== undefined)
    throw new UsageError(`the page of ${server} shows its own runs alone; --svg, --png and --text take more`);
  const listed = await variablesOf(jsonClient(server, given));
  const shown = (words: readonly string[]): Shown[] =>
    askedOf(words).flatMap(({ name, asked }) =>
      [...singlesMeant(listed, [name])].map(([alias, units]) => ({
        alias,
        units: inUnits({ name: alias, units }, asked).units,
        asked,
      })),
    );
  const over = wish.x === undefined ? [] : shown([wish.x]);
  const { href } = webAddressOf(server, given.values.tls === true);
  tell(`${href}${plotsIn(shown(wish.names), wish.x, over)}`, given);
}

/** Those of runs without the names of their runs too, as a plot shows them of all runs. */
async function variablesOf(client: JsonClient): Promise<readonly WebVariable[]> {
  const { runs } = (await client.call('runs/list', {})) as { readonly runs: readonly { readonly run: string }[] };
  const names = new Set(runs.map(({ run }) => run));
  return (await listWeb(client, {})).flatMap((variable) => {
    const [run, ...path] = variable.alias.split('.');
    return names.has(run as string) ? [variable, { ...variable, alias: path.join('.') }] : [variable];
  });
}

async function servePage({ sources, names, x, layout }: PageWish, given: GivenLine): Promise<void> {
  const [port, time] = [portOf(given), textOf(given, 'time')];
  const recording = await openedOf(sources, time === undefined ? {} : { time });
  const columns = numbersMeant(recording, names);
  const across = x === undefined ? [] : numbersMeant(recording, [x]);
  const isQuick = recording.rows * recording.rowBytes <= MOST_QUICK_BYTES;
  if (isQuick) check(recording);
  else sayFaults(recording);
  if (isQuick && x === undefined && columns.length <= MOST_LINES)
    for (const line of linesOf(recording, columns)) console.log(printable(rowOf(line)));
  const { source } = playRecording(recording);
  source.freeze();
  const pathOf = pathsOf(recording, (path) => source.catalog.find(path) !== undefined);
  const aliasOf = (path: string): string => (source.runs ? nameInRun(recording, path) : path);
  const shown = ({ column, units, asked }: Meant): Shown => ({ alias: aliasOf(pathOf(column)), units, asked });
  const plots = layout === undefined ? plotsIn(columns.map(shown), x, across.map(shown)) : '';
  const options = { ...PAGE_ALONE, port, ...(layout !== undefined && { layoutFile: layout }) };
  // A large file is looked through while the browser loads the page, which tells what goes wrong.
  source.recorded?.prepare([...columns, ...across].map(({ column }) => pathOf(column))).catch(() => undefined);
  await serveUntilEnd(
    {},
    (log) => serveSource(source, { ...options, log }),
    (server) => tell(`${pageOf(server)}${plots}`, given),
  );
}

function portOf(given: GivenLine): number {
  const text = textOf(given, 'port');
  return text === undefined ? 0 : parsePort('port', text);
}

const pageOf = ({ endpoints }: RunningServer): string =>
  endpoints.flatMap(({ examples }) => examples).find(({ label }) => label === 'Browser')?.text ?? '';

/** What clients call a column. */
function pathsOf(recording: Recording, isKnown: (path: string) => boolean): (column: Column) => string {
  const columns = recording.columns.filter((column) => column !== recording.time);
  // Names that are no structures together have become others.
  const paths = [false, true]
    .map((isFlat) => placed(columns, isFlat))
    .map((all) => new Map(all.map(({ column, object, component }) => [column, `${object}.${component}`])))
    .find((each) => [...each.values()].every(isKnown));
  return (column) => paths?.get(column) ?? column.name;
}

/**
 * A layout as what follows the page's address: a plot for those of the same units, or one for all over another variable.
 * Throws an Error with one sentence.
 */
function plotsIn(shown: readonly Shown[], x: string | undefined, over: readonly Shown[]): string {
  const across = x === undefined ? undefined : onlyOne(x, new Map(over.map((one) => [one.alias, one])).values());
  const groups = new Map<string, Map<string, Shown>>();
  for (const one of shown) {
    const group = across === undefined ? one.units : '';
    groups.set(group, (groups.get(group) ?? new Map<string, Shown>()).set(one.alias, one));
  }
  requireFew([...groups.values()].reduce((sum, { size }) => sum + size, 0));
  const plots = [...groups.values()].flatMap((group) => inPieces([...group.values()], MOST_TOGETHER));
  const rows = Math.max(LEAST_ROWS, Math.floor(ROWS / plots.length));
  const panels = plots.map((lines, k) => ({
    id: `plot-${k + 1}`,
    type: 'run-plot',
    place: { x: 0, y: rows * k, columns: COLUMNS, rows },
    settings: { lines: lines.map(lineOf), ...(across !== undefined && { x: lineOf(across) }) },
  }));
  const layout = { version: 1, shown: 'tab-1', tabs: [{ id: 'tab-1', name: 'Plots', panels }] };
  return `#layout=${deflateRawSync(JSON.stringify(layout)).toString('base64url')}`;
}

const lineOf = ({ alias, asked }: Shown): object => ({ alias, ...(asked !== undefined && { units: asked }) });

const inPieces = <T>(all: readonly T[], length: number): (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / length) }, (_, k) => all.slice(k * length, (k + 1) * length));

function tell(address: string, given: GivenLine): void {
  console.log(`Browser   ${address}`);
  if (given.values.open !== false) openBrowser(address);
}
