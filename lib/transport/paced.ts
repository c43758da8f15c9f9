// Does work for a bounded time in one turn of the event loop; the rest waits, in its order, for later turns. Work that
// continues waits for all work that begins.

import { type Later, onceATurn } from './once-a-turn.js';

/** Reading more from a socket afterwards takes so long, above all because the memory for it is new. */
const READING_MILLIS_A_BYTE = 0.3 / (64 * 1024);

export class Paced {
  private known: (() => void)[] = [];
  private waiting: (() => void)[] = [];
  private goingOn: (() => void)[] = [];
  private usedMillis = 0;
  private readonly schedule: () => void;

  /**
   * @param leastMillis the least time that a piece of work is counted with, for work that causes more after it has
   * returned.
   * @param later calls a function in a later turn of the event loop.
   */
  constructor(
    private readonly millisInTurn: number,
    private readonly leastMillis = 0,
    later?: Later,
    private readonly nowMillis: () => number = () => performance.now(),
  ) {
    this.schedule = onceATurn(() => {
      this.usedMillis = 0;
      this.turn();
    }, later);
  }

  /** Whether there is no time left in this turn, or other work waits to begin. */
  get isBusy(): boolean {
    return this.usedMillis >= this.millisInTurn || this.known.length > 0 || this.waiting.length > 0;
  }

  /** Calls `work` now, or in a later turn when this one is used up. */
  call(work: () => void): void {
    if (this.isBusy) this.wait(work);
    else this.spend(work);
  }

  /** Calls `work` in a later turn, after the work that waits already. */
  wait(work: () => void): void {
    this.waiting.push(work);
    this.schedule();
  }

  /** As `wait`, for work of somebody known: of a crowd that comes at once, all the others wait for it. */
  waitKnown(work: () => void): void {
    this.known.push(work);
    this.schedule();
  }

  /** As `wait`, for work that continues: it also waits for work that is given to `wait` later. */
  goOn(work: () => void): void {
    this.goingOn.push(work);
    this.schedule();
  }

  /** Calls `work` now and counts its time. */
  spend(work: () => void): void {
    this.schedule();
    const startMillis = this.nowMillis();
    try {
      work();
    } finally {
      this.usedMillis += Math.max(this.leastMillis, this.nowMillis() - startMillis);
    }
  }

  /** Counts the time in which as many bytes are read as were passed on just now. */
  countReading(bytes: number): void {
    this.usedMillis += READING_MILLIS_A_BYTE * bytes;
  }

  /** Work that is added during a turn waits for the next turn. */
  private turn(): void {
    const [known, begins, goesOn] = [this.known, this.waiting, this.goingOn];
    [this.known, this.waiting, this.goingOn] = [[], [], []];
    try {
      this.doSome(known, 0);
      // One piece begins and one continues in every turn, so that neither starves.
      this.doSome(begins, 1);
      this.doSome(goesOn, 1);
    } finally {
      this.known = [...known, ...this.known];
      this.waiting = [...begins, ...this.waiting];
      this.goingOn = [...goesOn, ...this.goingOn];
      if (this.known.length + this.waiting.length + this.goingOn.length > 0) this.schedule();
    }
  }

  /** Runs work from the front of a list until the time of this turn is used up; at least `least` pieces of it. */
  private doSome(works: (() => void)[], least: number): void {
    let count = 0;
    try {
      while (count < works.length && (count < least || this.usedMillis < this.millisInTurn))
        this.spend(works[count++] as () => void);
    } finally {
      works.splice(0, count);
    }
  }
}
