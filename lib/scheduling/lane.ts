// The work of one client in order: each piece starts when the piece before it is over.
import type { Account } from './account.js';
import type { Slice, Sliced, Turns } from './turns.js';

/** Who has asked for more than so many things that are not done waits for none of the answers. */
const FEW_AHEAD = 4;
/** For so long it is taken for one who does that: of what it sends, a part is read at a time. */
const AHEAD_MILLIS = 2_000;

export class Lane {
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  /** When it had asked far ahead. */
  private aheadMillis = Number.NEGATIVE_INFINITY;

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

  /**
   * As `Turns.run`, but starts when all work before it is over. Work of a client that asks far ahead counts as long: of
   * two hundred such clients, there is always one whose next piece is short.
   */
  run<T>(start: (slice: Slice) => Sliced<T>, isLong = false): Promise<T> {
    if (++this.waiting > FEW_AHEAD) this.aheadMillis = this.account.nowMillis;
    const work = this.last.then(() => this.turns.run(this.account, start, isLong || this.isAhead));
    const over = (): void => {
      this.waiting--;
      this.onShorter();
    };
    this.last = work.then(over, over);
    return work;
  }

  private get isAhead(): boolean {
    return this.account.nowMillis - this.aheadMillis < AHEAD_MILLIS;
  }
}
