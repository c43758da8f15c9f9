// What one reading of a table of text finds for plots: the extremes of all columns, and where times go back.
import { Extremes } from './extremes.js';
import { Stretches } from './stretches.js';

/** Of all columns together. */
const MOST_BYTES = 32e6;
const [LEAST_BUCKETS, MOST_BUCKETS] = [256, 16_384];
const BUCKET_BYTES = 40;
const ROWS_AT_ONCE = 256;

/** What is kept of it, as JSON and as numbers. */
export interface SavedOverview {
  readonly facts: {
    readonly stretches: Stretches['saved'];
    readonly extremes: readonly { readonly column: number; readonly rows: number; readonly bucketRows: number }[];
  };
  readonly numbers: readonly Float64Array[];
}

export class Overview {
  private count = 0;
  private readonly times = new Float64Array(ROWS_AT_ONCE);
  private readonly values: readonly Float64Array[];

  private constructor(
    readonly stretches: Stretches,
    /** By the numbers of columns. */
    readonly extremes: Map<number, Extremes>,
  ) {
    this.values = [...extremes.values()].map(() => new Float64Array(ROWS_AT_ONCE));
  }

  /** Undefined for a table with more columns than there is room for. */
  static of(columns: number): Overview | undefined {
    const most = Math.min(MOST_BUCKETS, Math.floor(MOST_BYTES / BUCKET_BYTES / columns));
    if (most < LEAST_BUCKETS) return undefined;
    const extremes = Array.from({ length: columns }, (_, column) => [column, new Extremes(1, most)] as const);
    return new Overview(new Stretches(), new Map(extremes));
  }

  /** Takes the next row; its values are those of all columns. */
  take(seconds: number, values: Float64Array): void {
    this.times[this.count] = seconds;
    for (let column = 0; column < values.length; column++)
      (this.values[column] as Float64Array)[this.count] = values[column] as number;
    if (++this.count === ROWS_AT_ONCE) this.flush();
  }

  /** Makes the rows that came last count. */
  flush(): void {
    this.stretches.take(this.times, 0, this.count);
    for (const [column, extremes] of this.extremes)
      extremes.take(this.times, this.values[column] as Float64Array, 0, this.count);
    this.count = 0;
  }

  get saved(): SavedOverview {
    const all = [...this.extremes];
    return {
      facts: {
        stretches: this.stretches.saved,
        extremes: all.map(([column, { rows, bucketRows }]) => ({ column, rows, bucketRows })),
      },
      numbers: all.map(([, { saved }]) => saved),
    };
  }

  /** As it was saved. */
  static from({ facts, numbers }: SavedOverview): Overview {
    const extremes = facts.extremes.map(
      ({ column, rows, bucketRows }, index) =>
        [
          column,
          Extremes.from(numbers[index] as Float64Array, { rows, bucketRows, mostBuckets: MOST_BUCKETS }),
        ] as const,
    );
    const [starts, rows, last] = facts.stretches;
    return new Overview(new Stretches(starts, rows, last ?? Number.NaN), new Map(extremes));
  }
}
