// One level of a plot's past: buckets of so many samples, each with its times and every column's least and most.

/** A bucket that has this share of its samples ends where a column begins or ceases to have values: a hole is no line. */
const ENDS_AT_HOLE = 1 / 4;
const LAST = { unknown: 0, least: 1, most: 2 } as const;

/** A ring of buckets in typed arrays, which grow up to a capacity; then the oldest bucket goes. */
export class SampleLevel {
  private times = new Float64Array(0);
  private ends = new Float64Array(0);
  private breaks = new Uint8Array(0);
  private least: Float64Array<ArrayBuffer>[];
  private most: Float64Array<ArrayBuffer>[];
  /** Which of the two came last. */
  private lasts: Uint8Array<ArrayBuffer>[];
  private start = 0;
  private bucketCount = 0;
  private inLast = 0;
  private hasDropped = false;

  constructor(
    readonly samplesPerBucket: number,
    columns: number,
    private readonly capacity: number,
  ) {
    this.least = Array.from({ length: columns }, () => new Float64Array(0));
    this.most = Array.from({ length: columns }, () => new Float64Array(0));
    this.lasts = Array.from({ length: columns }, () => new Uint8Array(0));
  }

  get count(): number {
    return this.bucketCount;
  }

  /** Whether buckets older than the first have been dropped. */
  get hasLost(): boolean {
    return this.hasDropped;
  }

  get sizeBytes(): number {
    return this.times.length * (17 + 17 * this.least.length);
  }

  timeAt(index: number): number {
    return this.times[this.place(index)] as number;
  }

  /** Time of a bucket's last sample. */
  endAt(index: number): number {
    return this.ends[this.place(index)] as number;
  }

  leastAt(column: number, index: number): number {
    return this.least[column]?.[this.place(index)] ?? Number.NaN;
  }

  mostAt(column: number, index: number): number {
    return this.most[column]?.[this.place(index)] ?? Number.NaN;
  }

  /** Whether a column's least came after its most; undefined where that is not known. */
  isFalling(column: number, index: number): boolean | undefined {
    const last = this.lasts[column]?.[this.place(index)] ?? LAST.unknown;
    return last === LAST.unknown ? undefined : last === LAST.least;
  }

  /** Whether the line is interrupted before this bucket. */
  isBreak(index: number): boolean {
    return this.breaks[this.place(index)] === 1;
  }

  /** Adds a sample, or a range of values that were thinned before; NaN is no value. No bucket reaches over a break. */
  add(time: number, least: ArrayLike<number>, most: ArrayLike<number>, isBreak: boolean, end = time): void {
    const isFull = this.inLast >= this.samplesPerBucket;
    if (this.bucketCount === 0 || isFull || isBreak || this.isAtHole(least)) this.open(time, isBreak);
    this.inLast++;
    this.widen(this.place(this.bucketCount - 1), end, least, most);
  }

  private isAtHole(values: ArrayLike<number>): boolean {
    if (this.inLast < ENDS_AT_HOLE * this.samplesPerBucket) return false;
    const place = this.place(this.bucketCount - 1);
    return this.least.some((lows, column) => Number.isNaN(lows[place]) !== Number.isNaN(values[column]));
  }

  private widen(place: number, end: number, least: ArrayLike<number>, most: ArrayLike<number>): void {
    this.ends[place] = end;
    for (let column = 0; column < this.least.length; column++) {
      const [lows, highs] = [this.least[column] as Float64Array, this.most[column] as Float64Array];
      const isLower = (least[column] as number) < (lows[place] as number);
      const isHigher = (most[column] as number) > (highs[place] as number);
      if (isLower !== isHigher) (this.lasts[column] as Uint8Array)[place] = isLower ? LAST.least : LAST.most;
      lows[place] = lesser(lows[place] as number, least[column] as number);
      highs[place] = greater(highs[place] as number, most[column] as number);
    }
  }

  private open(time: number, isBreak: boolean): void {
    if (this.bucketCount > 0) this.endBy(time);
    if (this.bucketCount === this.times.length) this.grow();
    if (this.bucketCount === this.capacity) {
      this.start = (this.start + 1) % this.capacity;
      this.bucketCount--;
      this.hasDropped = true;
    }
    const place = this.place(this.bucketCount);
    this.times[place] = time;
    this.breaks[place] = isBreak ? 1 : 0;
    this.empty(place);
    this.bucketCount++;
    this.inLast = 0;
  }

  /** A range that was thinned before may reach over what comes next. */
  private endBy(time: number): void {
    const last = this.place(this.bucketCount - 1);
    this.ends[last] = Math.min(this.ends[last] as number, time);
  }

  private empty(place: number): void {
    for (const values of this.least) values[place] = Number.NaN;
    for (const values of this.most) values[place] = Number.NaN;
    for (const lasts of this.lasts) lasts[place] = LAST.unknown;
  }

  /** Grows only while no bucket has been dropped, so that the buckets lie in order. */
  private grow(): void {
    if (this.times.length >= this.capacity) return;
    const length = Math.min(Math.max(2 * this.times.length, 64), this.capacity);
    const longer = (values: Float64Array): Float64Array<ArrayBuffer> => {
      const made = new Float64Array(length);
      made.set(values);
      return made;
    };
    const longerBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => {
      const made = new Uint8Array(length);
      made.set(bytes);
      return made;
    };
    this.breaks = longerBytes(this.breaks);
    this.lasts = this.lasts.map(longerBytes);
    this.times = longer(this.times);
    this.ends = longer(this.ends);
    this.least = this.least.map(longer);
    this.most = this.most.map(longer);
  }

  private place(index: number): number {
    const place = this.start + index;
    return place < this.times.length ? place : place - this.times.length;
  }

  /** The first bucket that starts at this time or later. */
  firstFrom(time: number): number {
    let low = 0;
    let high = this.bucketCount;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.timeAt(middle) < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Drops samples from this time on; a bucket across that time is made again from a finer level, which has been cut. */
  cutFrom(time: number, finer: readonly SampleLevel[]): void {
    const kept = this.firstFrom(time);
    this.bucketCount = kept;
    this.inLast = this.samplesPerBucket;
    if (kept > 0 && this.endAt(kept - 1) >= time) this.remake(kept - 1, finer);
  }

  /** Makes a bucket again, or leaves it as it is when no finer level has its samples any more. */
  private remake(index: number, levels: readonly SampleLevel[]): void {
    const begin = this.timeAt(index);
    const finer = levels.findLast((level) => level.timeAt(level.firstFrom(begin)) === begin);
    if (!finer) return;
    const start = finer.firstFrom(begin);
    const place = this.place(index);
    this.empty(place);
    for (let k = start; k < finer.count; k++) {
      const from = finer.place(k);
      const picked = (columns: readonly Float64Array[]): number[] => columns.map((values) => values[from] as number);
      this.widen(place, finer.endAt(k), picked(finer.least), picked(finer.most));
    }
  }
}

const lesser = (one: number, other: number): number => (Number.isNaN(one) || other < one ? other : one);
const greater = (one: number, other: number): number => (Number.isNaN(one) || other > one ? other : one);
