// A recording whose rows are in memory, such as the past that a server keeps.
import { Memory } from '../../model/state/memory.js';
import { type Column, doubleColumns, TIME_COLUMN } from '../../simulation/recording/row.js';
import { Recording, type RowBlock } from './recording.js';

/** Numbers over time, in order; each holds until the next one. */
export interface HeldSeries {
  readonly name: string;
  readonly units: string;
  readonly times: readonly number[];
  readonly values: readonly number[];
}

const DOUBLE_BYTES = 8;
const MOST_BYTES = 500_000_000;

export class HeldRows extends Recording {
  readonly columns: readonly Column[];
  readonly time = TIME_COLUMN;
  readonly rowBytes: number;
  readonly rows: number;
  private readonly memory: Memory;

  /**
   * There is a row at each time that one of the series has; a series is NaN before its first one. Throws an Error with one
   * sentence when there are too many.
   * @param path what it is called.
   */
  constructor(
    path: string,
    readonly format: string,
    series: readonly HeldSeries[],
    readonly faults: readonly string[] = [],
  ) {
    super({ path, look: () => undefined, close: () => undefined });
    const names = series.map(({ name }) => name);
    this.columns = doubleColumns(names, '--').map((column, at) => {
      const { units } = series[at - 1] ?? {};
      return units === undefined ? column : { ...column, units };
    });
    const times = Float64Array.from(new Set(series.flatMap((one) => one.times))).sort();
    this.rows = times.length;
    this.rowBytes = DOUBLE_BYTES * this.columns.length;
    if (this.rows * this.rowBytes > MOST_BYTES)
      throw new Error(`${path} has ${this.rows} rows of ${series.length} variables, too many at once: take fewer`);
    this.memory = new Memory(new ArrayBuffer(this.rows * this.rowBytes));
    this.put(TIME_COLUMN, times);
    for (const [at, one] of series.entries()) this.put(this.columns[at + 1] as Column, heldAt(one, times));
  }

  protected countRows(): void {
    // There are no more.
  }

  protected load(): RowBlock {
    return { from: 0, count: this.rows, memory: this.memory };
  }

  private put({ offsetBytes }: Column, values: Float64Array): void {
    for (const [row, value] of values.entries())
      this.memory.view.setFloat64(row * this.rowBytes + offsetBytes, value, true);
  }
}

function heldAt({ times, values }: HeldSeries, at: Float64Array): Float64Array {
  let known = 0;
  return at.map((seconds) => {
    while (known < times.length && (times[known] as number) <= seconds) known++;
    return values[known - 1] ?? Number.NaN;
  });
}
