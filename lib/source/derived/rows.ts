// Functions over rows: what they keep of the rows before. Seconds are those of the simulation's clock.

/** Takes the value of each row in order, and answers with what is known then; NaN for nothing yet. */
export interface OverRows {
  take(seconds: number, value: number): number;
  /** Forgets all: time has jumped. */
  reset(): void;
}

/** The change since the row before, or that a second. */
export class Change implements OverRows {
  private before: { readonly seconds: number; readonly value: number } | undefined;
  private latest = Number.NaN;

  constructor(private readonly isPerSecond: boolean) {}

  take(seconds: number, value: number): number {
    const { before } = this;
    const passed = before ? seconds - before.seconds : 0;
    // In a freeze the change is that of before.
    if (before && passed > 0) this.latest = (value - before.value) / (this.isPerSecond ? passed : 1);
    if (!before || passed > 0) this.before = { seconds, value };
    return this.latest;
  }

  reset(): void {
    this.before = undefined;
    this.latest = Number.NaN;
  }
}

/** The area under a value since the first row, by trapezoids. */
export class Integral implements OverRows {
  private before: { readonly seconds: number; readonly value: number } | undefined;
  private area = 0;

  take(seconds: number, value: number): number {
    const { before } = this;
    if (before) this.area += ((seconds - before.seconds) * (value + before.value)) / 2;
    this.before = { seconds, value };
    return this.area;
  }

  reset(): void {
    this.before = undefined;
    this.area = 0;
  }
}

/** Follows a value with a time constant. */
export class LowPass implements OverRows {
  private before: { readonly seconds: number; readonly value: number } | undefined;

  constructor(private readonly constantSeconds: number) {}

  take(seconds: number, value: number): number {
    const { before } = this;
    const share = before ? 1 - Math.exp(-(seconds - before.seconds) / this.constantSeconds) : 1;
    const followed = before ? before.value + share * (value - before.value) : value;
    this.before = { seconds, value: followed };
    return followed;
  }

  reset(): void {
    this.before = undefined;
  }
}

/** More rows in a window are merged by twos. */
const MOST_ROWS = 1024;

/** The mean of the rows of the last seconds, each counted alike. */
export class MovingMean implements OverRows {
  private rows: { readonly seconds: number; readonly sum: number; readonly count: number }[] = [];
  private perRow = 1;
  private sum = 0;
  private count = 0;
  private taken = 0;

  constructor(private readonly windowSeconds: number) {}

  take(seconds: number, value: number): number {
    const last = this.rows.at(-1);
    if (last && last.count < this.perRow)
      this.rows[this.rows.length - 1] = { seconds: last.seconds, sum: last.sum + value, count: last.count + 1 };
    else this.rows.push({ seconds, sum: value, count: 1 });
    let gone = 0;
    while ((this.rows[gone]?.seconds ?? seconds) <= seconds - this.windowSeconds) gone++;
    const dropped = this.rows.splice(0, gone);
    if (this.rows.length > MOST_ROWS) this.merge();
    if (++this.taken % MOST_ROWS === 0) this.addUp();
    else {
      this.sum += value;
      this.count++;
      for (const row of dropped) {
        this.sum -= row.sum;
        this.count -= row.count;
      }
    }
    return this.sum / this.count;
  }

  /** Anew now and then, because rounding errors of sums and differences pile up. */
  private addUp(): void {
    [this.sum, this.count] = [0, 0];
    for (const row of this.rows) {
      this.sum += row.sum;
      this.count += row.count;
    }
  }

  private merge(): void {
    this.perRow *= 2;
    this.rows = this.rows.flatMap((row, k) => {
      if (k % 2 === 1) return [];
      const next = this.rows[k + 1];
      return [{ seconds: row.seconds, sum: row.sum + (next?.sum ?? 0), count: row.count + (next?.count ?? 0) }];
    });
  }

  reset(): void {
    this.rows = [];
    this.perRow = 1;
    [this.sum, this.count, this.taken] = [0, 0, 0];
  }
}
