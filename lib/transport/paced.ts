// Makes a bounded number of calls in one turn of the event loop; the others wait, in their order, for later turns.

export class Paced {
  private readonly waiting: (() => void)[] = [];
  private calledInTurn = 0;
  private isScheduled = false;

  /** @param later calls a function in a later turn of the event loop. */
  constructor(
    private readonly mostInTurn: number,
    private readonly later: (call: () => void) => void = setImmediate,
  ) {}

  /** Calls `work` now, or in a later turn when this one is used up. */
  call(work: () => void): void {
    this.schedule();
    if (this.waiting.length > 0 || this.calledInTurn >= this.mostInTurn) {
      this.waiting.push(work);
      return;
    }
    this.calledInTurn++;
    work();
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    this.later(() => {
      this.isScheduled = false;
      const next = this.waiting.splice(0, this.mostInTurn);
      this.calledInTurn = next.length;
      if (next.length > 0) this.schedule();
      for (const work of next) work();
    });
  }
}
