// The least and the greatest of each so many rows of a column, by which a plot of a whole file is drawn.

/** Numbers of a bucket: time and value of the least, time and value of the greatest, time of the first NaN; NaN for none. */
const WIDTH = 5;
const FIRST_BUCKETS = 64;

/** Points in order of rows. */
export interface RowPoints {
  readonly times: number[];
  readonly values: number[];
}

export class Extremes {
  /** Rows that have been taken. */
  rows = 0;
  private data: Float64Array = new Float64Array(FIRST_BUCKETS * WIDTH).fill(Number.NaN);

  /** @param mostBuckets when there are more, two become one. */
  constructor(
    public bucketRows: number,
    private readonly mostBuckets: number,
  ) {}

  /** What is there, as it was saved. */
  static from(
    saved: Float64Array,
    {
      rows,
      bucketRows,
      mostBuckets,
    }: { readonly rows: number; readonly bucketRows: number; readonly mostBuckets: number },
  ): Extremes {
    if (saved.length !== Math.ceil(rows / bucketRows) * WIDTH) throw new Error('an index is damaged');
    const extremes = new Extremes(bucketRows, mostBuckets);
    extremes.rows = rows;
    extremes.data = saved;
    return extremes;
  }

  get saved(): Float64Array {
    return this.data.subarray(0, Math.ceil(this.rows / this.bucketRows) * WIDTH);
  }

  get bytes(): number {
    return this.data.byteLength;
  }

  /** Takes the next rows. Those without a time are passed over. */
  take(times: Float64Array, values: Float64Array, from: number, to: number): void {
    for (let index = from; index < to; ) {
      const at = this.placeOfNext();
      const end = Math.min(to, index + this.bucketRows - (this.rows % this.bucketRows));
      this.rows += end - index;
      for (; index < end; index++) this.takeInto(at, times[index] as number, values[index] as number);
    }
  }

  /** Adds the points of the buckets that have some of these rows. */
  addTo(into: RowPoints, from: number, to: number): void {
    const { bucketRows, data } = this;
    const end = Math.ceil(Math.min(to, this.rows) / bucketRows);
    for (let bucket = Math.floor(from / bucketRows); bucket < end; bucket++) {
      const at = bucket * WIDTH;
      const [least, greatest] = (data[at] as number) <= (data[at + 2] as number) ? [at, at + 2] : [at + 2, at];
      const hole = data[at + 4] as number;
      // NaN is before nothing.
      const [isFirst, isLast] = [!(hole >= (data[least] as number)), hole > (data[greatest] as number)];
      if (isFirst) addPoint(into, hole, Number.NaN);
      addPoint(into, data[least] as number, data[least + 1] as number);
      if (!isFirst && !isLast) addPoint(into, hole, Number.NaN);
      if (data[greatest] !== data[least] || data[greatest + 1] !== data[least + 1])
        addPoint(into, data[greatest] as number, data[greatest + 1] as number);
      if (isLast) addPoint(into, hole, Number.NaN);
    }
  }

  private takeInto(at: number, time: number, value: number): void {
    const { data } = this;
    if (Number.isNaN(time)) return;
    if (Number.isNaN(value)) {
      if (Number.isNaN(data[at + 4] as number)) data[at + 4] = time;
      return;
    }
    if (!((data[at + 1] as number) <= value)) {
      data[at] = time;
      data[at + 1] = value;
    }
    if (!((data[at + 3] as number) >= value)) {
      data[at + 2] = time;
      data[at + 3] = value;
    }
  }

  /** Where the bucket of the next row stands. */
  private placeOfNext(): number {
    if (this.rows >= this.bucketRows * this.mostBuckets) this.halve();
    const at = Math.floor(this.rows / this.bucketRows) * WIDTH;
    if (at >= this.data.length) {
      const longer = new Float64Array(2 * at + FIRST_BUCKETS * WIDTH).fill(Number.NaN);
      longer.set(this.data);
      this.data = longer;
    }
    return at;
  }

  /** Two buckets become one. */
  private halve(): void {
    const before = this.data;
    this.data = new Float64Array(before.length).fill(Number.NaN);
    const buckets = Math.ceil(this.rows / this.bucketRows);
    this.bucketRows *= 2;
    for (let bucket = 0; bucket < buckets; bucket++) {
      const [from, at] = [bucket * WIDTH, Math.floor(bucket / 2) * WIDTH];
      for (const place of [0, 2]) this.takeInto(at, before[from + place] as number, before[from + place + 1] as number);
      this.takeInto(at, before[from + 4] as number, Number.NaN);
    }
  }
}

/** A time that is not known is no point. */
export function addPoint({ times, values }: RowPoints, time: number, value: number): void {
  if (Number.isNaN(time)) return;
  times.push(time);
  values.push(value);
}
