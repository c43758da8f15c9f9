// Brings samples into a strip chart: the server's history first, then every message, and after a cut what was missed.
import { batch, effect } from '@preact/signals';
import type { Value, VariableFacts } from '../../data/server.js';
import { type HistorySeries, hasHistory, historyRows, seriesOf } from '../plot/history-rows.js';
import { type Past, PastFiller } from '../plot/past-filler.js';
import { type SampleRow, ShownSamples } from '../plot/shown-samples.js';
import { edges } from '../plot/time-window.js';
import { plottable } from '../values/value-text.js';
import { type ChartPanel, type ChartState, isStepped } from './chart-state.js';
import { areSame, type ChartLine, isSame } from './settings.js';

interface History {
  readonly series: Readonly<Record<string, HistorySeries>>;
}

/**
 * Points of each line that are asked of the server's history: of what is shown, few for the first picture and then by its
 * pixels, and of what lies before and after.
 */
const SHOWN_POINTS = { first: 500, perPixel: 4, least: 400, most: 2000 } as const;
const OTHER_POINTS = 500;
/** A stretch that is shown for so long is asked for. */
const SETTLED_MILLIS = 150;
/** Asks for every tick. */
const CYCLE_MILLIS = 0;

/** Feeds the present lines until the returned function is called. */
export function feedChart(panel: ChartPanel, state: ChartState, onNews: () => void): () => void {
  const { lines } = panel.settings.peek();
  const feed = new ChartFeed(panel, state, lines, onNews);
  return () => feed.close();
}

class ChartFeed {
  private readonly filler: PastFiller;
  private isOver = false;
  /** Whether what is shown has come as for the first picture. */
  private isCoarse = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly ends: (() => void)[] = [];

  constructor(
    private readonly panel: ChartPanel,
    private readonly state: ChartState,
    private readonly lines: readonly ChartLine[],
    private readonly onNews: () => void,
  ) {
    const isKnown = lines.every((line) => state.sampled.some((each) => isSame(each, line)));
    state.samples = rearranged(state.samples, state.sampled, lines);
    state.sampled = lines;
    // Until the past has come, nothing is known of the time since the last sample.
    state.samples.interrupt();
    this.filler = new PastFiller(
      state,
      () => new ShownSamples(lines.length),
      (from, to) => this.past(from, to),
      () => {
        // A paused chart too shows what has been filled in.
        state.pace.reset();
        onNews();
      },
    );
    this.followLink(isKnown ? state.samples.latestTime : Number.NaN);
    void this.learnFacts();
    this.watch();
    this.refineWhatIsShown();
  }

  close(): void {
    this.isOver = true;
    this.filler.close();
    for (const end of this.ends) end();
  }

  /** All facts at once, because the chart is made again when they change. */
  private async learnFacts(): Promise<void> {
    const { server } = this.panel;
    const asked = this.lines.map(async ({ alias }) => [alias, await server.facts(alias)] as const);
    const found = await Promise.allSettled(asked);
    if (this.isOver) return;
    batch(() => {
      const facts = found.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
      this.state.facts.value = new Map([...this.state.facts.peek(), ...facts]);
      for (const [k, each] of found.entries())
        if (each.status === 'rejected') this.refuse(this.lines[k]?.alias as string, (each.reason as Error).message);
    });
  }

  private refuse(alias: string, sentence: string): void {
    this.state.refusals.value = new Map([...this.state.refusals.peek(), [alias, sentence]]);
  }

  private watch(): void {
    const { server } = this.panel;
    const values = new Float64Array(this.lines.length);
    const options = {
      cycleMillis: CYCLE_MILLIS,
      keepsHistory: hasHistory(server),
      units: this.lines.map(({ units }) => units),
      onRefused: (alias: string, sentence: string) => this.refuse(alias, sentence),
    };
    this.state.refusals.value = new Map();
    const stop = server.watch(
      this.lines.map(({ alias }) => alias),
      options,
      (sample) => {
        const { state } = this;
        for (let index = 0; index < values.length; index++) values[index] = this.numberOf(index, sample.values[index]);
        const hasJumped = state.jumps !== undefined && state.jumps !== sample.jumps;
        state.jumps = sample.jumps;
        this.filler.take(sample.seconds, values, { dropped: sample.dropped, hasJumped });
        if (this.isCoarse) this.refineSoon();
        this.onNews();
      },
    );
    this.ends.push(stop);
  }

  private numberOf(index: number, value: Value | undefined): number {
    const isText = this.state.facts.peek().get(this.lines[index]?.alias as string)?.kind === 'text';
    return isText && typeof value === 'string' ? this.state.words.numberOf(value) : plottable(value);
  }

  /**
   * Asks for the past at the start, and for missed samples after a cut.
   * @param from time of the last sample; NaN for none.
   */
  private followLink(from: number): void {
    const { state } = this.panel.server;
    let missingFrom: number | undefined = from;
    const stop = effect(() => {
      if (state.value === 'lost') {
        missingFrom ??= this.state.samples.latestTime;
        this.filler.cut();
      }
      if (state.value !== 'connected' || missingFrom === undefined) return;
      const now = this.panel.server.time.peek();
      if (hasHistory(this.panel.server)) {
        if (Number.isNaN(missingFrom) && now !== undefined) this.filler.begin(now);
        else this.filler.want(missingFrom);
      }
      missingFrom = undefined;
    });
    this.ends.push(stop);
  }

  /** Asks for more of a stretch that a person has come to, once it stands still. */
  private refineWhatIsShown(): void {
    const stop = effect(() => {
      void this.state.window.value;
      this.refineSoon();
    });
    this.ends.push(stop, () => clearTimeout(this.timer));
  }

  private refineSoon(): void {
    this.isCoarse = false;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.refine().catch(() => undefined), SETTLED_MILLIS);
  }

  private async refine(): Promise<void> {
    const { state } = this;
    const { latestTime, wholeTime, firstTime } = state.samples;
    const [from, to] = edges(state.window.peek(), latestTime);
    if (!hasHistory(this.panel.server) || !(from < wholeTime) || !(to > firstTime)) return;
    const [end, jumps] = [Math.min(to, latestTime), state.jumps];
    const { rows } = await this.part(from, end, this.shownPoints());
    // Time that has jumped meanwhile has changed the past.
    if (this.isOver || state.jumps !== jumps) return;
    state.samples.refine(rows, from, end);
    state.pace.reset();
    this.onNews();
  }

  /** The visible part is asked for more finely than those before and after it. */
  private async past(from: number, to: number): Promise<Past> {
    const isFirst = this.state.chart === undefined;
    const [left, right] = edges(this.state.window.peek(), to).map((edge) => Math.min(Math.max(edge, from), to));
    const asked = [
      [from, left, OTHER_POINTS],
      [left, right, this.shownPoints()],
      [right, to, OTHER_POINTS],
    ] as [number, number, number][];
    const parts = await Promise.all(
      asked.filter(([start, end]) => start < end).map(([start, end, points]) => this.part(start, end, points)),
    );
    if (isFirst) this.isCoarse = true;
    const starts = parts.map((part) => part.rows[0]?.time ?? Number.POSITIVE_INFINITY);
    const rows = parts.flatMap((part, k) =>
      part.rows.filter(({ time }) => starts.slice(k + 1).every((start) => time < start)),
    );
    const isWhole = from === Number.NEGATIVE_INFINITY || parts.some(({ since }) => since <= from);
    return { rows, isWhole };
  }

  private shownPoints(): number {
    const { first, perPixel, least, most } = SHOWN_POINTS;
    if (!this.state.chart) return first;
    const wanted = Math.round(perPixel * this.state.chart.widthPixels);
    return Math.min(Math.max(wanted, least), most);
  }

  private async part(from: number, to: number, points: number): Promise<{ rows: SampleRow[]; since: number }> {
    const { server } = this.panel;
    const aliases = this.lines.map(({ alias }) => alias);
    // Lenient: of what is no number, the server keeps no past.
    const [history, ...facts] = await Promise.all([
      server.call<History>('var/history', this.question(from, to, points)),
      ...aliases.map((alias) => server.facts(alias).catch(() => undefined)),
    ]);
    const series = seriesOf(history.series, aliases).map((each, k) =>
      each && facts[k]?.kind === 'text' ? this.inNumbers(each) : each,
    );
    const isHeld = facts.map((each: VariableFacts | undefined) => each !== undefined && isStepped(each));
    const since = Math.min(...series.map((each) => each?.since ?? Number.POSITIVE_INFINITY));
    return { rows: historyRows(series, isHeld), since };
  }

  /** Texts as the numbers that their bands have. */
  private inNumbers(series: HistorySeries): HistorySeries {
    const { words } = this.state;
    return {
      ...series,
      values: series.values.map((value) => (typeof value === 'string' ? words.numberOf(value) : value)),
    };
  }

  private question(from: number, to: number, points: number): object {
    const { lines } = this;
    const units = Object.fromEntries(lines.flatMap(({ alias, units }) => (units ? [[alias, units]] : [])));
    return {
      aliases: lines.map(({ alias }) => alias),
      points,
      to,
      lenient: true,
      ...(Number.isFinite(from) && { from }),
      ...(Object.keys(units).length > 0 && { units }),
    };
  }
}

/** The samples for other lines: a line that was there before keeps its past. */
export function rearranged(
  samples: ShownSamples,
  before: readonly ChartLine[],
  lines: readonly ChartLine[],
): ShownSamples {
  if (areSame(lines, before)) return samples;
  const sources = lines.map((line) => before.findIndex((each) => isSame(each, line)));
  const made = new ShownSamples(lines.length);
  if (sources.every((source) => source < 0)) return made;
  const pick = (values: readonly number[]): number[] => sources.map((source) => values[source] ?? Number.NaN);
  for (const row of samples.allRows()) made.addRange({ ...row, least: pick(row.least), most: pick(row.most) });
  return made;
}
