// Hands on answers of the simulation's thread, and requests to the owner of a feed, in order and for a bounded time in one
// turn of the event loop. Node takes up to 1000 messages from a port at once, so a client that asks again at each answer
// could keep all others waiting.

/** How long answers are handed on, with what their clients do at once, before the event loop runs again. */
const TURN_MILLIS = 2;
/** How many of the answers that had to wait are handed on in one turn. */
const MOST_IN_TURN = 8;

export class AnswerPace {
  private readonly waiting: (() => void)[] = [];
  /** When the first answer of this turn came. */
  private sinceMillis: number | undefined;

  /** @param later calls a function in a later turn of the event loop. */
  constructor(
    private readonly later: (call: () => void) => void = setImmediate,
    private readonly nowMillis: () => number = () => performance.now(),
  ) {}

  /** Calls now, or in a later turn when this one is used up. */
  pass(call: () => void): void {
    if (this.sinceMillis === undefined) this.begin();
    const isLate = this.nowMillis() - (this.sinceMillis as number) >= TURN_MILLIS;
    if (isLate || this.waiting.length > 0) this.waiting.push(call);
    else call();
  }

  private begin(): void {
    this.sinceMillis = this.nowMillis();
    this.later(() => {
      this.sinceMillis = undefined;
      if (this.waiting.length === 0) return;
      const calls = this.waiting.splice(0, MOST_IN_TURN);
      this.begin();
      for (const call of calls) call();
    });
  }
}
