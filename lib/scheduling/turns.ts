// Long computations take turns: clients who have used little time go first, and the event loop runs in between.
import { type Account, Patience } from './account.js';
import type { MemoryPace } from './memory-pace.js';
import { LEAST_MILLIS, type Sharer, TurnTime } from './turn-time.js';
import { WaitingWork } from './waiting-work.js';

/** How long one piece of work should compute at most. */
const SLICE_MILLIS = 1;
/** So much longer may a turn become because clients go on who had waited and used less than a slice. */
const GOING_ON_MILLIS = 0.5;
/** How many steps pass between two looks at the clock. */
const STEPS_PER_LOOK = 64;
/** A message of more bytes is known to take long. */
export const LONG_MESSAGE_BYTES = 8 * 1024;
/** As many steps as a step counts that may take a millisecond. */
export const LONG_STEP = STEPS_PER_LOOK;

/**
 * Upper bounds of recently used time, one per class of clients; clients above the last bound form one more class. Two
 * hundred short questions a second use 30 ms. The classes are narrow, because ten clients who share all the time use only
 * twice as much each.
 */
const CLASSES_MILLIS = Array.from({ length: 17 }, (_, index) => 16 * 1.25 ** index);
/** Who has used more is in the last class. */
const MOST_MILLIS = 16 * 1.25 ** 16;
/**
 * Work that continues waits in a queue this many classes later, so that a client who asks little does not wait for long
 * work.
 */
const GOES_ON_CLASSES = 10;
/**
 * Who asks short questions waits in a queue so many classes earlier: who asks two hundred things a second uses more than
 * each of two hundred clients who ask for much, but they hardly wait for it.
 */
const SHORT_CLASSES = 6;
/** Each level of patience has queues of its own. */
const QUEUES_OF_LEVEL = SHORT_CLASSES + CLASSES_MILLIS.length + 1 + GOES_ON_CLASSES;
const QUEUES = (Patience.farAhead + 1) * QUEUES_OF_LEVEL;

/** Work in slices: it yields when its slice is over. */
export type Sliced<T> = Generator<void, T>;

/** The time that one piece of work gets. */
export class Slice {
  private steps = 0;
  private startMillis: number;
  private madeBytes = 0;

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

  /** Counts steps; the next call of `isOver` looks at the clock if they are many. */
  count(steps: number): void {
    this.steps += steps;
  }

  /** Counts bytes of long texts and lists that the work has made, so that it rests when clients make too many. */
  make(bytes: number): void {
    this.madeBytes += bytes;
  }

  /** What was made since this was last called. */
  takeMade(): number {
    const bytes = this.madeBytes;
    this.madeBytes = 0;
    return bytes;
  }

  restart(): void {
    this.steps = 0;
    this.startMillis = this.nowMillis();
  }
}

export class Turns implements Sharer {
  /** How many pieces of work of all lanes are not over. */
  inLanes = 0;
  private readonly waiting = new WaitingWork(QUEUES);
  private isClosed = false;
  /** When the call before ended, while calls follow each other. */
  private sinceMillis: number | undefined;
  /** What the clients who had waited for this turn have left of their slices, and what they may use of that together. */
  private readonly left = new Map<Account, number>();
  private goingOnMillis = 0;

  /**
   * @param time computing time of a turn of the event loop, which other `Turns` may share.
   * @param causesMore whether work also counts what it causes when it has returned. What only makes messages does not: the
   *   end of a turn bounds their writing.
   * @param memory how fast work in slices may make long texts and lists; undefined for as fast as it computes.
   */
  constructor(
    private readonly time = new TurnTime(),
    private readonly causesMore = true,
    private readonly memory?: MemoryPace,
  ) {
    time.join(this);
  }

  /** Whether this turn of the event loop is used up. */
  get isBusy(): boolean {
    return this.time.isUsedUp || this.waiting.length > 0;
  }

  /** How many pieces of work wait. */
  get waitingPieces(): number {
    return this.waiting.length;
  }

  get hasWaiting(): boolean {
    return this.waiting.length > 0;
  }

  /**
   * Calls `work` now; or later, if this turn is used up or if waiting work goes before it. Returns true when it was
   * called now. A client who had waited may use the slice that it has got: else a request of many short pieces waits for
   * all others before each of them.
   * @param isLong whether the work is known to take long: then it waits for all work that is not.
   */
  begin(account: Account, work: () => void, isLong = false): boolean {
    if (this.time.isUsedUp || this.waiting.waitsBefore(placeOf(account, isLong))) {
      if (!this.mayGoOn(account)) {
        this.queue(account, work, isLong);
        return false;
      }
      this.goingOnMillis -= this.callOfSlice(account, work);
    } else this.call(account, work);
    return true;
  }

  private mayGoOn(account: Account): boolean {
    return this.goingOnMillis > 0 && (this.left.get(account) ?? 0) > 0;
  }

  /** Calls, and notes what the client has left of its slice in this turn; returns how long that took. */
  private callOfSlice(account: Account, work: () => void): number {
    const millis = this.call(account, work);
    this.left.set(account, (this.left.get(account) ?? SLICE_MILLIS) - millis);
    return millis;
  }

  /** Calls `work` now even if others wait, or later if this turn of the event loop is used up. */
  soon(account: Account, work: () => void): void {
    if (this.time.isUsedUp) this.queue(account, work, false);
    else this.call(account, work);
  }

  /**
   * Runs many short calls one after another: each is counted from the end of the call before, by one look at the clock.
   */
  inARow(calls: () => void): void {
    this.sinceMillis = this.time.nowMillis();
    try {
      calls();
    } finally {
      this.sinceMillis = undefined;
    }
  }

  /** In a row of calls: the time since the last call is counted for nobody. */
  skip(): void {
    if (this.sinceMillis !== undefined) this.sinceMillis = this.time.nowMillis();
  }

  /** As `soon`; the promise, if there is one, resolves once `work` was called later, or rejects with what it threw. */
  due(account: Account, work: () => void): Promise<void> | undefined {
    return this.dueSteps(account, () => {
      work();
      return false;
    });
  }

  /**
   * Calls `step` until it returns false: now, and in later turns when this one is used up. If later turns are needed,
   * the returned promise resolves at the end, or rejects with what `step` threw. The steps of a turn are counted
   * together.
   */
  dueSteps(account: Account, step: () => boolean): Promise<void> | undefined {
    let goesOn = true;
    const some = (): void => {
      goesOn = this.callSome(step);
    };
    if (!this.time.isUsedUp) {
      this.call(account, some);
      if (!goesOn) return undefined;
    }
    return new Promise((resolve, reject) => {
      const advance = (): void => {
        try {
          some();
          if (goesOn) this.queue(account, advance, true);
          else resolve();
        } catch (error) {
          reject(error as Error);
        }
      };
      this.queue(account, advance, false);
    });
  }

  /** Calls in a later turn of the event loop. */
  resume(account: Account, work: () => void): void {
    this.queue(account, work, true);
  }

  /**
   * Runs work in slices, each in its turn; resolves with what it returns, rejects with what it throws.
   * @param isLong as for `begin`.
   */
  run<T>(account: Account, start: (slice: Slice) => Sliced<T>, isLong = false): Promise<T> {
    return new Promise((resolve, reject) => {
      const slice = new Slice(this.time.nowMillis);
      const sliced = start(slice);
      const advance = (): void => {
        slice.restart();
        try {
          const step = sliced.next();
          const restsUntilMillis = this.counted(account, slice);
          if (step.done) resolve(step.value);
          else if (restsUntilMillis === undefined) this.resume(account, advance);
          else this.memory?.rest(restsUntilMillis, () => this.resume(account, advance));
        } catch (error) {
          reject(error as Error);
        }
      };
      this.begin(account, advance, isLong);
    });
  }

  /** Counts what a slice has made; returns until when its work rests, if it must. */
  private counted(account: Account, slice: Slice): number | undefined {
    const bytes = slice.takeMade();
    const untilMillis = bytes > 0 ? this.memory?.spend(account.maker, bytes) : undefined;
    return untilMillis === undefined || this.memory?.isOver(untilMillis) ? undefined : untilMillis;
  }

  /** Closes the queues as the server ends: waiting work is dropped, and later work is not accepted. */
  close(): void {
    this.isClosed = true;
    this.waiting.clear();
    this.memory?.close();
  }

  /**
   * When the turn is used up, one piece of the next queue still runs, because who asks two hundred things a second would
   * wait for two hundred clients who ask few each; one of another queue, each in its turn, so that none starves; and one of
   * a network that got nothing, so that neither many clients of another, who each use little, nor many networks keep
   * it waiting.
   */
  runWaiting(untilMillis: number, isGenerous: boolean): void {
    const { waiting } = this;
    waiting.beginTurn();
    this.left.clear();
    this.goingOnMillis = GOING_ON_MILLIS;
    // Work that arrives meanwhile waits for the next turn.
    const counts = waiting.lengths;
    let place = 0;
    for (; place < QUEUES && this.time.hasTime(untilMillis); place++) this.runSome(counts, place, untilMillis);
    if (place === QUEUES) return;
    const next = counts.findIndex((count, queue) => queue >= place && count > 0);
    const isNextRun = next >= 0 && next < SHORT_CLASSES + GOES_ON_CLASSES;
    if (isNextRun) this.runSome(counts, next, 0);
    if (!isGenerous) return;
    const hungry = waiting.nextStarved(counts, isNextRun ? next + 1 : place);
    if (hungry !== undefined) this.runSome(counts, hungry, 0);
    const neglected = waiting.nextNeglected(this.time.nowMillis());
    if (neglected) this.callWaiting(neglected.account, neglected.work);
  }

  /** An error of one client's work must not end what others wait for. */
  private callWaiting(account: Account, work: () => void): void {
    if (!account.asksShortQuestions) this.time.sendAnswers();
    try {
      this.callOfSlice(account, work);
    } catch (error) {
      this.failed(error);
    }
  }

  /** Tells of an error for which nobody waits. */
  failed(error: unknown): void {
    this.time.failed(error);
  }

  private queue(account: Account, work: () => void, goesOn: boolean): void {
    if (this.isClosed) return;
    if (account.usedMillis >= MOST_MILLIS) account.comesLast();
    this.waiting.push(placeOf(account, goesOn), { account, work, goesOn });
    this.time.schedule();
  }

  /** Returns how long it took, with what it causes. */
  private call(account: Account, work: () => void): number {
    let counted = 0;
    const startMillis = this.sinceMillis ?? this.time.nowMillis();
    try {
      work();
    } finally {
      const nowMillis = this.time.nowMillis();
      if (this.sinceMillis !== undefined) this.sinceMillis = nowMillis;
      const ownMillis = nowMillis - startMillis;
      counted = this.time.spend(ownMillis, nowMillis, this.causesMore);
      // What pieces cause is known on average only: who asks short questions does not pay for what others cause.
      account.spend(Math.min(counted, 2 * Math.max(LEAST_MILLIS, ownMillis)), nowMillis, ownMillis, this.causesMore);
    }
    return counted;
  }

  /** Calls until a slice is over; false when there is nothing left to do. */
  private callSome(step: () => boolean): boolean {
    const { nowMillis } = this.time;
    const endMillis = nowMillis() + SLICE_MILLIS;
    while (step()) if (nowMillis() >= endMillis) return true;
    return false;
  }

  /**
   * Runs the first entry of a queue, and more while there is time. A client who has used much since it began to wait
   * goes on waiting in a later queue.
   */
  private runSome(counts: number[], place: number, untilMillis: number): void {
    for (let called = 0; (counts[place] ?? 0) > 0 && (called === 0 || this.time.hasTime(untilMillis)); ) {
      const next = this.waiting.shift(place);
      // The queues have been closed.
      if (!next) return;
      (counts[place] as number)--;
      const { account, work, goesOn } = next;
      const placeNow = placeOf(account, goesOn);
      if (placeNow > place) {
        this.waiting.push(placeNow, next);
        counts[placeNow] = (counts[placeNow] ?? 0) + 1;
        continue;
      }
      called++;
      this.waiting.serve(next);
      this.callWaiting(account, work);
    }
  }
}

/** The queue for work of a client, by the time that it has used lately. */
function placeOf(account: Account, goesOn: boolean): number {
  const { rankMillis, patience } = account;
  const found = CLASSES_MILLIS.findIndex((millis) => rankMillis < millis);
  const later =
    goesOn || account.isAhead ? SHORT_CLASSES + GOES_ON_CLASSES : account.asksShortQuestions ? 0 : SHORT_CLASSES;
  const place = (found < 0 ? CLASSES_MILLIS.length : found) + later;
  return patience * QUEUES_OF_LEVEL + place;
}
