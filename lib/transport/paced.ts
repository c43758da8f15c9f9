// Does work for a bounded time in one turn of the event loop; the rest waits, in its order, for later turns. What goes on
// waits for all that begins.

export class Paced {
  private waiting: (() => void)[] = [];
  private goingOn: (() => void)[] = [];
  private usedMillis = 0;
  private isScheduled = false;

  /**
   * @param leastMillis what a piece of work counts at least, for work that causes more when it has returned.
   * @param later calls a function in a later turn of the event loop.
   */
  constructor(
    private readonly millisInTurn: number,
    private readonly leastMillis = 0,
    private readonly later: (call: () => void) => void = setImmediate,
    private readonly nowMillis: () => number = () => performance.now(),
  ) {}

  /** Whether there is no time left in this turn, or other work waits to begin. */
  get isBusy(): boolean {
    return this.usedMillis >= this.millisInTurn || this.waiting.length > 0;
  }

  /** Calls `work` now, or in a later turn when this one is used up. */
  call(work: () => void): void {
    if (this.isBusy) this.wait(work);
    else this.spend(work);
  }

  /** Calls `work` in a later turn, after what waits already. */
  wait(work: () => void): void {
    this.waiting.push(work);
    this.schedule();
  }

  /** As `wait`, for work that continues: it also waits for all that `wait` was told later. */
  goOn(work: () => void): void {
    this.goingOn.push(work);
    this.schedule();
  }

  /** Calls `work` now; its time counts. */
  spend(work: () => void): void {
    this.schedule();
    const startMillis = this.nowMillis();
    try {
      work();
    } finally {
      this.usedMillis += Math.max(this.leastMillis, this.nowMillis() - startMillis);
    }
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    this.later(() => {
      this.isScheduled = false;
      this.usedMillis = 0;
      this.turn();
    });
  }

  /** What comes to wait meanwhile waits for the next turn. */
  private turn(): void {
    const [begins, goesOn] = [this.waiting, this.goingOn];
    [this.waiting, this.goingOn] = [[], []];
    try {
      this.doSome(begins, 0);
      // One goes on in any turn, so that it is not starved.
      this.doSome(goesOn, 1);
    } finally {
      this.waiting = [...begins, ...this.waiting];
      this.goingOn = [...goesOn, ...this.goingOn];
      if (this.waiting.length > 0 || this.goingOn.length > 0) this.schedule();
    }
  }

  /** Takes from the front until the time of this turn is used up, and so many at least. */
  private doSome(works: (() => void)[], least: number): void {
    let count = 0;
    try {
      while (count < works.length && (count < least || this.usedMillis < this.millisInTurn))
        this.spend(works[count++] as () => void);
    } finally {
      works.splice(0, count);
    }
  }
}
