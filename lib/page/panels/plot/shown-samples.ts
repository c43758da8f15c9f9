// What a plot shows, and what it has shown, in bounded memory: all else the server keeps, and is asked for again.
import { type Group, grouped } from './sample-groups.js';

/** Rows at most: more than a wide plot has columns of pixels. */
const MOST_ROWS = 8192;
/** Rows that are left of the stretch shown, and of all others, when there are too many. */
const [SHOWN_SHARE, OTHER_SHARE] = [1 / 2, 1 / 4];

/** What a plot draws: one list of times, and a list of values for each column; null interrupts a line. */
export interface DrawnSamples {
  readonly times: number[];
  readonly columns: (number | null)[][];
}

/** The least and the most of each column from a time on; of one sample they are the same. */
export interface SampleRow {
  readonly time: number;
  /** Time of the last sample of a thinned range. */
  readonly end?: number;
  /** True when the line is interrupted before it. */
  readonly isBreak?: boolean;
  /** True when it stands for samples that have not come. */
  readonly isThinned?: boolean;
  readonly least: readonly number[];
  readonly most: readonly number[];
}

export class ShownSamples {
  private all: Group[] = [];
  private willBreak = false;
  private shown: readonly [from: number, to: number] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  private wholeSince = Number.NaN;

  constructor(
    readonly columns: number,
    private readonly mostRows: number = MOST_ROWS,
  ) {}

  /** Time of the last sample; NaN before the first. */
  get latestTime(): number {
    return this.all.at(-1)?.end ?? Number.NaN;
  }

  get firstTime(): number {
    return this.all[0]?.time ?? Number.NaN;
  }

  /** Time since which there are all samples that have come; NaN before the first. */
  get wholeTime(): number {
    return this.wholeSince;
  }

  get count(): number {
    return this.all.length;
  }

  /**
   * Adds a sample. Time that went back cuts off what lay ahead. A second sample of the same time counts only if it
   * differs: values are set in a freeze too.
   */
  add(time: number, values: ArrayLike<number>): void {
    const kept = Array.from({ length: this.columns }, (_, column) => values[column] ?? Number.NaN);
    this.addRange({ time, least: kept, most: kept });
  }

  /** Adds a thinned range: the least and the most of each column from this time on. */
  addRange(row: SampleRow): void {
    this.push(row);
    if (this.all.length > this.mostRows) this.thin();
  }

  private push(row: SampleRow): void {
    const { time, end = time, least, most } = row;
    const last = this.all.at(-1);
    if (Number.isNaN(time) || (last?.end === time && isSame(last.most, most))) return;
    if (last && time < last.end) this.cutFrom(time);
    const isBreak = (row.isBreak ?? this.willBreak) && this.all.length > 0;
    this.all.push({ time, end, isBreak, least, most });
    this.willBreak = false;
    if (row.isThinned || end > time) this.wholeSince = Number.NaN;
    else if (Number.isNaN(this.wholeSince)) this.wholeSince = time;
  }

  /** The next sample is not joined to the last: the connection was lost between them. */
  interrupt(): void {
    this.willBreak = this.all.length > 0;
  }

  /** Forgets what lies ahead of a time, with a range that reaches over it. */
  cutFrom(time: number): void {
    this.all.length = this.firstFrom(time);
    if ((this.all.at(-1)?.end ?? Number.NaN) >= time) this.all.pop();
    this.willBreak = true;
    if (!(this.wholeSince < time)) this.wholeSince = Number.NaN;
  }

  /** The samples to draw between two times, and one neighbour on each side, so that lines run to the edge. */
  drawn(from: number, to: number, mostGroups: number): DrawnSamples {
    this.shown = [from, to];
    const first = Math.max(this.firstFrom(from) - 1, 0);
    const end = Math.min(this.firstFrom(to) + 1, this.all.length);
    const rows = this.all.slice(first, end);
    const [start, stop] = [Math.max(from, this.firstTime), Math.min(to, this.latestTime)];
    const latest = end === this.all.length ? rows.pop() : undefined;
    const few = rows.length > mostGroups ? grouped(rows, () => (stop - start) / mostGroups) : rows;
    return drawnOf(latest ? [...few, latest] : few, this.columns);
  }

  /** The values nearest to a time, as finely as they are kept. */
  near(time: number): SampleRow | undefined {
    if (this.all.length === 0) return undefined;
    const after = Math.min(this.firstFrom(time), this.all.length - 1);
    const before = this.all[Math.max(after - 1, 0)] as Group;
    const found = this.all[after] as Group;
    return time - before.time <= found.time - time ? before : found;
  }

  /** Every row that begins between two times. */
  rows(from: number, to: number): readonly SampleRow[] {
    return this.all.slice(this.firstFrom(from), this.firstAfter(to));
  }

  allRows(): readonly SampleRow[] {
    return this.all;
  }

  /** Puts rows, of which each says whether it is interrupted, in the place of all samples from the first of them on. */
  replace(rows: readonly SampleRow[]): void {
    if (rows.length === 0) return;
    const [first, ...others] = rows.map((row) => ({ ...row, isBreak: row.isBreak === true })) as [SampleRow];
    this.cutFrom(first.time);
    for (const row of [first, ...others]) {
      this.endBy(row.time);
      this.push(row);
    }
    this.willBreak = false;
    if (this.all.length > this.mostRows) this.thin();
  }

  /** Puts finer rows in the place of those between two times. */
  refine(rows: readonly SampleRow[], from: number, to: number): void {
    const [first, end] = [this.firstFrom(from), this.firstAfter(to)];
    const finer = rows.filter(({ time }) => time >= from && time <= to);
    if (finer.length <= end - first) return;
    const made = finer.map((row): Group => ({ ...row, end: row.end ?? row.time, isBreak: row.isBreak === true }));
    const before = this.all[first - 1];
    if (before && before.end > from) this.all[first - 1] = { ...before, end: Math.max(before.time, from) };
    this.all = [...this.all.slice(0, first), ...made, ...this.all.slice(end)];
    if (this.all.length > this.mostRows) this.thin();
  }

  /** A range that was thinned elsewhere may reach over what comes next. */
  private endBy(time: number): void {
    const last = this.all.at(-1);
    if (last && last.time < time && last.end > time) this.all[this.all.length - 1] = { ...last, end: time };
  }

  private firstFrom(time: number): number {
    return firstOf(this.all, (row) => row.time >= time);
  }

  private firstAfter(time: number): number {
    return firstOf(this.all, (row) => row.time > time);
  }

  /** Of the stretch shown more is left than of all others; the latest sample stays by itself. */
  private thin(): void {
    const latest = this.all.pop() as Group;
    const [from, to] = [Math.max(this.shown[0], this.firstTime), Math.min(this.shown[1], latest.time)];
    const isShown = (time: number): boolean => time >= from && time <= to;
    const shown = Math.max(to - from, 0) / (SHOWN_SHARE * this.mostRows);
    const other = (latest.time - this.firstTime) / (OTHER_SHARE * this.mostRows);
    for (let factor = 1; factor <= 64 && this.all.length > (SHOWN_SHARE + OTHER_SHARE) * this.mostRows; factor *= 2)
      this.all = grouped(this.all, (time) => factor * (isShown(time) ? shown : other));
    // So many interruptions are left that the oldest go.
    if (this.all.length >= this.mostRows) this.all = this.all.slice(this.mostRows / 4);
    this.all.push(latest);
    const lastRange = this.all.findLastIndex(({ time, end }) => end > time);
    this.wholeSince = this.all[lastRange + 1]?.time ?? latest.time;
  }
}

/** The first row of which this is true; it is true of all later ones. */
function firstOf(rows: readonly Group[], isTrue: (row: Group) => boolean): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isTrue(rows[middle] as Group)) high = middle;
    else low = middle + 1;
  }
  return low;
}

const isSame = (one: readonly number[], other: readonly number[]): boolean =>
  one.every((value, column) => Object.is(value, other[column]));

const orNull = (value: number): number | null => (Number.isFinite(value) ? value : null);

function drawnOf(rows: readonly Group[], count: number): DrawnSamples {
  const times: number[] = [];
  const columns = Array.from({ length: count }, (): (number | null)[] => []);
  for (const [index, row] of rows.entries()) {
    if (row.isBreak && index > 0) {
      times.push((row.time + (times.at(-1) as number)) / 2);
      for (const values of columns) values.push(null);
    }
    const isRange = row.least !== row.most && row.least.some((least, column) => least < (row.most[column] as number));
    times.push(row.time);
    if (isRange || row.end > row.time) times.push(row.end);
    for (const [column, values] of columns.entries()) {
      if (!isRange && row.end === row.time) values.push(orNull(row.least[column] as number));
      else addRange(values, row, rows[index + 1], column);
    }
  }
  return { times, columns };
}

/** A column that falls shows its most first, so that a slope stays a line. */
function addRange(values: (number | null)[], row: Group, next: Group | undefined, column: number): void {
  const [least, most] = [row.least[column] as number, row.most[column] as number];
  const before = values.at(-1) ?? null;
  const middle = (least + most) / 2;
  const isAboveNext =
    next !== undefined && middle > ((next.least[column] as number) + (next.most[column] as number)) / 2;
  const isFalling = row.isFalling?.[column] ?? (before === null ? isAboveNext : before > middle);
  if (isFalling) values.push(orNull(most), orNull(least));
  else values.push(orNull(least), orNull(most));
}
