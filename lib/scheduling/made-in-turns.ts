// A message that may take long to make: made in slices, one at a time, each slice in a turn of its client.
import type { Account } from './account.js';
import { Slice, type Sliced } from './slice.js';
import type { Turns } from './turns.js';

export class MadeInTurns<T> {
  private work: Sliced<T> | undefined;
  private readonly slice: Slice;

  /** @param done called with what was made, unless `make` has returned it. */
  constructor(
    private readonly turns: Turns,
    private readonly account: Account,
    nowMillis: () => number,
    private readonly done: (made: T) => void,
  ) {
    this.slice = new Slice(nowMillis);
  }

  /** Whether something is being made; then `make` must not be called. */
  get isBusy(): boolean {
    return this.work !== undefined;
  }

  /** Makes what takes one slice at once and returns it; what takes longer is made in later turns. */
  make(start: (slice: Slice) => Sliced<T>): { readonly made: T } | undefined {
    const work = start(this.slice);
    this.slice.restart();
    const step = work.next();
    if (step.done) return { made: step.value };
    this.work = work;
    this.goOnLater(work);
    return undefined;
  }

  /** Stops making the message; `done` is not called. */
  cancel(): void {
    this.work = undefined;
  }

  private goOnLater(work: Sliced<T>): void {
    this.turns.resume(this.account, () => {
      if (this.work !== work) return;
      this.slice.restart();
      const step = work.next();
      if (!step.done) {
        this.goOnLater(work);
        return;
      }
      this.work = undefined;
      this.done(step.value);
    });
  }
}
