// Long computations take turns: clients who have used little time go first, and the event loop runs in between.
import type { Account } from './account.js';

/** How long pieces of work may compute, one after another, before the event loop runs again. */
const TURN_MILLIS = 4;
/** How long one piece of work should compute at most. */
const SLICE_MILLIS = 2;
/** How many steps pass between two looks at the clock. */
const STEPS_PER_LOOK = 64;

interface Waiting {
  readonly account: Account;
  readonly work: () => void;
}

/** Upper bounds of recently used time, one per class of clients; clients above the last bound form one more class. */
const CLASSES_MILLIS = [8, 32, 128, 512];
/** Each class has two queues: work that has not begun goes before work that continues. */
const QUEUES = 2 * (CLASSES_MILLIS.length + 1);

/** Work in slices: it yields when its slice is over. */
export type Sliced<T> = Generator<void, T>;

/** The time that one piece of work gets. */
export class Slice {
  private steps = 0;
  private startMillis: number;

  constructor(private readonly nowMillis: () => number) {
    this.startMillis = nowMillis();
  }

  /** Whether it is time to yield. Call it once per step; a step may take one to ten microseconds. */
  isOver(steps = 1): boolean {
    this.steps += steps;
    if (this.steps < STEPS_PER_LOOK) return false;
    this.steps = 0;
    return this.nowMillis() - this.startMillis >= SLICE_MILLIS;
  }

  restart(): void {
    this.steps = 0;
    this.startMillis = this.nowMillis();
  }
}

export class Turns {
  private queues: Waiting[][] = emptyQueues();
  private waitingCount = 0;
  private usedMillis = 0;
  private isScheduled = false;
  private isClosed = false;
  /** The queue that goes on next although lighter users have filled the turn. */
  private starved = 0;

  /** @param later calls a function in a later turn of the event loop. */
  constructor(
    private readonly later: (call: () => void) => void = setImmediate,
    private readonly nowMillis: () => number = () => performance.now(),
  ) {}

  /** Whether this turn of the event loop is used up. */
  get isBusy(): boolean {
    return this.usedMillis >= TURN_MILLIS || this.waitingCount > 0;
  }

  /**
   * Calls `work` now, or later if this turn is used up or work waits that goes before it. Returns true when it was
   * called now.
   * @param isLong whether the work is known to take long: then it waits for work that is not known to.
   */
  begin(account: Account, work: () => void, isLong = false): boolean {
    if (this.usedMillis >= TURN_MILLIS || this.waitsBefore(placeOf(account, isLong))) {
      this.queue(account, work, isLong);
      return false;
    }
    this.call(account, work);
    this.schedule();
    return true;
  }

  /**
   * Calls `work` now even if others wait, or later if this turn of the event loop is used up. In the second case the
   * returned promise resolves once it was called, or rejects with what it threw.
   */
  due(account: Account, work: () => void): Promise<void> | undefined {
    if (this.usedMillis < TURN_MILLIS) {
      this.call(account, work);
      this.schedule();
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const called = (): void => {
        try {
          work();
          resolve();
        } catch (error) {
          reject(error as Error);
        }
      };
      this.queue(account, called, false);
    });
  }

  /** Calls in a later turn of the event loop. */
  resume(account: Account, work: () => void): void {
    this.queue(account, work, true);
  }

  /** Runs work in slices, each in its turn; resolves with what it returns, rejects with what it throws. */
  run<T>(account: Account, start: (slice: Slice) => Sliced<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const slice = new Slice(this.nowMillis);
      const sliced = start(slice);
      const advance = (): void => {
        slice.restart();
        try {
          const step = sliced.next();
          if (step.done) resolve(step.value);
          else this.resume(account, advance);
        } catch (error) {
          reject(error as Error);
        }
      };
      this.begin(account, advance);
    });
  }

  /** The server ends: waiting work is dropped, and later work is not accepted. */
  close(): void {
    this.isClosed = true;
    this.queues = emptyQueues();
    this.waitingCount = 0;
  }

  private queue(account: Account, work: () => void, goesOn: boolean): void {
    if (this.isClosed) return;
    this.queues[placeOf(account, goesOn)]?.push({ account, work });
    this.waitingCount++;
    this.schedule();
  }

  /** Whether work waits in this queue or in one that goes before it. */
  private waitsBefore(place: number): boolean {
    if (this.waitingCount === 0) return false;
    for (let before = 0; before <= place; before++) if ((this.queues[before] as Waiting[]).length > 0) return true;
    return false;
  }

  private call(account: Account, work: () => void): void {
    const startMillis = this.nowMillis();
    try {
      work();
    } finally {
      const millis = this.nowMillis() - startMillis;
      this.usedMillis += millis;
      account.spend(millis);
    }
  }

  private schedule(): void {
    if (this.isScheduled || this.isClosed) return;
    this.isScheduled = true;
    this.later(() => {
      this.isScheduled = false;
      this.usedMillis = 0;
      try {
        this.runWaiting();
      } finally {
        if (this.isBusy) this.schedule();
      }
    });
  }

  /**
   * Work that arrives meanwhile waits for the next turn. When the turn is used up, one piece of the other queues, by
   * turns, goes on too, so that the heaviest users are never starved.
   */
  private runWaiting(): void {
    const before = this.queues;
    this.queues = emptyQueues();
    try {
      let place = 0;
      for (; place < QUEUES && this.hasTime; place++) this.runSome(before, place);
      const hungry = this.nextStarved(before, place);
      if (hungry !== undefined) this.runSome(before, hungry);
    } finally {
      this.queues = this.isClosed
        ? emptyQueues()
        : this.queues.map((queue, place) => [...(before[place] ?? []), ...queue]);
    }
  }

  private get hasTime(): boolean {
    return this.usedMillis < TURN_MILLIS;
  }

  /** Of the queues from `first` on that are not empty, the one after that of the turn before. */
  private nextStarved(queues: readonly Waiting[][], first: number): number | undefined {
    const places = queues.flatMap((queue, place) => (place >= first && queue.length > 0 ? [place] : []));
    const place = places.find((candidate) => candidate > this.starved) ?? places[0];
    if (place !== undefined) this.starved = place;
    return place;
  }

  /**
   * Runs the first entry of a queue, and more while the turn lasts; removes them. A client who has used much since
   * it began to wait goes on waiting in a later queue.
   */
  private runSome(queues: readonly Waiting[][], place: number): void {
    const queue = queues[place] as Waiting[];
    let [taken, called] = [0, 0];
    try {
      while (!this.isClosed && taken < queue.length && (called === 0 || this.hasTime)) {
        const waiting = queue[taken++] as Waiting;
        const placeNow = placeOf(waiting.account, place % 2 === 1);
        if (placeNow > place) {
          queues[placeNow]?.push(waiting);
          continue;
        }
        called++;
        this.waitingCount--;
        this.call(waiting.account, waiting.work);
      }
    } finally {
      queue.splice(0, taken);
    }
  }
}

/** The queue for work of a client, by the time that it has used lately. */
function placeOf(account: Account, goesOn: boolean): number {
  const { usedMillis } = account;
  const found = CLASSES_MILLIS.findIndex((millis) => usedMillis < millis);
  return 2 * (found < 0 ? CLASSES_MILLIS.length : found) + (goesOn ? 1 : 0);
}

const emptyQueues = (): Waiting[][] => Array.from({ length: QUEUES }, () => []);
