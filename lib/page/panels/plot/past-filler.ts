// Fills a plot with what it has missed: the past before its first sample, and what a cut or a slow page has cost.
import type { SampleRow, ShownSamples } from './shown-samples.js';

/** The past between two times. */
export interface Past {
  /** In order of time. */
  readonly rows: readonly SampleRow[];
  /** True when it reaches as far back as it was asked for. */
  readonly isWhole: boolean;
}

/** What lies between a sample and the sample before it. */
export interface Before {
  /** Messages that were lost. */
  readonly dropped: number;
  /** Whether time has jumped. */
  readonly hasJumped: boolean;
}

/** A plot whose samples are filled up. */
export interface Filled {
  samples: ShownSamples;
}

/** The shortest time between two requests for the past, because messages may be lost again and again. */
const LEAST_MILLIS = 1000;

/**
 * The past is asked for when the first sample has come, up to the time of that sample: every later one comes by itself,
 * so nothing is missing between the two, however long the answer takes. A new plot asks at once, up to the time that is
 * known already, and for the rest when the first sample has come.
 */
export class PastFiller {
  /** Samples are missing from here on; undefined when none are. */
  private missingFrom: number | undefined;
  /** Samples since the past was asked for; undefined while it is not. */
  private fresh: ShownSamples | undefined;
  private askAgainMillis = Number.NEGATIVE_INFINITY;
  private isOver = false;
  /** Whether the connection was lost since the last sample. */
  private isCut = false;

  constructor(
    private readonly plot: Filled,
    private readonly empty: () => ShownSamples,
    /** Asks for the past; rejects when there is none. `from` may be -Infinity. */
    private readonly ask: (from: number, to: number) => Promise<Past>,
    private readonly onNews: () => void,
    private readonly nowMillis: () => number = () => performance.now(),
  ) {}

  /** Notes that samples from this time on are missing; NaN for all of the past. */
  want(from: number): void {
    const wanted = Number.isNaN(from) ? Number.NEGATIVE_INFINITY : from;
    this.missingFrom = Math.min(this.missingFrom ?? wanted, wanted);
    this.askAgainMillis = Number.NEGATIVE_INFINITY;
  }

  /** Asks for all of the past up to a time at once, before the first sample comes. */
  begin(to: number): void {
    this.fresh = this.empty();
    void this.fill(Number.NEGATIVE_INFINITY, to, this.fresh);
    // What comes between that time and the first sample is asked for with it.
    this.want(to);
  }

  /** Notes that the connection is lost: the line is interrupted there. */
  cut(): void {
    this.isCut = true;
    this.plot.samples.interrupt();
  }

  /** Adds a sample to the plot. */
  take(seconds: number, values: ArrayLike<number>, { dropped, hasJumped }: Before): void {
    if (hasJumped) this.jump(dropped);
    this.isCut = false;
    const before = this.plot.samples.latestTime;
    if (dropped > 0 && before < seconds) {
      this.missingFrom = Math.min(this.missingFrom ?? before, before);
      this.interrupt();
    }
    this.plot.samples.add(seconds, values);
    this.fresh?.add(seconds, values);
    if (this.missingFrom === undefined || this.fresh || this.nowMillis() < this.askAgainMillis) return;
    this.fresh = this.empty();
    this.fresh.add(seconds, values);
    // Time has gone back meanwhile, and how far is unknown.
    const from = seconds < this.missingFrom ? Number.NEGATIVE_INFINITY : this.missingFrom;
    void this.fill(from, seconds, this.fresh);
  }

  /** Time has jumped: the line is interrupted, and how far back the missed samples go is unknown. */
  private jump(dropped: number): void {
    if (this.isCut && this.missingFrom === undefined) this.plot.samples = this.empty();
    if (dropped > 0 || this.missingFrom !== undefined) this.missingFrom = Number.NEGATIVE_INFINITY;
    this.interrupt();
  }

  private interrupt(): void {
    this.plot.samples.interrupt();
    this.fresh?.interrupt();
  }

  close(): void {
    this.isOver = true;
  }

  private async fill(from: number, to: number, fresh: ShownSamples): Promise<void> {
    this.missingFrom = undefined;
    this.askAgainMillis = this.nowMillis() + LEAST_MILLIS;
    try {
      const past = await this.ask(from, to);
      const first = past.rows[0]?.time ?? Number.POSITIVE_INFINITY;
      if (this.isOver || !(fresh.count === 0 ? first <= to : first < fresh.firstTime)) return;
      this.plot.samples.replace(filledRows(past, this.plot.samples, fresh));
      this.onNews();
    } catch (error) {
      // Without an answer the plot fills up with new samples; after a lost connection the past is asked for again.
      if (error instanceof Error && error.name === 'ConnectionLost') this.want(from);
    } finally {
      this.fresh = undefined;
    }
  }
}

/** The past, and what a plot has after it. */
function filledRows({ rows, isWhole }: Past, samples: ShownSamples, fresh: ShownSamples): SampleRow[] {
  const [first, ...others] = rows as readonly [SampleRow, ...SampleRow[]];
  const { time: end } = rows.at(-1) as SampleRow;
  const isBreak = !isWhole || first.isBreak === true;
  const start = fresh.count === 0 ? Number.POSITIVE_INFINITY : fresh.firstTime;
  const between = samples.allRows().filter(({ time }) => time > end && time < start);
  return [{ ...first, isBreak }, ...others.filter(({ time }) => time < start), ...between, ...fresh.allRows()];
}
