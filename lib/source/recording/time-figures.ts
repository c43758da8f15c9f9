// What is told of the times of all rows: how far apart they are, where some are missing, and which are odd.

export interface Gap {
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

export interface TimeFigures {
  readonly rows: number;
  /** Between most rows; undefined when no time goes on. */
  readonly stepSeconds: number | undefined;
  /** Number of stretches without rows, of more than one and a half steps, and the first of them. */
  readonly gaps: number;
  readonly firstGaps: readonly Gap[];
  /** Rows whose time is that of the one before, is earlier, or is no number. */
  readonly equalTimes: number;
  readonly earlierTimes: number;
  readonly noTimes: number;
}

/** Rows by which the usual step is known. */
const STEPS = 2000;
const MOST_GAPS = 10;

/** Takes the times of rows in order. */
export class TimeCounter {
  /** The first ones, until the step is known. */
  private first: number[] | undefined = [];
  private stepSeconds: number | undefined;
  private before = Number.NaN;
  private readonly firstGaps: Gap[] = [];
  private rows = 0;
  private gaps = 0;
  private equalTimes = 0;
  private earlierTimes = 0;
  private noTimes = 0;

  take(seconds: number): void {
    this.rows++;
    if (!this.first) this.count(seconds);
    else if (this.first.push(seconds) === STEPS) this.countFirst();
  }

  get figures(): TimeFigures {
    this.countFirst();
    const { rows, stepSeconds, gaps, firstGaps, equalTimes, earlierTimes, noTimes } = this;
    return { rows, stepSeconds, gaps, firstGaps, equalTimes, earlierTimes, noTimes };
  }

  private countFirst(): void {
    const { first } = this;
    if (!first) return;
    this.stepSeconds = usualStep(first);
    this.first = undefined;
    for (const seconds of first) this.count(seconds);
  }

  private count(seconds: number): void {
    const { before, stepSeconds } = this;
    if (!Number.isFinite(seconds)) {
      this.noTimes++;
      return;
    }
    this.before = seconds;
    if (seconds === before) this.equalTimes++;
    else if (seconds < before) this.earlierTimes++;
    else if (stepSeconds !== undefined && seconds - before > 1.5 * stepSeconds) {
      this.gaps++;
      if (this.gaps <= MOST_GAPS) this.firstGaps.push({ fromSeconds: before, toSeconds: seconds });
    }
  }
}

/** The median of the steps that go on, without the errors of sums such as 0.1 + 0.2. */
export function usualStep(times: readonly number[]): number | undefined {
  const steps = times.map((seconds, row) => seconds - (times[row - 1] ?? seconds)).filter((step) => step > 0);
  const median = steps.sort((one, other) => one - other)[Math.floor(steps.length / 2)];
  return median === undefined ? undefined : Number(median.toPrecision(9));
}
