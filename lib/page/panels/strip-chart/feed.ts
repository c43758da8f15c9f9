// Brings samples into a strip chart: the server's history first, then every message; what a cut has cost is asked again.
import { effect } from '@preact/signals';
import { type HistorySeries, hasHistory, historyRows, seriesOf } from '../plot/history-rows.js';
import { SamplePyramid, type SampleRow } from '../plot/sample-pyramid.js';
import { plottable } from '../values/value-text.js';
import type { ChartPanel, ChartState } from './chart-state.js';
import type { ChartLine } from './settings.js';

interface History {
  readonly series: Readonly<Record<string, HistorySeries>>;
}

/** Points of each line that are asked of the server's history. */
const HISTORY_POINTS = 2000;
/** Every tick. */
const CYCLE_MILLIS = 0;

/** Feeds the lines of now until the answer is called. */
export function feedChart(panel: ChartPanel, state: ChartState, onNews: () => void): () => void {
  const { lines } = panel.settings.peek();
  const feed = new ChartFeed(panel, state, lines, onNews);
  return () => feed.close();
}

class ChartFeed {
  /** What has come since the history was asked for; undefined while none is asked for. */
  #fresh: SamplePyramid | undefined;
  #isOver = false;
  readonly #ends: (() => void)[] = [];

  constructor(
    private readonly panel: ChartPanel,
    private readonly state: ChartState,
    private readonly lines: readonly ChartLine[],
    private readonly onNews: () => void,
  ) {
    state.samples = rearranged(state.samples, state.sampled, lines);
    state.sampled = lines;
    this.#learnFacts();
    this.#watch();
    this.#followLink();
  }

  close(): void {
    this.#isOver = true;
    for (const end of this.#ends) end();
  }

  #learnFacts(): void {
    const { server } = this.panel;
    for (const { alias } of this.lines) {
      server.facts(alias).then(
        (facts) => this.#note(() => (this.state.facts.value = new Map([...this.state.facts.peek(), [alias, facts]]))),
        (error: Error) => this.#note(() => this.#refuse(alias, error.message)),
      );
    }
  }

  #note(change: () => void): void {
    if (!this.#isOver) change();
  }

  #refuse(alias: string, sentence: string): void {
    this.state.refusals.value = new Map([...this.state.refusals.peek(), [alias, sentence]]);
  }

  #watch(): void {
    const { server } = this.panel;
    const values = new Float64Array(this.lines.length);
    const options = {
      cycleMillis: CYCLE_MILLIS,
      keepsHistory: hasHistory(server),
      units: this.lines.map(({ units }) => units),
      onRefused: (alias: string, sentence: string) => this.#refuse(alias, sentence),
    };
    this.state.refusals.value = new Map();
    const stop = server.watch(
      this.lines.map(({ alias }) => alias),
      options,
      (sample) => {
        for (let index = 0; index < values.length; index++) values[index] = plottable(sample.values[index]);
        this.state.samples.add(sample.seconds, values);
        this.#fresh?.add(sample.seconds, values);
        this.onNews();
      },
    );
    this.#ends.push(stop);
  }

  /** Asks for the past at the start, and after a cut for what was missed. */
  #followLink(): void {
    const { state } = this.panel.server;
    let lostAt: number | undefined;
    const stop = effect(() => {
      if (state.value === 'lost') {
        lostAt ??= this.state.samples.latestTime;
        this.state.samples.interrupt();
      }
      if (state.value !== 'connected') return;
      void this.#askHistory(lostAt);
      lostAt = undefined;
    });
    this.#ends.push(stop);
  }

  async #askHistory(from: number | undefined): Promise<void> {
    const { server } = this.panel;
    if (!hasHistory(server)) return;
    const fresh = new SamplePyramid(this.lines.length);
    this.#fresh = fresh;
    try {
      const history = await server.call<History>('var/history', this.#question(from));
      if (this.#isOver || this.#fresh !== fresh) return;
      const rows = historyRows(
        seriesOf(
          history.series,
          this.lines.map(({ alias }) => alias),
        ),
      );
      const start = rows[0]?.time ?? Number.POSITIVE_INFINITY;
      if (rows.length > 0) this.state.samples = fresh.precededBy(beforeAnd(this.state.samples, start, rows));
      this.onNews();
    } catch {
      // The plot fills up with what comes.
    } finally {
      if (this.#fresh === fresh) this.#fresh = undefined;
    }
  }

  #question(from: number | undefined): object {
    const units = Object.fromEntries(this.lines.flatMap(({ alias, units }) => (units ? [[alias, units]] : [])));
    return {
      aliases: this.lines.map(({ alias }) => alias),
      points: HISTORY_POINTS,
      lenient: true,
      ...(from !== undefined && Number.isFinite(from) && { from }),
      ...(Object.keys(units).length > 0 && { units }),
    };
  }
}

function* beforeAnd(samples: SamplePyramid, start: number, rows: Iterable<SampleRow>): Generator<SampleRow> {
  for (const row of samples.allRows()) if (row.time < start) yield row;
  yield* rows;
}

const isSame = (one: ChartLine, other: ChartLine): boolean => one.alias === other.alias && one.units === other.units;

/** The samples for other lines: a line that was there before keeps its past. */
export function rearranged(
  samples: SamplePyramid,
  before: readonly ChartLine[],
  lines: readonly ChartLine[],
): SamplePyramid {
  if (before.length === lines.length && lines.every((line, k) => isSame(line, before[k] as ChartLine))) return samples;
  const sources = lines.map((line) => before.findIndex((each) => isSame(each, line)));
  const made = new SamplePyramid(lines.length);
  if (sources.every((source) => source < 0)) return made;
  const pick = (values: readonly number[]): number[] => sources.map((source) => values[source] ?? Number.NaN);
  for (const { time, least, most } of samples.allRows()) made.addRange(time, pick(least), pick(most));
  return made;
}
