// The work of one client in order: each piece starts when the piece before it is over.
import type { Account } from './account.js';
import type { Slice, Sliced } from './slice.js';
import type { Turns } from './turns.js';

export class Lane {
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;

  /** @param onShorter called when a piece of work is over. */
  constructor(
    private readonly turns: Turns,
    private readonly account: Account,
    private readonly onShorter: () => void,
  ) {}

  /** How many pieces of work are not over. */
  get length(): number {
    return this.waiting;
  }

  /** As `Turns.run`, but starts when all work before it is over. */
  run<T>(start: (slice: Slice) => Sliced<T>): Promise<T> {
    this.waiting++;
    const work = this.last.then(() => this.turns.run(this.account, start));
    const over = (): void => {
      this.waiting--;
      this.onShorter();
    };
    this.last = work.then(over, over);
    return work;
  }
}
