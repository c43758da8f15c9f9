// The rows of one variable's past in order of time, with the value between two of them.
import type { History } from './history.js';
import { justAfter } from './pyramid.js';

/** Rows that are asked for at once, and fewer of which make the next stretch longer. */
const [MOST_ROWS, FEW_ROWS] = [20_000, 5000];
/** A row before a time is looked for so far back at first. */
const LOOK_BACK_SECONDS = 1;
/** A stretch that is still thinned after so many halvings has no rows to be had. */
const MOST_HALVINGS = 60;
/** A file that is looked through for the first time is asked again so often. */
const MOST_WAITS = 600;

/** What rows are read from. */
export interface RowSource extends Pick<History, 'points' | 'extent'> {
  /** Resolves when the past of these is there, or after a moment. */
  settled(variables: readonly Named[]): Promise<void>;
}

interface Named {
  readonly path: string;
}

export class RowReader {
  /** The rows at hand: the last of those that were there before, and those of the latest stretch. */
  times: number[] = [];
  private values: (number | null)[] = [];
  private at = 0;
  private from: number;
  private spanSeconds: number;
  private readonly wholeFrom: number;
  /** The last time that is read: of a simulation that goes on, there would always be more. */
  private readonly end: number;
  private looked = false;

  /**
   * @param isHeld whether a value holds until the next one; else those between two are interpolated.
   * @param to the last time that is asked for.
   */
  constructor(
    private readonly source: RowSource,
    private readonly of: Named,
    private readonly isHeld: boolean,
    from: number,
    to: number,
  ) {
    const extent = source.extent(of.path);
    this.wholeFrom = extent?.wholeFrom ?? Number.POSITIVE_INFINITY;
    this.from = Math.max(from, this.wholeFrom);
    this.spanSeconds = Math.max((extent?.to ?? 0) - this.from, 0);
    this.end = Math.min(to, extent?.to ?? Number.NEGATIVE_INFINITY);
  }

  get isOver(): boolean {
    return !(this.from <= this.end);
  }

  /** Whether there may be rows behind a time that have not been read. */
  isBefore(seconds: number): boolean {
    return (this.times.at(-1) ?? Number.NEGATIVE_INFINITY) <= seconds && !this.isOver;
  }

  /**
   * Reads a stretch more, to come to a time; the first one begins with the last row that is not behind the beginning. Rejects
   * with one sentence for a file that cannot be read.
   */
  async readTowards(seconds: number): Promise<void> {
    if (!this.looked) await this.lookBack();
    // Between two rows of another run, this one may have millions.
    this.goTo(seconds);
    await this.readOn();
  }

  /** The first value may lie between a row before the beginning and one after it. */
  private async lookBack(): Promise<void> {
    this.looked = true;
    const { from, wholeFrom } = this;
    for (let back = LOOK_BACK_SECONDS; this.from === from && from > wholeFrom; back *= 8) {
      const earliest = Math.max(wholeFrom, from - back);
      const found = await this.source.points(this.of.path, earliest, from, MOST_ROWS);
      this.from = found?.times.at(-1) ?? from;
      if (earliest === wholeFrom) return;
    }
  }

  /** Reads the next stretch, and answers with the number of rows before it that are still at hand. */
  async readOn(): Promise<number> {
    const { times, values, until } = await this.stretch();
    // The value at a time may need the row before it.
    const kept = Math.max(0, Math.min(this.at, this.times.length - 1));
    this.times = [...this.times.slice(kept), ...times];
    this.values = [...this.values.slice(kept), ...values];
    const before = this.times.length - times.length;
    this.at -= kept;
    this.from = justAfter(until);
    if (times.length < FEW_ROWS) this.spanSeconds *= 4;
    return before;
  }

  /** NaN before the first row, behind the last one, and beside a gap. Times are asked for in order. */
  valueAt(seconds: number): number {
    this.goTo(seconds);
    const { times, values } = this;
    const [before, after] = [times[this.at], times[this.at + 1]];
    const value = values[this.at] ?? Number.NaN;
    if (before === undefined || before > seconds) return Number.NaN;
    if (before === seconds) return value;
    if (after === undefined) return Number.NaN;
    if (this.isHeld) return value;
    const next = values[this.at + 1] ?? Number.NaN;
    return value + ((next - value) * (seconds - before)) / (after - before);
  }

  private goTo(seconds: number): void {
    const { times } = this;
    while (this.at + 1 < times.length && (times[this.at + 1] as number) <= seconds) this.at++;
  }

  private async stretch() {
    for (let halvings = 0, waits = 0; ; ) {
      const until = Math.min(this.from + this.spanSeconds, this.end);
      const found = await this.source.points(this.of.path, this.from, until, MOST_ROWS);
      const { times = [], values = [], stretchSeconds = 0, isSampled = false } = found ?? {};
      if (isSampled && waits++ < MOST_WAITS) await this.source.settled([this.of]);
      else if (stretchSeconds > 0 && halvings++ < MOST_HALVINGS) this.spanSeconds = (until - this.from) / 2;
      else return { times, values, until };
    }
  }
}
