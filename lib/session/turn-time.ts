// Computing time of one turn of the event loop, which several `Turns` share.

/** How long pieces of work may compute, one after another, before the event loop runs again. */
export const TURN_MILLIS = 4;
/** What is left of it when work that has waited goes on: for work that comes later in the same turn. */
const KEPT_MILLIS = 1;
/** What a piece of work counts at least, because it causes more when it has returned. */
const LEAST_MILLIS = 0.02;
/** Up to this much is forgotten only when more is used: a turn of the event loop for that alone costs as much as a message. */
const LITTLE_MILLIS = 1;

/** Whose work waits for the turn. */
export interface Sharer {
  readonly hasWaiting: boolean;
  /**
   * Runs work that waits until so much of the turn is used.
   * @param isGenerous whether one piece more goes on afterwards, of those who have used most.
   */
  runWaiting(untilMillis: number, isGenerous: boolean): void;
}

export class TurnTime {
  private usedMillis = 0;
  private isScheduled = false;
  private readonly sharers: Sharer[] = [];
  private generous = 0;

  /** @param later calls a function in a later turn of the event loop. */
  constructor(
    private readonly later: (call: () => void) => void = setImmediate,
    readonly nowMillis: () => number = () => performance.now(),
  ) {}

  /** The first to join goes first. */
  join(sharer: Sharer): void {
    this.sharers.push(sharer);
  }

  get isUsedUp(): boolean {
    return this.usedMillis >= TURN_MILLIS;
  }

  hasTime(untilMillis: number): boolean {
    return this.usedMillis < untilMillis;
  }

  spend(millis: number): void {
    this.usedMillis += Math.max(LEAST_MILLIS, millis);
    if (this.usedMillis >= LITTLE_MILLIS) this.schedule();
  }

  /** Makes sure that there is a next turn. */
  schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    this.later(this.turn);
  }

  private readonly turn = (): void => {
    this.isScheduled = false;
    this.usedMillis = 0;
    try {
      this.runAll();
    } finally {
      if (this.isUsedUp || this.sharers.some(({ hasWaiting }) => hasWaiting)) this.schedule();
    }
  };

  /** Each gets an equal part of the turn, whatever those before it have used, and what they have left. */
  private runAll(): void {
    const waiting = this.sharers.filter(({ hasWaiting }) => hasWaiting);
    const generous = this.generous++ % Math.max(1, waiting.length);
    const partMillis = (TURN_MILLIS - KEPT_MILLIS) / waiting.length;
    waiting.forEach((sharer, index) => {
      sharer.runWaiting(Math.max(this.usedMillis, index * partMillis) + partMillis, index === generous);
    });
  }
}
