// Flushes the sockets at the end of a turn of the event loop, one after another, and yields after some of them. A
// client on this machine that is still awake from one message takes the next at less cost, and a request waits only for
// a slice.
// docs/performance.md has what it buys, and how to measure that again.

export interface Waiting {
  /** Must not throw. */
  flush(): void;
}

/** How long sockets are flushed before new input is read. Each slice costs a turn of the event loop. */
const SLICE_MILLIS = 1;
/** How many sockets are flushed between two looks at the clock. */
const SOCKETS_PER_LOOK = 16;

export class TurnEnd {
  /** Sockets of this turn. */
  private waiting: Waiting[] = [];
  /** Sockets of earlier turns; newer answers may go out before their updates. */
  private left: Waiting[] = [];

  constructor(private readonly nowMillis: () => number = () => performance.now()) {}

  /** Calls `flush` when the work of the current event, timer or promise is over. Call this once until then. */
  add(one: Waiting): void {
    if (this.waiting.push(one) === 1) process.nextTick(this.end);
  }

  private readonly end = (): void => {
    const all = this.waiting;
    this.waiting = [];
    this.leave(this.flushSlice(all));
  };

  private readonly goOn = (): void => {
    const all = this.left;
    this.left = [];
    this.leave(this.flushSlice(all));
  };

  private leave(others: readonly Waiting[]): void {
    if (others.length === 0) return;
    if (this.left.length === 0) setImmediate(this.goOn);
    for (const one of others) this.left.push(one);
  }

  /** Flushes the first sockets; returns the others. */
  private flushSlice(all: readonly Waiting[]): readonly Waiting[] {
    const endMillis = this.nowMillis() + SLICE_MILLIS;
    let count = 0;
    for (const one of all) {
      one.flush();
      count++;
      if (count % SOCKETS_PER_LOOK === 0 && this.nowMillis() >= endMillis) break;
    }
    return all.slice(count);
  }
}

const turnEnd = new TurnEnd();

/** Calls `flush` at the end of this turn. Call this once until then. */
export const atTurnEnd = (one: Waiting): void => turnEnd.add(one);
