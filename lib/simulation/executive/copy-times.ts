// The exact simulation times at which sessions want a snapshot. Trick: VariableServerSession scheduled copies

/** A few sessions with odd cycles must not cause a snapshot in every microsecond. */
const SHORTEST_PERIOD_TICS = 100;
/** Limited, because each period is checked in every frame. */
const MOST_PERIODS = 64;
const MOST_COPIES_A_SECOND = 10_000;
/** Bytes that all copies carry in a second of simulation time, and after a rest at once. */
const COPIED_BYTES_A_SECOND = 600e6;
const BYTES_AT_ONCE = 150e6;

export class CopyTimes {
  /** Bytes that the latest frame carries; of a large state only what is read. */
  frameBytes = 0;
  private readonly holders = new Map<number, number>();
  private bytesLeft = BYTES_AT_ONCE;
  private countedTics = 0;

  constructor(private readonly ticsPerSecond = 1_000_000) {}

  /**
   * Adds a holder of a period; the period is used as long as it has holders. Throws a RangeError, and then holds
   * nothing, when all periods together would need more copies of the latest frame per second than are made.
   */
  hold(periodTics: number): void {
    const period = periodOf(periodTics);
    const count = this.holders.get(period) ?? 0;
    if (count === 0) this.admit(period);
    this.holders.set(period, count + 1);
  }

  letGo(periodTics: number): void {
    const period = periodOf(periodTics);
    const count = (this.holders.get(period) ?? 0) - 1;
    if (count > 0) this.holders.set(period, count);
    else this.holders.delete(period);
  }

  /** The first time at or after `fromTics` that is a multiple of a held period; Infinity when there is none. */
  next(fromTics: number): number {
    let next = Number.POSITIVE_INFINITY;
    for (const period of this.holders.keys()) next = Math.min(next, Math.ceil(fromTics / period) * period);
    return next;
  }

  isDue(timeTics: number): boolean {
    for (const period of this.holders.keys()) if (timeTics % period === 0) return true;
    return false;
  }

  /** Counts what a copy carried; beyond the bound nobody holds the shortest period any more. */
  made(timeTics: number): void {
    const seconds = Math.max(0, timeTics - this.countedTics) / this.ticsPerSecond;
    this.bytesLeft = Math.min(BYTES_AT_ONCE, this.bytesLeft + seconds * COPIED_BYTES_A_SECOND) - this.frameBytes;
    this.countedTics = timeTics;
    if (this.bytesLeft < 0) this.holders.delete(Math.min(...this.holders.keys()));
  }

  /** How many copies are made per second of simulation time. */
  private get mostASecond(): number {
    return Math.floor(Math.min(MOST_COPIES_A_SECOND, COPIED_BYTES_A_SECOND / Math.max(1, this.frameBytes)));
  }

  private admit(period: number): void {
    const periods = [...this.holders.keys(), period];
    if (periods.length > MOST_PERIODS) throw new RangeError(`exact copies are made for ${MOST_PERIODS} cycles at most`);
    // Multiples of another period need no copies of their own.
    const own = periods.filter((one) => !periods.some((other) => other < one && one % other === 0));
    const copies = own.reduce((sum, one) => sum + this.ticsPerSecond / one, 0);
    const { mostASecond } = this;
    if (copies <= mostASecond) return;
    throw new RangeError(`exact copies are made ${mostASecond} times a second at most, not ${Math.ceil(copies)} times`);
  }
}

const periodOf = (periodTics: number): number => Math.max(SHORTEST_PERIOD_TICS, Math.round(periodTics));
