// Blocks that compute for long take turns, so that everything else on this thread goes on between them.

/** How long those who wait may go on, one after another, before everything else has its turn. */
const TURN_MILLIS = 5;

export class Turns {
  private readonly waiting: (() => void)[] = [];
  private isScheduled = false;

  /** @param later calls in a later turn of the event loop. */
  constructor(
    private readonly later: (call: () => void) => void = setImmediate,
    private readonly nowMillis: () => number = () => performance.now(),
  ) {}

  /** Whether somebody waits already: whoever is new waits too. */
  get isBusy(): boolean {
    return this.waiting.length > 0;
  }

  /** Calls in a later turn of the event loop, after those who waited before. */
  add(resume: () => void): void {
    this.waiting.push(resume);
    this.schedule();
  }

  private schedule(): void {
    if (this.isScheduled || this.waiting.length === 0) return;
    this.isScheduled = true;
    this.later(() => {
      this.isScheduled = false;
      this.runWaiting();
      this.schedule();
    });
  }

  /** Those who come meanwhile wait for the next turn. */
  private runWaiting(): void {
    const endMillis = this.nowMillis() + TURN_MILLIS;
    for (let left = this.waiting.length; left > 0; left--) {
      this.waiting.shift()?.();
      if (this.nowMillis() >= endMillis) return;
    }
  }
}
