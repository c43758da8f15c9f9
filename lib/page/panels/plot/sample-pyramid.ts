// The past that a plot shows, in bounded memory: the latest samples whole, older ones thinned to least and most.
import { SampleLevel } from './sample-level.js';

/** Buckets of a level: more than a wide plot has columns of pixels. */
const BUCKETS = 2048;
/** Each level covers twice the time of the one before: 2048 · 2^11 samples, 11 hours at 100 Hz. */
const LEVELS = 12;

/** What a plot draws: one list of times, and a list of values for each column; null interrupts a line. */
export interface DrawnSamples {
  readonly times: number[];
  readonly columns: (number | null)[][];
}

/** The least and the most of each column from a time on; of one sample they are the same. */
export interface SampleRow extends SampleRange {
  readonly least: readonly number[];
  readonly most: readonly number[];
}

interface SampleRange {
  readonly time: number;
  /** Time of the last sample of a thinned range. */
  readonly end?: number;
  /** True when the line is interrupted before it. */
  readonly isBreak?: boolean;
  readonly least: ArrayLike<number>;
  readonly most: ArrayLike<number>;
}

/** All variables share its times, as a canvas needs them; the server keeps each variable alone (history/pyramid.ts). */
export class SamplePyramid {
  private readonly levels: readonly SampleLevel[];
  private latest: Float64Array;
  private lastTime = Number.NaN;
  private willBreak = false;

  constructor(
    readonly columns: number,
    buckets: number = BUCKETS,
    levels: number = LEVELS,
  ) {
    this.levels = Array.from({ length: levels }, (_, level) => new SampleLevel(2 ** level, columns, buckets));
    this.latest = new Float64Array(columns).fill(Number.NaN);
  }

  /** Time of the last sample; NaN before the first. */
  get latestTime(): number {
    return this.lastTime;
  }

  get firstTime(): number {
    const coarsest = this.levels.at(-1);
    return coarsest && coarsest.count > 0 ? coarsest.timeAt(0) : Number.NaN;
  }

  get sizeBytes(): number {
    return this.levels.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  }

  /**
   * Adds a sample. Time that went back cuts off what lay ahead. A second sample of the same time counts only if it
   * differs: values are set in a freeze too.
   */
  add(time: number, values: ArrayLike<number>): void {
    this.addRange({ time, least: values, most: values });
  }

  /** Adds a thinned range: the least and the most of each column from this time on. */
  addRange({ time, end, least, most, isBreak }: SampleRange): void {
    if (Number.isNaN(time) || (time === this.lastTime && this.isLatest(most))) return;
    if (time < this.lastTime) this.cutFrom(time);
    const isInterrupted = isBreak ?? this.willBreak;
    for (const level of this.levels) level.add(time, least, most, isInterrupted, end);
    this.willBreak = false;
    this.lastTime = time;
    for (let column = 0; column < this.columns; column++) this.latest[column] = most[column] ?? Number.NaN;
  }

  private isLatest(values: ArrayLike<number>): boolean {
    for (let column = 0; column < this.columns; column++)
      if (!Object.is(this.latest[column], values[column] ?? Number.NaN)) return false;
    return true;
  }

  /** The next sample is not joined to the last: the connection was lost between them. */
  interrupt(): void {
    this.willBreak = !Number.isNaN(this.lastTime);
  }

  cutFrom(time: number): void {
    for (const [k, level] of this.levels.entries()) level.cutFrom(time, this.levels.slice(0, k));
    const left = this.levels.find(({ count }) => count > 0);
    this.lastTime = left ? Math.min(left.endAt(left.count - 1), time) : Number.NaN;
    this.willBreak = true;
    this.latest.fill(Number.NaN);
  }

  /** The finest level that has the whole stretch and not more buckets in it than asked for. */
  private levelFor(from: number, to: number, mostBuckets: number): SampleLevel {
    const fits = (level: SampleLevel): boolean =>
      (!level.hasLost || level.timeAt(0) <= from) && level.firstFrom(to) - level.firstFrom(from) <= mostBuckets;
    return this.levels.find(fits) ?? (this.levels.at(-1) as SampleLevel);
  }

  /** The samples to draw between two times, and one neighbour on each side, so that lines run to the edge. */
  drawn(from: number, to: number, mostBuckets: number): DrawnSamples {
    const level = this.levelFor(from, to, mostBuckets);
    const times: number[] = [];
    const columns = Array.from({ length: this.columns }, (): (number | null)[] => []);
    const first = Math.max(level.firstFrom(from) - 1, 0);
    const end = Math.min(level.firstFrom(to) + 1, level.count);
    for (let index = first; index < end; index++) {
      if (level.isBreak(index) && index > first) addBreak(level, index, times, columns);
      if (level.samplesPerBucket === 1) addSample(level, index, times, columns);
      else addBucket(level, index, times, columns);
    }
    if (end === level.count && level.samplesPerBucket > 1) this.addLatest(times, columns);
    return { times, columns };
  }

  private addLatest(times: number[], columns: (number | null)[][]): void {
    if (Number.isNaN(this.lastTime)) return;
    times.push(this.lastTime);
    for (const [column, values] of columns.entries()) values.push(orNull(this.latest[column] as number));
  }

  /** The values nearest to a time, as finely as they are kept. */
  near(time: number): SampleRow | undefined {
    const level = this.levels.find((each) => each.count > 0 && (!each.hasLost || each.timeAt(0) <= time));
    const found = level ?? this.levels.at(-1);
    if (!found || found.count === 0) return undefined;
    const after = Math.min(found.firstFrom(time), found.count - 1);
    const before = Math.max(after - 1, 0);
    const index = time - found.timeAt(before) <= found.timeAt(after) - time ? before : after;
    const all = (at: (column: number, index: number) => number): number[] =>
      Array.from({ length: this.columns }, (_, column) => at(column, index));
    return {
      time: found.timeAt(index),
      least: all((column, k) => found.leastAt(column, k)),
      most: all((column, k) => found.mostAt(column, k)),
    };
  }

  /** Every bucket between two times, as finely as the whole stretch is kept. */
  rows(from: number, to: number): Generator<SampleRow> {
    return rowsOf(this.levelFor(from, to, Number.POSITIVE_INFINITY), this.columns, from, to);
  }

  /** All that is kept; later samples come in finer levels. */
  *allRows(): Generator<SampleRow> {
    let from = Number.NEGATIVE_INFINITY;
    for (const level of [...this.levels].reverse()) {
      const finer = this.levels[Math.log2(level.samplesPerBucket) - 1];
      const to = finer?.hasLost ? finer.timeAt(0) : finer ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
      for (const row of rowsOf(level, this.columns, from, to)) {
        if (row.time < to || !finer) yield row;
      }
      from = Math.max(from, to);
    }
  }

  /** Puts rows, of which each says whether it is interrupted, in the place of all samples from the first of them on. */
  replace(rows: readonly SampleRow[]): void {
    if (rows[0]) this.cutFrom(rows[0].time);
    for (const row of rows) this.addRange({ isBreak: false, ...row });
  }
}

function* rowsOf(level: SampleLevel, columns: number, from: number, to: number): Generator<SampleRow> {
  const all = (at: (column: number) => number): number[] => Array.from({ length: columns }, (_, k) => at(k));
  for (let index = level.firstFrom(from); index < level.count && level.timeAt(index) <= to; index++) {
    yield {
      time: level.timeAt(index),
      end: level.endAt(index),
      least: all((column) => level.leastAt(column, index)),
      most: all((column) => level.mostAt(column, index)),
      isBreak: level.isBreak(index),
    };
  }
}

const orNull = (value: number): number | null => (Number.isFinite(value) ? value : null);

function addBreak(level: SampleLevel, index: number, times: number[], columns: (number | null)[][]): void {
  times.push((level.timeAt(index) + (times.at(-1) as number)) / 2);
  for (const values of columns) values.push(null);
}

/** Adds one point, or two for a range that was thinned elsewhere. */
function addSample(level: SampleLevel, index: number, times: number[], columns: (number | null)[][]): void {
  const isRange = columns.some((_, column) => level.leastAt(column, index) < level.mostAt(column, index));
  if (isRange) addBucket(level, index, times, columns);
  else {
    times.push(level.timeAt(index));
    for (let column = 0; column < columns.length; column++) columns[column]?.push(orNull(level.leastAt(column, index)));
  }
}

/** Adds two points; a column that falls shows its most first, so that a slope stays a line. */
function addBucket(level: SampleLevel, index: number, times: number[], columns: (number | null)[][]): void {
  times.push(level.timeAt(index), level.endAt(index));
  const middleAt = (column: number, at: number): number => (level.leastAt(column, at) + level.mostAt(column, at)) / 2;
  for (let column = 0; column < columns.length; column++) {
    const values = columns[column] as (number | null)[];
    const [least, most] = [orNull(level.leastAt(column, index)), orNull(level.mostAt(column, index))];
    const before = values.at(-1) ?? null;
    const middle = middleAt(column, index);
    const isLower = before === null ? index + 1 < level.count && middle > middleAt(column, index + 1) : before > middle;
    const isFalling = level.isFalling(column, index) ?? isLower;
    if (isFalling) values.push(most, least);
    else values.push(least, most);
  }
}
