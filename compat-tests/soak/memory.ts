// Whether the server's memory is flat: what it has at least, and on average, in the last quarter against the first, after a warm-up.

const SAMPLE_MILLIS = 1000;
const WARM_UP_SHARE = 0.2;
/** Allows for the garbage collector; a leak of a kilobyte per message is far above this. */
const GROWTH_ALLOWED = 1.08;
/** Fewer samples do not allow a statement. */
const FEWEST_SAMPLES = 120;
/** Inputs and the collector raise one or the other by a tenth from hour to hour; what leaks raises the least and the median. */
const LEAST_SHARE = 0.1;
const MEDIAN_SHARE = 0.5;

type Quarters = readonly [number, number, number, number];

/** Memory in MiB, sample by sample. */
export class MemorySamples {
  private readonly samples: number[] = [];

  add(mebibytes: number): void {
    if (!Number.isNaN(mebibytes)) this.samples.push(mebibytes);
  }

  /** Undefined when there are too few. */
  get isFlat(): boolean | undefined {
    if (this.samples.length < FEWEST_SAMPLES) return undefined;
    return !(this.hasGrown(LEAST_SHARE) && this.hasGrown(MEDIAN_SHARE));
  }

  get summary(): string {
    if (this.samples.length === 0) return 'no samples';
    const shown = (share: number): string =>
      this.quarters(share)
        .map((mebibytes) => mebibytes.toFixed(1))
        .join(', ');
    const most = Math.max(...this.samples).toFixed(1);
    return `${shown(LEAST_SHARE)} MiB (lowest tenths of the quarters after a warm-up), ${shown(MEDIAN_SHARE)} (medians), ${most} at most, ${this.samples.length} samples`;
  }

  private hasGrown(share: number): boolean {
    const [first, , , last] = this.quarters(share);
    return last > first * GROWTH_ALLOWED;
  }

  /** @param share of the samples of each quarter that lie below its figure. */
  private quarters(share: number): Quarters {
    const warm = this.samples.slice(Math.floor(this.samples.length * WARM_UP_SHARE));
    const quarter = (index: number) =>
      quantile(warm.slice((index * warm.length) / 4, Math.max(((index + 1) * warm.length) / 4, 1)), share);
    return [quarter(0), quarter(1), quarter(2), quarter(3)];
  }
}

export class Memory extends MemorySamples {
  private readonly timer: NodeJS.Timeout;

  /** @param residentBytes returns NaN once the server has gone. */
  constructor(residentBytes: () => number) {
    super();
    this.timer = setInterval(() => this.add(residentBytes() / 2 ** 20), SAMPLE_MILLIS);
  }

  stop(): void {
    clearInterval(this.timer);
  }
}

const quantile = (numbers: readonly number[], share: number): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length * share)] ?? Number.NaN;
