// Work that computes for long takes turns: whoever has used little goes first, and everything else goes on in between.
import type { Account } from './account.js';

/** How long work may compute, one piece after another, before everything else has its turn. */
const TURN_MILLIS = 5;
/** How long one piece of work should compute at most. */
const SLICE_MILLIS = 2;
/** How many steps pass between two looks at the clock. */
const STEPS_PER_LOOK = 64;

interface Waiting {
  readonly account: Account;
  readonly work: () => void;
}

/** Clients who have used less than this of late wait together; those of the last class have used more. */
const CLASSES_MILLIS = [8, 32, 128, 512];
/** Of each class, what has not begun goes before what goes on. */
const QUEUES = 2 * (CLASSES_MILLIS.length + 1);

/** Work in pieces: it yields when its slice is over. */
export type Sliced<T> = Generator<void, T>;

/** One piece's share of time. */
export class Slice {
  private steps = 0;
  private startMillis: number;

  constructor(private readonly nowMillis: () => number) {
    this.startMillis = nowMillis();
  }

  /** Whether it is time to yield; ask once a step, which may cost a microsecond or ten. */
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

  /** @param later calls in a later turn of the event loop. */
  constructor(
    private readonly later: (call: () => void) => void = setImmediate,
    private readonly nowMillis: () => number = () => performance.now(),
  ) {}

  /** Whether this turn of the event loop is used up. */
  get isBusy(): boolean {
    return this.usedMillis >= TURN_MILLIS || this.waitingCount > 0;
  }

  /**
   * Calls now, unless others wait or this turn is used up: then later. True when it was called.
   * @param isLong whether it is known to take long: then it waits for those of whom that is not known.
   */
  begin(account: Account, work: () => void, isLong = false): boolean {
    if (this.isBusy) {
      this.queue(account, work, isLong);
      return false;
    }
    this.call(account, work);
    this.schedule();
    return true;
  }

  /**
   * Calls now, whoever waits already, unless this turn of the event loop is used up: then later. What is returned then
   * resolves once it was called, or rejects with what it threw.
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

  /** The server ends: what waits is forgotten, and nothing waits any more. */
  close(): void {
    this.isClosed = true;
    this.queues = emptyQueues();
    this.waitingCount = 0;
  }

  private queue(account: Account, work: () => void, goesOn: boolean): void {
    if (this.isClosed) return;
    const { usedMillis } = account;
    const found = CLASSES_MILLIS.findIndex((millis) => usedMillis < millis);
    const place = 2 * (found < 0 ? CLASSES_MILLIS.length : found) + (goesOn ? 1 : 0);
    this.queues[place]?.push({ account, work });
    this.waitingCount++;
    this.schedule();
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

  /** Those who come meanwhile wait for the next turn; one of those who have used most goes on, too. */
  private runWaiting(): void {
    const before = this.queues;
    this.queues = emptyQueues();
    try {
      for (const queue of before) this.runSome(queue);
    } finally {
      this.queues = this.isClosed
        ? emptyQueues()
        : this.queues.map((queue, place) => [...(before[place] ?? []), ...queue]);
    }
  }

  /** Runs the first, and more while the turn lasts; takes them out of the queue. */
  private runSome(queue: Waiting[]): void {
    let count = 0;
    try {
      while (!this.isClosed && count < queue.length && (count === 0 || this.usedMillis < TURN_MILLIS)) {
        const { account, work } = queue[count++] as Waiting;
        this.waitingCount--;
        this.call(account, work);
      }
    } finally {
      queue.splice(0, count);
    }
  }
}

const emptyQueues = (): Waiting[][] => Array.from({ length: QUEUES }, () => []);
