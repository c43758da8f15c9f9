// Flushes the sockets at the end of a turn of the event loop, one after another, and yields after some of them. A
// client on this machine that is still awake from one message takes the next at less cost, and a request waits only for
// a part.
// compat-tests/bench/optimizations.md has what it saves, and how to measure that again.

export interface Flushable {
  /** Must not throw. */
  flush(): void;
}

/**
 * How long sockets are flushed before new input is read; one may have a megabyte. Each part costs a turn of the event
 * loop.
 */
const SLICE_MILLIS = 1;

export class TurnEnd {
  /** Sockets of this turn. */
  private waiting: Flushable[] = [];
  /** Sockets of earlier turns, from `flushed` on; newer answers may go out before their updates. */
  private left: Flushable[] = [];
  private flushed = 0;

  constructor(private readonly nowMillis: () => number = () => performance.now()) {}

  /** Calls `flush` when the work of the current event, timer or promise is over. Call this once until then. */
  add(one: Flushable): void {
    if (this.waiting.push(one) === 1) process.nextTick(this.end);
  }

  private readonly end = (): void => {
    const all = this.waiting;
    this.waiting = [];
    const count = this.flushSlice(all, 0);
    if (count === all.length) return;
    if (this.left.length === 0) setImmediate(this.goOn);
    for (let at = count; at < all.length; at++) this.left.push(all[at] as Flushable);
  };

  private readonly goOn = (): void => {
    this.flushed = this.flushSlice(this.left, this.flushed);
    // Half at a time, so that each socket is moved once at most.
    if (2 * this.flushed >= this.left.length) {
      this.left.splice(0, this.flushed);
      this.flushed = 0;
    }
    if (this.left.length > 0) setImmediate(this.goOn);
  };

  /** Flushes sockets from one on until the part is over; returns the place of the first that is left. */
  private flushSlice(all: readonly Flushable[], from: number): number {
    const endMillis = this.nowMillis() + SLICE_MILLIS;
    let at = from;
    while (at < all.length) {
      (all[at++] as Flushable).flush();
      if (this.nowMillis() >= endMillis) break;
    }
    return at;
  }
}

const turnEnd = new TurnEnd();

/** Calls `flush` at the end of this turn. Call this once until then. */
export const atTurnEnd = (one: Flushable): void => turnEnd.add(one);
