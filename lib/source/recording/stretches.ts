// Where the times of a recording go back: in the rows from one such place to the next, they only go on.

/** Where they go back more often, rows are taken as they come. */
const MOST = 200;

export class Stretches {
  /** @param starts the first row of each. */
  constructor(
    readonly starts: number[] = [0],
    public rows = 0,
    private last = Number.NaN,
  ) {}

  /** Takes the times of the next rows; those without one are passed over. */
  take(times: Float64Array, from: number, to: number): void {
    for (let index = from; index < to; index++) {
      const time = times[index] as number;
      if (time < this.last && this.starts.length < MOST) this.starts.push(this.rows);
      if (!Number.isNaN(time)) this.last = time;
      this.rows++;
    }
  }

  get saved(): readonly [number[], number, number] {
    return [this.starts, this.rows, this.last];
  }
}
