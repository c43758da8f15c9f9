// The way that something went, in bounded memory: whole samples, never mixtures of two, the fewer the longer it is.

/** Points that a trail has at most; beyond, every other one goes. */
const MOST_POINTS = 4000;

/** One sample. */
export interface TrailRow {
  readonly time: number;
  readonly values: readonly number[];
}

export class Trail {
  private keptTimes: number[] = [];
  private values: (readonly number[])[] = [];
  /** Samples from one kept point to the next. */
  private stride = 1;
  private sinceKept = 0;
  private latest: TrailRow | undefined;

  constructor(
    readonly columns: number,
    private readonly mostPoints: number = MOST_POINTS,
  ) {}

  get count(): number {
    return this.keptTimes.length;
  }

  get latestTime(): number {
    return this.latest?.time ?? Number.NaN;
  }

  /** Adds a sample, and drops those before `oldest`. Time that went back begins a new trail. */
  add(time: number, values: ArrayLike<number>, oldest: number): void {
    if (time < this.latestTime) this.clear();
    const kept = Array.from({ length: this.columns }, (_, column) => values[column] ?? Number.NaN);
    this.latest = { time, values: kept };
    if (this.isWanted(kept)) {
      this.keptTimes.push(time);
      this.values.push(kept);
    }
    this.dropBefore(oldest);
    if (this.keptTimes.length > this.mostPoints) this.thin();
  }

  /** Several rows of a break say no more than the first. */
  private isWanted(values: readonly number[]): boolean {
    const before = this.values.at(-1);
    if (isBreak(values)) return before === undefined || !isBreak(before);
    return this.sinceKept++ % this.stride === 0;
  }

  /** Interrupts the trail after the last sample: a connection was lost, so the way is unknown. */
  interrupt(): void {
    if (!this.latest) return;
    const none = Array.from({ length: this.columns }, () => Number.NaN);
    this.keptTimes.push(this.latest.time);
    this.values.push(none);
    this.latest = { time: this.latest.time, values: none };
  }

  /** The same trail, with its samples replaced in the stretch of time that the new ones cover. */
  with(rows: readonly TrailRow[]): Trail {
    const [first, last] = [rows[0]?.time ?? Number.NaN, rows.at(-1)?.time ?? Number.NaN];
    const joined = new Trail(this.columns, this.mostPoints);
    const add = ({ time, values }: TrailRow): void => joined.add(time, values, Number.NEGATIVE_INFINITY);
    const own = this.rows();
    for (const row of own) if (!(row.time >= first)) add(row);
    for (const row of rows) add(row);
    for (const row of own) if (row.time > last) add(row);
    return joined;
  }

  private rows(): TrailRow[] {
    const rows = this.keptTimes.map((time, k) => ({ time, values: this.values[k] as readonly number[] }));
    return this.latest && this.latest.time !== this.keptTimes.at(-1) ? [...rows, this.latest] : rows;
  }

  clear(): void {
    this.keptTimes = [];
    this.values = [];
    this.stride = 1;
    this.sinceKept = 0;
    this.latest = undefined;
  }

  /** Moves many points at once, because moving them costs as much as their number. */
  private dropBefore(oldest: number): void {
    let count = 0;
    while (count < this.keptTimes.length && (this.keptTimes[count] as number) < oldest) count++;
    if (count === 0 || (count < 100 && count < this.keptTimes.length)) return;
    this.keptTimes = this.keptTimes.slice(count);
    this.values = this.values.slice(count);
  }

  private thin(): void {
    const isKept = this.values.map((values, index) => index % 2 === 0 || isBreak(values));
    // Breaks are kept unless most of the points are breaks.
    const first = Math.max(0, isKept.filter(Boolean).length - (3 * this.mostPoints) / 4);
    this.keptTimes = this.keptTimes.filter((_, index) => isKept[index]).slice(first);
    this.values = this.values.filter((_, index) => isKept[index]).slice(first);
    this.stride *= 2;
  }

  get times(): readonly number[] {
    return this.latest && this.latest.time !== this.keptTimes.at(-1)
      ? [...this.keptTimes, this.latest.time]
      : this.keptTimes;
  }

  /** One column, as many values as there are times; null for what is no number. */
  column(index: number): (number | null)[] {
    const all = this.values.map((values) => orNull(values[index]));
    if (this.latest && this.latest.time !== this.keptTimes.at(-1)) all.push(orNull(this.latest.values[index]));
    return all;
  }
}

const isBreak = (values: readonly number[]): boolean => values.every(Number.isNaN);

const orNull = (value: number | undefined): number | null =>
  value !== undefined && Number.isFinite(value) ? value : null;
