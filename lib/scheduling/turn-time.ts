// Computing time of one turn of the event loop, which several `Turns` share.
import { flushNow } from '../network/turn-end.js';

/** How long pieces of work may compute, one after another, before the event loop runs again. */
const TURN_MILLIS = 2.25;
/** Time of a turn that is left for work that comes later in the turn, when waiting work runs first. */
const KEPT_MILLIS = 0.75;
/** The least time that a piece of work is counted with. */
export const LEAST_MILLIS = 0.02;
/**
 * Up to this much used time needs no turn of its own: a turn for each message of a lone client costs a fifth of the
 * message.
 */
const LITTLE_MILLIS = 1;
/**
 * The most time that a piece of work is counted with for what it causes after it has returned; others caused the rest.
 */
const MOST_CAUSED_MILLIS = 0.15;
/** Weight of the latest turn in the average, when it caused more than the average, and when it caused less. */
const RISING_SHARE = 1 / 2;
const FALLING_SHARE = 1 / 8;

/** A queue whose work waits for the turn. */
export interface Sharer {
  readonly hasWaiting: boolean;
  /**
   * Runs waiting work until this much of the turn is used.
   * @param isGenerous whether one more piece runs afterwards, of the clients who have used most.
   */
  runWaiting(untilMillis: number, isGenerous: boolean): void;
}

export class TurnTime {
  private usedMillis = 0;
  private isScheduled = false;
  /** When the next turn was scheduled, and what was called since then. */
  private sinceMillis = 0;
  private calls = 0;
  private calledMillis = 0;
  /**
   * The time that a piece of work causes after it has returned, on average: promises that continue, answers that are
   * written.
   */
  private causedMillis = 0;
  private readonly sharers: Sharer[] = [];
  private generous = 0;

  /**
   * @param later calls a function in a later turn of the event loop.
   * @param failed hears of an error that a client's work throws while nobody waits for it.
   * @param flush sends the answers of this turn that wait for its end.
   */
  constructor(
    private readonly later: (call: () => void) => void = setImmediate,
    readonly nowMillis: () => number = () => performance.now(),
    readonly failed: (error: unknown) => void = (error) => {
      throw error;
    },
    private readonly flush = flushNow,
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

  /**
   * Counts a piece of work that took so long and ended at `nowMillis`; returns what it counts.
   * @param causesMore whether it also counts what pieces cause when they have returned.
   */
  spend(millis: number, nowMillis: number, causesMore = true): number {
    const counted = Math.max(LEAST_MILLIS, millis) + (causesMore ? this.causedMillis : 0);
    this.usedMillis += counted;
    if (this.isScheduled) {
      this.calls++;
      this.calledMillis += millis;
    } else if (this.usedMillis >= LITTLE_MILLIS) this.schedule(nowMillis);
    return counted;
  }

  /** Sends what was written in this turn: it does not wait for the longer piece that follows. */
  sendAnswers(): void {
    const startMillis = this.nowMillis();
    this.flush();
    const millis = this.nowMillis() - startMillis;
    this.usedMillis += millis;
    // The next turn counts what it does not know of as reading.
    if (this.isScheduled) this.calledMillis += millis;
  }

  /** Makes sure that there is a next turn. */
  schedule(nowMillis = this.nowMillis()): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    this.sinceMillis = nowMillis;
    this.calls = 0;
    this.calledMillis = 0;
    this.later(this.turn);
  }

  /**
   * Time since `schedule` that no piece of work is counted with: sockets were read, memory was collected. The event loop
   * never waits between `schedule` and the turn, so all of it was used.
   */
  private otherMillis(): number {
    return Math.max(0, this.nowMillis() - this.sinceMillis - this.calledMillis);
  }

  /** @param causedMillis what each call of the latest turn caused. */
  private learn(causedMillis: number): void {
    const eachMillis = Math.min(MOST_CAUSED_MILLIS, causedMillis);
    const share = eachMillis > this.causedMillis ? RISING_SHARE : FALLING_SHARE;
    this.causedMillis += (eachMillis - this.causedMillis) * share;
  }

  private readonly turn = (): void => {
    this.isScheduled = false;
    // The longer the other work, the shorter the turn: clients wait for both.
    const otherMillis = this.otherMillis();
    const uncountedMillis = Math.max(0, otherMillis - this.calls * this.causedMillis);
    if (this.calls > 0) this.learn(otherMillis / this.calls);
    this.usedMillis = Math.min(TURN_MILLIS - KEPT_MILLIS, uncountedMillis);
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
