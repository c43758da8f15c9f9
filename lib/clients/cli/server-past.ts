// The past that a server keeps, as a recording: what compares, draws and writes recordings takes a server in their place.
import { HeldRows, type HeldSeries } from '../../source/recording/held-rows.js';
import { jsonClient } from './client-options.js';
import type { GivenLine } from './command-line.js';
import type { JsonClient } from './json-client.js';
import { isMeantBy } from './names.js';
import { nearest } from './nearest.js';
import { listWeb, type WebVariable } from './web-names.js';

/** Variables whose past is taken at most, and their values together. */
const [MOST_SERIES, MOST_VALUES] = [500, 10_000_000];
const ALIASES_AT_ONCE = 200;
const MOST_POINTS = 10_000;
const AGAIN_MILLIS = 200;

/** As `var/history` answers it. */
interface Past {
  readonly times: readonly number[];
  readonly values: readonly (number | string | null)[];
  readonly whole_since: number | null;
  readonly stretch_sec: number;
  readonly until?: number;
  readonly is_sampled?: boolean;
}

interface Answer {
  readonly sim_time: { readonly sec_si: number };
  readonly series: Readonly<Record<string, Past>>;
}

/** A question of one variable. */
export interface HistoryWish {
  readonly aliases: readonly string[];
  readonly points: number;
  readonly from?: number;
  readonly to?: number;
}

/**
 * Every row that is kept of the numbers that are meant, up to now. What nobody has asked for begins to be kept.
 * Rejects with an Error with one sentence.
 * @param words names and patterns; none for all but those of Trick itself and of recordings beside the simulation.
 * @param isLenient whether words that mean nothing are passed over.
 */
export async function pastOfServer(
  server: string,
  words: readonly string[],
  given: GivenLine,
  isLenient = false,
): Promise<HeldRows> {
  const client = jsonClient(server, given);
  const units = singlesMeant(await listWeb(client, {}), words, isLenient);
  if (units.size > MOST_SERIES)
    throw new Error(`the past of ${units.size} variables is too much, ${MOST_SERIES} at most: --variables takes fewer`);
  const names = [...units.keys()];
  const ends = new Map<string, number>();
  for (let at = 0; at < names.length; at += ALIASES_AT_ONCE) {
    const aliases = names.slice(at, at + ALIASES_AT_ONCE);
    const { sim_time, series } = await history(client, { aliases, points: 2, lenient: true });
    for (const [name, { until }] of Object.entries(series)) ends.set(name, until ?? sim_time.sec_si);
  }
  const reader = new PastReader((wish) => history(client, wish));
  const all: HeldSeries[] = [];
  for (const [name, to] of ends) {
    const { times, values } = await reader.read(name, to);
    if (!values.some((value) => value !== null && Number.isNaN(numberOf(value)) && value !== 'NaN'))
      all.push({ name, units: units.get(name) as string, times, values: values.map(numberOf) });
  }
  if (all.every(({ times }) => times.length === 0))
    throw new Error(`${server} has kept nothing of ${words.join(', ') || 'its variables'}; it does from now on`);
  return new HeldRows(server, 'what a server keeps of the past', all, reader.faults);
}

type Points = Pick<Past, 'times' | 'values'>;

/** Reads all rows that a server has, whatever it answers at once. */
export class PastReader {
  private wholeSince = Number.NEGATIVE_INFINITY;
  private count = 0;

  constructor(private readonly ask: (wish: HistoryWish) => Promise<Answer>) {}

  get faults(): readonly string[] {
    return Number.isFinite(this.wholeSince)
      ? [`before ${this.wholeSince} s only the least and the greatest value of each stretch are kept`]
      : [];
  }

  /** All rows of a stretch of time, both ends included; thinned where no more is kept. */
  async read(name: string, to: number, from?: number): Promise<Points> {
    const found = await this.settled(name, to, from);
    const { times, stretch_sec, whole_since } = found;
    const [first = 0, last = 0] = [times[0], times.at(-1)];
    const isKept = whole_since !== null && whole_since < last;
    if (stretch_sec > 0 && isKept) {
      const middle = whole_since > first ? whole_since : (times[times.length >> 1] as number);
      if (middle > first && middle < last) {
        const [before, after] = [await this.read(name, middle, from), await this.read(name, to, middle)];
        const next = after.times.findIndex((time) => time > (before.times.at(-1) ?? Number.NEGATIVE_INFINITY));
        const isMore = next >= 0;
        return {
          times: [...before.times, ...(isMore ? after.times.slice(next) : [])],
          values: [...before.values, ...(isMore ? after.values.slice(next) : [])],
        };
      }
    }
    if (stretch_sec > 0 && whole_since !== null) this.wholeSince = Math.max(this.wholeSince, whole_since);
    this.count += times.length;
    if (this.count > MOST_VALUES)
      throw new Error(`the past has more than ${MOST_VALUES} values; --variables takes fewer variables`);
    return found;
  }

  /** A large file is still being looked through at first. */
  private async settled(name: string, to: number, from?: number): Promise<Past> {
    for (;;) {
      const wish = { aliases: [name], points: MOST_POINTS, to, ...(from !== undefined && { from }) };
      const found = (await this.ask(wish)).series[name] as Past;
      if (!found.is_sampled) return found;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MILLIS));
    }
  }
}

const history = async (client: JsonClient, wish: object): Promise<Answer> =>
  (await client.call('var/history', wish)) as Answer;

/** A null is no value; NaN and the infinities are texts in JSON. */
const numberOf = (value: number | string | null): number => (value === null ? Number.NaN : Number(value));

/** The units of each single value that the words mean, by its name. Throws an Error with one sentence for a word that means none. */
export function singlesMeant(
  listed: readonly WebVariable[],
  words: readonly string[],
  isLenient = false,
): ReadonlyMap<string, string> {
  const singles = listed.flatMap(({ alias, dim, unit }) =>
    elementsOf(alias, dim).map((name) => ({ name, alias, units: unit === '1' ? '--' : unit })),
  );
  if (words.length === 0) return mapOf(singles.filter(({ name }) => !/^(trick_|reference\d+\.)/.test(name)));
  const found = words.map((word) => singles.filter(({ name, alias }) => isMeantBy(word, name) || word === alias));
  const missing = words.find((_, at) => found[at]?.length === 0);
  if (missing !== undefined && !isLenient) {
    const near = nearest(missing, [...new Set(singles.flatMap(({ name, alias }) => [name, alias]))]);
    throw new Error(
      `there is no variable ${missing}${near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`}`,
    );
  }
  return mapOf(found.flat());
}

const mapOf = (singles: readonly { readonly name: string; readonly units: string }[]): ReadonlyMap<string, string> =>
  new Map(singles.map(({ name, units }) => [name, units]));

/** The elements of an array; those of a sequence are not known beforehand. */
const elementsOf = (alias: string, dim: readonly number[]): readonly string[] =>
  dim.reduce<readonly string[]>(
    (names, extent) => names.flatMap((name) => Array.from({ length: extent }, (_, at) => `${name}[${at}]`)),
    [alias],
  );
