// Makes a file of what the server remembers of variables, for people who notice too late that they need a recording.
import type { Server } from '../../data/server.js';
import { type CsvColumn, historyCsv } from '../plot/csv.js';
import { type HistorySeries, seriesOf } from '../plot/history-rows.js';

/** Points of all variables together, and of one, that are asked for. */
const [MOST_POINTS, MOST_POINTS_EACH] = [400_000, 10_000];
const MOST_COLUMNS = 200;

/** The file's text, and the time of its first row. */
export interface PastFile {
  readonly text: string;
  readonly since: number;
}

/** Rejects with an Error whose message is one sentence. */
export async function pastFile(server: Pick<Server, 'call' | 'facts'>, aliases: readonly string[]): Promise<PastFile> {
  const columns = (await Promise.all(aliases.map((alias) => columnsOf(server, alias)))).flat();
  if (columns.length > MOST_COLUMNS) throw new Error(`at most ${MOST_COLUMNS} numbers are saved at once`);
  const names = columns.map(({ alias }) => alias);
  const points = Math.min(MOST_POINTS_EACH, Math.floor(MOST_POINTS / names.length));
  const question = { aliases: names, points, lenient: true };
  const answer = await server.call<{ readonly series: Readonly<Record<string, HistorySeries>> }>(
    'var/history',
    question,
  );
  const series = seriesOf(answer.series, names);
  if (series.every((each) => (each?.times.length ?? 0) < 2))
    throw new Error('the server remembers nothing of these variables yet: it keeps what is plotted');
  const since = Math.min(...series.map((each) => each?.times[0] ?? Number.POSITIVE_INFINITY));
  return { text: historyCsv(columns, series), since };
}

/** A variable's single numbers. */
async function columnsOf(server: Pick<Server, 'facts'>, alias: string): Promise<CsvColumn[]> {
  const { unit, dim } = await server.facts(alias);
  if (dim.includes(0)) throw new Error(`${alias} has no fixed number of elements: put some of them here`);
  if (dim.reduce((product, extent) => product * extent, 1) > MOST_COLUMNS)
    throw new Error(`at most ${MOST_COLUMNS} numbers are saved at once`);
  const names = dim.reduce(
    (all, extent) => all.flatMap((name) => Array.from({ length: extent }, (_, k) => `${name}[${k}]`)),
    [alias],
  );
  return names.map((name) => ({ alias: name, unit }));
}
