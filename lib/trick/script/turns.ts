// Blocks that compute for long take turns, so that everything else on this thread goes on between them.

/** How long blocks may compute, one after another, before everything else has its turn. */
const TURN_MILLIS = 5;

export class Turns {
  /** Blocks that have not begun, and those that go on; whoever asks for little does not wait for whoever asks for much. */
  private fresh: (() => void)[] = [];
  private begun: (() => void)[] = [];
  private usedMillis = 0;
  private isScheduled = false;

  /** @param later calls in a later turn of the event loop. */
  constructor(
    private readonly later: (call: () => void) => void = setImmediate,
    private readonly nowMillis: () => number = () => performance.now(),
  ) {}

  /** Whether this turn of the event loop is used up. */
  get isBusy(): boolean {
    return this.usedMillis >= TURN_MILLIS || this.fresh.length > 0 || this.begun.length > 0;
  }

  /**
   * Calls now, unless others wait or this turn is used up: then later. True when it was called.
   * @param isLong whether it is known to take long: then it waits with those that do.
   */
  begin(work: () => void, isLong = false): boolean {
    if (this.isBusy) {
      (isLong ? this.begun : this.fresh).push(work);
      this.schedule();
      return false;
    }
    this.call(work);
    this.schedule();
    return true;
  }

  /** Calls in a later turn of the event loop, after those who waited before. */
  resume(work: () => void): void {
    this.begun.push(work);
    this.schedule();
  }

  private call(work: () => void): void {
    const startMillis = this.nowMillis();
    work();
    this.usedMillis += this.nowMillis() - startMillis;
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    this.later(() => {
      this.isScheduled = false;
      this.usedMillis = 0;
      this.runWaiting();
      if (this.isBusy) this.schedule();
    });
  }

  /** Those who come meanwhile wait for the next turn. At least one of each kind goes on. */
  private runWaiting(): void {
    const [fresh, begun] = [this.fresh, this.begun];
    [this.fresh, this.begun] = [[], []];
    this.fresh = [...this.runSome(fresh), ...this.fresh];
    this.begun = [...this.runSome(begun), ...this.begun];
  }

  /** Runs the first, and more while the turn lasts; returns the rest. */
  private runSome(waiting: (() => void)[]): (() => void)[] {
    let count = 0;
    for (const work of waiting) {
      if (count > 0 && this.usedMillis >= TURN_MILLIS) break;
      this.call(work);
      count++;
    }
    return waiting.slice(count);
  }
}
