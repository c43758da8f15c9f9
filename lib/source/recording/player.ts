// Plays the rows of a recording at their times, as fast as is asked, from where it is asked.
import { performance } from 'node:perf_hooks';
import type { Playback } from '../feed-playback.js';
import type { Recording } from './recording.js';

/** When more rows than this are due at once, only the latest of them are shown. */
const MOST_AT_ONCE = 20;
/** Rows that are looked at one by one to find those that are due; more are found by bisection. */
const MOST_LOOKED_AT = 5000;
const LONGEST_SLEEP_MILLIS = 60_000;

/** When rows are shown; a test moves one by hand. */
export interface PlayClock {
  nowMillis(): number;
  /** Calls once after a delay. The returned function cancels it. */
  after(delayMillis: number, call: () => void): () => void;
}

const wallClock: PlayClock = {
  nowMillis: () => performance.now(),
  after(delayMillis, call) {
    const timer = setTimeout(call, delayMillis);
    return () => clearTimeout(timer);
  },
};

export interface Shown {
  /** Shows a row at its time, in seconds of the playback; false when nobody is served any more. */
  row(row: number, seconds: number): boolean;
  /** It stands still: at the last row, or where a client wants it to. */
  end(): void;
  /** So many rows were not shown, because they came too fast. Told when it stands still. */
  skipped(rows: number): void;
  /** The file cannot be read any more; the playback stands still. */
  failed(reason: string): void;
}

export class RecordingPlayer implements Playback {
  readonly isReversible = true;
  private shown = 0;
  /** The time of the last row shown that has one. */
  private at = 0;
  private rate = 1;
  private skipped = 0;
  /** Where it freezes by itself. */
  private until: number | undefined;
  private cancel: (() => void) | undefined;
  private known = { rows: -1, first: 0, last: 0 };

  /** @param originSeconds the time of the recording that is 0 in the playback, whose times are not negative. */
  constructor(
    private readonly recording: Recording,
    private readonly originSeconds: number,
    private readonly show: Shown,
    private readonly clock: PlayClock = wallClock,
  ) {
    this.ends();
  }

  get firstSeconds(): number {
    return this.ends().first;
  }

  get lastSeconds(): number {
    return this.ends().last;
  }

  /** Read once, as they are asked for often; what they were when the file cannot be read any more. */
  private ends(): { readonly first: number; readonly last: number } {
    const { rows } = this.recording;
    if (this.known.rows === rows) return this.known;
    try {
      const first = this.secondsOf(0);
      this.known = { rows, first, last: Math.max(first, this.secondsOf(this.last)) };
    } catch {}
    return this.known;
  }

  /**
   * From the last row it begins again, unless rows have been added to the file; backwards, which a rate below 0 is, from the
   * first one at the last.
   */
  run(rate: number): void {
    this.rate = rate;
    if (this.isAtEnd()) this.showRow(rate < 0 ? this.last : 0);
    this.goOn();
  }

  freeze(): void {
    this.until = undefined;
    this.cancel?.();
    this.cancel = undefined;
    if (this.skipped > 0) this.show.skipped(this.skipped);
    this.skipped = 0;
  }

  freezeAt(seconds: number): void {
    this.until = seconds;
    if (this.cancel) this.goOn();
  }

  seek(seconds: number): void {
    this.showRow(this.recording.rowAt(seconds + this.originSeconds));
    if (this.cancel) this.goOn();
  }

  step(rows: number): void {
    this.freeze();
    if (this.shown + rows > this.last) this.recording.refresh();
    this.showRow(Math.max(0, Math.min(this.shown + rows, this.last)));
  }

  private get last(): number {
    return this.recording.rows - 1;
  }

  /** NaN for a row of a damaged file whose time no playback has. */
  private secondsOf(row: number): number {
    const seconds = this.recording.seconds(row) - this.originSeconds;
    return isTime(seconds) ? seconds : Number.NaN;
  }

  /** 1, or -1 backwards. */
  private get direction(): number {
    return this.rate < 0 ? -1 : 1;
  }

  private isAtEnd(): boolean {
    if (this.rate < 0) return this.shown === 0;
    if (this.shown >= this.last) this.recording.refresh();
    return this.shown >= this.last;
  }

  private showRow(row: number): boolean {
    this.shown = row;
    const seconds = this.secondsOf(row);
    if (Number.isNaN(seconds)) return true;
    this.at = seconds;
    return this.show.row(row, seconds);
  }

  /** Shows each row when it is due, beginning with the one after the row that is shown, or backwards the one before. */
  private goOn(): void {
    this.cancel?.();
    const { clock, direction } = this;
    let [from, startMillis] = [this.at, clock.nowMillis()];
    const bounded = (seconds: number): number => {
      const { until = Number.POSITIVE_INFINITY * direction } = this;
      return direction > 0 ? Math.min(seconds, until) : Math.max(seconds, until);
    };
    const showDue = (): void => {
      const seconds = bounded(from + ((clock.nowMillis() - startMillis) / 1000) * this.rate);
      const before = this.at;
      if (!this.showUpTo(this.rowDue(seconds))) return;
      if (seconds === this.until || this.isAtEnd()) {
        this.freeze();
        this.show.end();
        return;
      }
      // Where the time of rows turns, it goes on from there.
      if ((this.at - before) * direction < 0) [from, startMillis] = [this.at, clock.nowMillis()];
      const next = bounded(this.secondsOf(this.shown + direction));
      const now = direction > 0 ? Math.max(seconds, from) : Math.min(seconds, from);
      const wait = (1000 * (next - now)) / this.rate;
      this.cancel = clock.after(Math.max(0, Math.min(wait || 0, LONGEST_SLEEP_MILLIS)), () => this.guarded(showDue));
    };
    showDue();
  }

  /** Shows the rows from the next one to one that is due, of very many the last; false when nobody is served any more. */
  private showUpTo(due: number): boolean {
    const { direction } = this;
    const count = Math.abs(due - this.shown);
    const few = Math.min(count, MOST_AT_ONCE);
    this.skipped += count - few;
    for (let left = few - 1; left >= 0; left--) if (!this.showRow(due - left * direction)) return false;
    return true;
  }

  private guarded(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.freeze();
      this.show.failed((error as Error).message);
    }
  }

  /** The last row that is due, up to the first where time turns; of far too many, any of the last. */
  private rowDue(seconds: number): number {
    const { direction } = this;
    const end = direction > 0 ? this.last : 0;
    let row = this.shown;
    for (let looked = 0; row !== end; row += direction) {
      const next = this.secondsOf(row + direction);
      if ((next - seconds) * direction > 0) break;
      if ((next - this.secondsOf(row)) * direction < 0) return row === this.shown ? row + direction : row;
      if (++looked === MOST_LOOKED_AT) return this.farRow(row, seconds + this.originSeconds);
    }
    return row;
  }

  private farRow(row: number, seconds: number): number {
    if (this.direction > 0) return Math.max(row, this.recording.rowAt(seconds));
    return this.recording.firstRow(0, row, (each) => each >= seconds);
  }
}

/** Times of a playback are counted in microseconds. */
export const isTime = (seconds: number): boolean => seconds >= 0 && seconds < 9e9;
