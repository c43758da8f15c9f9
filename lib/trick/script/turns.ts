// Blocks that compute for long take turns, so that everything else on this thread runs between them.

/** How long blocks may compute, one after another, before everything else has its turn. */
const TURN_MILLIS = 5;

export class Turns {
  /** Blocks that have not begun, and blocks that go on; two queues, so that a short block does not wait for all long ones. */
  private fresh: (() => void)[] = [];
  private begun: (() => void)[] = [];
  private usedMillis = 0;
  private isScheduled = false;

  /** @param later calls a function in a later turn of the event loop. */
  constructor(
    private readonly later: (call: () => void) => void = setImmediate,
    private readonly nowMillis: () => number = () => performance.now(),
  ) {}

  /** Whether this turn of the event loop is used up. */
  get isBusy(): boolean {
    return this.usedMillis >= TURN_MILLIS || this.fresh.length > 0 || this.begun.length > 0;
  }

  /**
   * Calls `work` now, or in a later turn when others wait or this turn is used up. True when it was called.
   * @param isLong puts it behind the blocks that go on, because it will take long.
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

  /** Calls `work` in a later turn of the event loop, after the blocks that wait already. */
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

  /** Runs at least one block of each queue. Blocks that come meanwhile wait for the next turn. */
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
