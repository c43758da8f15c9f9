// The datagrams of all connections leave in turns: sending one takes 10 us and more, and a burst of thousands at once would
// hold up everybody.

/** How long datagrams are sent in one turn of the event loop. */
const TURN_MILLIS = 1;

/** A connection with datagrams that wait. */
export interface Waiting {
  /** Sends the first of them; returns whether more wait. */
  sendNext(): boolean;
}

export class DatagramPace {
  /** Who has sent stands last. */
  private readonly waiting = new Set<Waiting>();
  private usedMillis = 0;
  private isScheduled = false;

  /** @param later calls a function in a later turn of the event loop. */
  constructor(
    private readonly later: (call: () => void) => void = setImmediate,
    private readonly nowMillis: () => number = () => performance.now(),
  ) {}

  /** Sends at once while this turn has time and nobody waits; else in later turns, where each sends one by turns. */
  send(one: Waiting): void {
    if (this.waiting.size > 0 || this.usedMillis >= TURN_MILLIS || this.sends(one)) this.waiting.add(one);
    this.schedule();
  }

  /** Sends the first datagram of a connection, and counts how long that takes; returns whether more wait. */
  private sends(one: Waiting): boolean {
    const startMillis = this.nowMillis();
    const hasMore = one.sendNext();
    this.usedMillis += this.nowMillis() - startMillis;
    return hasMore;
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    this.later(this.turn);
  }

  private readonly turn = (): void => {
    this.isScheduled = false;
    this.usedMillis = 0;
    for (const one of this.waiting) {
      this.waiting.delete(one);
      if (this.sends(one)) this.waiting.add(one);
      if (this.usedMillis >= TURN_MILLIS) break;
    }
    // What this turn has used is forgotten in the next one.
    if (this.waiting.size > 0 || this.usedMillis > 0) this.schedule();
  };
}

/** Of all datagram connections of this process. */
export const datagramPace = new DatagramPace();
