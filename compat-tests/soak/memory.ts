// Whether the server's memory is flat: the median of the last quarter against that of the first, after a warm-up.

const SAMPLE_MILLIS = 1000;
const WARM_UP_SHARE = 0.2;
/** Allows for the garbage collector; a leak of a kilobyte per message is far above this. */
const GROWTH_ALLOWED = 1.08;
/** Fewer samples do not allow a statement. */
const FEWEST_SAMPLES = 120;

export class Memory {
  private readonly samples: number[] = [];
  private readonly timer: NodeJS.Timeout;

  /** @param residentBytes returns NaN once the server has gone. */
  constructor(private readonly residentBytes: () => number) {
    this.timer = setInterval(() => this.sample(), SAMPLE_MILLIS);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Undefined when the time was too short. */
  get isFlat(): boolean | undefined {
    if (this.samples.length < FEWEST_SAMPLES) return undefined;
    const [first, , , last] = this.quarters;
    return last <= first * GROWTH_ALLOWED;
  }

  get summary(): string {
    if (this.samples.length === 0) return 'no samples';
    const quarters = this.quarters.map((mebibytes) => mebibytes.toFixed(1)).join(', ');
    const most = Math.max(...this.samples).toFixed(1);
    return `${quarters} MiB (medians of the quarters after a warm-up), ${most} MiB at most, ${this.samples.length} samples`;
  }

  private sample(): void {
    const mebibytes = this.residentBytes() / 2 ** 20;
    if (!Number.isNaN(mebibytes)) this.samples.push(mebibytes);
  }

  private get quarters(): readonly [number, number, number, number] {
    const warm = this.samples.slice(Math.floor(this.samples.length * WARM_UP_SHARE));
    const quarter = (index: number) =>
      median(warm.slice((index * warm.length) / 4, Math.max(((index + 1) * warm.length) / 4, 1)));
    return [quarter(0), quarter(1), quarter(2), quarter(3)];
  }
}

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
