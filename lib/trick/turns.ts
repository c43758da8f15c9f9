// Blocks that compute for long take turns, so that everything else on this thread goes on between them.

export class Turns {
  private readonly waiting: (() => void)[] = [];
  private isScheduled = false;

  /** @param later calls in a later turn of the event loop. */
  constructor(private readonly later: (call: () => void) => void = setImmediate) {}

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
      this.waiting.shift()?.();
      this.schedule();
    });
  }
}
