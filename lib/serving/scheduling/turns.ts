// The turns of clients: a job runs at once or waits in the one fair queue, and the event loop runs in between.
import { type ClientShare, FairQueue } from './fair-queue.js';
import { whenStill } from './when-still.js';

/** How long jobs that have waited run, one after another, before the event loop runs again. */
export const TURN_MILLIS = 3;
/** So much longer the promises that they continue may begin more: a batch has a job a call. */
const MORE_MILLIS = 2;
/** How long the steps of one job compute at most. */
const STEPS_MILLIS = 1;
/** The least time that a job is counted with: it causes more when it has returned. */
const LEAST_MILLIS = 0.02;
/** Up to this much used time needs no turn of its own, which would cost a fifth of a lone client's message. */
const LITTLE_MILLIS = 1;
/** How many jobs of a group are counted together at most: each takes some microseconds, but all may take longer than that. */
const MOST_TOGETHER = 16;
/** Jobs that run one after another. */
interface Row {
  sinceMillis: number;
  /** What those share that have run since then. */
  group: unknown;
  readonly shares: ClientShare[];
}

/** What a job returns that goes on in promises. */
const GOES_ON = Symbol('goes on');
const NOW = Promise.resolve();

/** What promises of a client compute, until no promise goes on. */
interface Stretch {
  readonly client: ClientShare;
  sinceMillis: number;
}

/** Whose jobs take turns: a client's sharer, or a socket's place at the door. */
export interface Sharer {
  readonly share: ClientShare;
}

export class Turns {
  private readonly queue = new FairQueue();
  private usedMillis = 0;
  private computed = 0;
  private isScheduled = false;
  private isClosed = false;
  private row: Row | undefined;
  private stretch: Stretch | undefined;
  /** Whether the jobs of this turn go on after the stretch. */
  private isInTurn = false;

  /**
   * @param later calls a function in a later turn of the event loop.
   * @param failed hears of an error that a client's work throws while nobody waits for it.
   * @param turnMillis how long jobs run in a turn; 0 is one job a turn.
   */
  constructor(
    private readonly nowMillis: () => number = () => performance.now(),
    private readonly later: (call: () => void) => void = setImmediate,
    readonly failed: (error: unknown) => void = (error) => {
      throw error;
    },
    private readonly turnMillis: () => number = () => TURN_MILLIS,
  ) {}

  /** How many jobs wait. */
  get waiting(): number {
    return this.queue.length;
  }

  /** Computing time of all jobs so far. */
  get computedMillis(): number {
    return this.computed;
  }

  /**
   * Calls `job` now, or in its turn when others wait. Returns true when it was called now.
   * @param group what it makes together with others of its row: their time is divided among them.
   */
  begin(sharer: Sharer, job: () => void, group?: unknown): boolean {
    const isNow = this.isFree(sharer);
    if (isNow) this.call(sharer.share, job, group);
    else this.resume(sharer, job);
    return isNow;
  }

  /** Calls `job` in its turn. */
  resume(sharer: Sharer, job: () => unknown): void {
    if (this.isClosed) return;
    this.queue.push(sharer.share, job);
    this.schedule();
  }

  /**
   * Runs many short calls one after another: each is counted from the end of the call before, by one look at the clock, and
   * those of a group by one look together.
   */
  inARow(calls: () => void): void {
    if (this.row) {
      calls();
      return;
    }
    const row = { sinceMillis: this.nowMillis(), group: undefined, shares: [] };
    this.row = row;
    try {
      calls();
    } finally {
      this.row = undefined;
      this.countRow(row);
    }
  }

  /** In a row of calls: calls one whose time is counted for nobody. */
  uncounted(call: () => void): void {
    if (this.row) this.countRow(this.row);
    call();
    if (this.row) this.row.sinceMillis = this.nowMillis();
  }

  /** As `begin`; the promise, if there is one, resolves once `job` was called later, or rejects with what it threw. */
  due(sharer: Sharer, job: () => void): Promise<void> | undefined {
    return this.dueSteps(sharer, () => {
      job();
      return false;
    });
  }

  /**
   * Calls `step` until it returns false: now, and in later turns when this one is used up. If later turns are needed,
   * the returned promise resolves at the end, or rejects with what `step` threw. The steps of a turn are counted
   * together.
   * @param group as for `begin`.
   */
  dueSteps(sharer: Sharer, step: () => boolean, group?: unknown): Promise<void> | undefined {
    let goesOn = true;
    const some = (): void => {
      goesOn = this.callSome(step);
    };
    if (this.isFree(sharer)) {
      this.call(sharer.share, some, group);
      if (!goesOn) return undefined;
    }
    return new Promise((resolve, reject) => {
      const advance = (): void => {
        try {
          some();
          if (goesOn) this.resume(sharer, advance);
          else resolve();
        } catch (error) {
          reject(error as Error);
        }
      };
      this.resume(sharer, advance);
    });
  }

  /**
   * For a function that works for a client: await it before the work and after every few hundred items. Others who wait go
   * first. What is computed until the function awaits something else is the client's time.
   */
  turn(sharer: Sharer): Promise<void> {
    const { stretch } = this;
    this.countStretch();
    const isOwn = stretch?.client === sharer.share;
    if ((isOwn || !stretch) && this.isFree(sharer)) {
      if (!isOwn) this.open(sharer.share, this.nowMillis());
      return NOW;
    }
    if (isOwn) this.stretch = undefined;
    return new Promise((resolve) => {
      this.resume(sharer, () => {
        resolve();
        return GOES_ON;
      });
    });
  }

  private open(client: ClientShare, sinceMillis: number): void {
    const stretch = { client, sinceMillis };
    this.stretch = stretch;
    whenStill(() => {
      if (this.stretch && this.stretch !== stretch) return;
      this.countStretch();
      this.stretch = undefined;
      const { isInTurn } = this;
      this.isInTurn = false;
      if (isInTurn && this.hasMore()) this.goOn();
    });
  }

  /** Counts what promises have computed up to now. */
  private countStretch(): void {
    const { stretch } = this;
    if (!stretch) return;
    const nowMillis = this.nowMillis();
    const millis = Math.max(0, nowMillis - stretch.sinceMillis);
    this.count([stretch.client], millis);
    stretch.sinceMillis = nowMillis;
  }

  /** Closes the queue as the server ends: waiting work is not run, and later work is not accepted. */
  close(): void {
    this.isClosed = true;
  }

  /** Whether a job of it would be called now. */
  isFree({ share }: Sharer): boolean {
    const turnMillis = this.turnMillis();
    const mostMillis = turnMillis === 0 ? LEAST_MILLIS : turnMillis + MORE_MILLIS;
    return this.usedMillis < mostMillis && this.queue.isNext(share);
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    this.later(this.begun);
  }

  private readonly begun = (): void => {
    this.isScheduled = false;
    this.usedMillis = 0;
    if (this.queue.length > 0) this.goOn();
  };

  /** Calls one job after another; after one that goes on in promises, when these are still. */
  private goOn(): void {
    do {
      if (this.isClosed) return;
      this.callNext();
      this.isInTurn = this.stretch !== undefined;
      if (this.isInTurn) return;
    } while (this.hasMore());
  }

  /** Whether jobs wait that this turn has time for; those of later turns are scheduled. */
  private hasMore(): boolean {
    if (this.queue.length === 0) return false;
    if (this.usedMillis < this.turnMillis()) return true;
    this.schedule();
    return false;
  }

  /** An error of one client's job must not end what others wait for. */
  private callNext(): void {
    const { client, job } = this.queue.next();
    try {
      this.call(client, job);
    } catch (error) {
      this.failed(error);
    }
  }

  private call(client: ClientShare, job: () => unknown, group?: unknown): void {
    const { row } = this;
    if (row) {
      this.callInRow(row, client, job, group);
      return;
    }
    const startMillis = this.nowMillis();
    let isOver = true;
    try {
      isOver = job() !== GOES_ON;
    } finally {
      if (isOver) this.count([client], this.nowMillis() - startMillis);
      else this.open(client, startMillis);
    }
  }

  private callInRow(row: Row, client: ClientShare, job: () => void, group: unknown): void {
    if (group !== row.group) this.countRow(row);
    row.group = group;
    row.shares.push(client);
    try {
      job();
    } finally {
      // A job within it has been counted with what it had taken so far.
      if (row.shares.length === 0) row.shares.push(client);
      if (group === undefined || row.shares.length >= MOST_TOGETHER) this.countRow(row);
    }
  }

  private countRow(row: Row): void {
    if (row.shares.length === 0) return;
    const nowMillis = this.nowMillis();
    const millis = nowMillis - row.sinceMillis;
    row.sinceMillis = nowMillis;
    this.count(row.shares.splice(0), millis);
  }

  /** Counts time in equal parts. */
  private count(clients: readonly ClientShare[], millis: number): void {
    this.computed += millis;
    // What others' jobs take while promises go on is not theirs.
    if (this.stretch) this.stretch.sinceMillis = Math.min(this.nowMillis(), this.stretch.sinceMillis + millis);
    const part = Math.max(LEAST_MILLIS, millis / clients.length);
    for (const client of clients) this.queue.charge(client, part);
    this.usedMillis += Math.max(LEAST_MILLIS, millis);
    if (this.usedMillis >= LITTLE_MILLIS) this.schedule();
  }

  /** Calls until the job's time is over; false when there is nothing left to do. */
  private callSome(step: () => boolean): boolean {
    const endMillis = (this.row?.sinceMillis ?? this.nowMillis()) + STEPS_MILLIS;
    while (step()) if (this.nowMillis() >= endMillis) return true;
    return false;
  }
}
