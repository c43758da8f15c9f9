// Variables that are sent together on a cycle, and the readers that get them.
import { type FrameHeader, Reason } from '../../model/frame/header.js';
import { Lease } from '../../model/frame/lease.js';
import type { Frame } from '../../model/frame/reader.js';
import { TooManyPointersError } from '../../model/state/reach.js';
import { type Account, OverBoundError } from '../scheduling/account.js';
import { Held } from '../scheduling/held.js';
import { type ChangeGate, MOST_COMPARED } from './change-gate.js';
import { Follower } from './follower.js';
import type { FrameCadence } from './frame-cadence.js';
import type { Reader } from './reader.js';
import { type Reference, spelledBytes } from './reference.js';
import { valuesOf, valuesOfPages, valuesPerSecond, valuesShownIn, withPointers } from './value-count.js';

/** Some variables that a client gets again and again. */
export class Subscription {
  readonly readers = new Set<Reader>();
  /** Which frames it is due at. */
  readonly follower: Follower;
  private count: number;
  private pageValues = 0;
  private pointers: readonly Reference[];
  /** Whether messages may have so many values that they are made in turns, of a copy. */
  readonly isLong: boolean;
  private readonly mostValues: number;
  private catalogVersion: number;
  private isOutgrown = false;
  private readonly held: Held;
  private readonly lease = new Lease();
  private readonly endings: (() => void)[] = [];

  /**
   * Takes from the account what the subscription asks for; `end` gives it back, and what the gate has taken. Throws an
   * OverBoundError.
   */
  constructor(
    readonly id: string,
    /** The account of the client that subscribed. */
    readonly account: Account,
    readonly references: readonly Reference[],
    cycleMillis: number,
    header: FrameHeader,
    private readonly gate: ChangeGate | undefined,
    /** Whether a message has only the values that have changed since the one before. */
    readonly isOfChanges = false,
  ) {
    this.follower = new Follower(cycleMillis, header);
    this.catalogVersion = header.catalogVersion;
    this.count = valuesOf(references);
    this.pointers = withPointers(references);
    this.isLong = !isOfChanges && (this.count > MOST_COMPARED || this.pointers.length > 0);
    this.mostValues = this.isLong && !gate?.isByValue ? Number.POSITIVE_INFINITY : MOST_COMPARED;
    this.held = new Held(account);
    this.lease.cycleSeconds = this.follower.effectiveCycleMillis / 1000;
    this.begin();
  }

  private begin(): void {
    try {
      this.held.set('keptBytes', spelledBytes(this.references));
      this.askFor(1);
    } catch (error) {
      this.giveBack();
      throw error;
    }
  }

  /** Takes what so many readers need: each after the first counts as a subscription more. Throws an OverBoundError. */
  private askFor(
    readers: number,
    { effectiveCycleMillis }: Pick<FrameCadence, 'effectiveCycleMillis'> = this.follower,
  ): void {
    const count = Math.max(1, readers);
    const perSecond = count * valuesPerSecond(Math.max(this.count, this.pageValues), effectiveCycleMillis);
    this.held.setAll({ subscriptions: count, valuesPerSecond: perSecond });
  }

  private giveBack(): void {
    this.held.release();
    this.lease.end();
    this.gate?.release();
  }

  /** Counts what frames carry for it for the first time. Throws an OverBoundError or a TooManyPointersError, and ends then. */
  countFirst(frame: Frame): void {
    if ((this.pointers.length === 0 && !frame.pages) || frame.header.number === 0) return;
    try {
      const isShown = this.lease.ask(this.references, frame, (bytes) => this.countPages(bytes));
      if (isShown) this.setCount(this.count, valuesShownIn(frame, this.references));
    } catch (error) {
      this.end();
      throw error;
    }
  }

  private countPages(bytes: number): true {
    this.pageValues = valuesOfPages(bytes);
    this.askFor(this.readers.size);
    return true;
  }

  /** How many values there are, with those behind pointers in the frame that was looked at last. */
  get valueCount(): number {
    return this.count;
  }

  /** Calls once when the subscription ends. */
  onEnd(listener: () => void): void {
    this.endings.push(listener);
  }

  /** Ends the subscription; it sends no more. */
  end(): void {
    for (const listener of this.endings.splice(0)) listener();
    this.giveBack();
  }

  get isPaused(): boolean {
    return this.follower.isPaused;
  }

  /** Cycles of a pause are not counted as left out. */
  set isPaused(isPaused: boolean) {
    if (isPaused === this.isPaused) return;
    this.follower.isPaused = isPaused;
    if (isPaused) this.lease.rest();
    for (const reader of this.readers) reader.setPaused(isPaused);
    this.countAnew();
  }

  /** Sets another cycle, from the next frame on. Throws an OverBoundError, and keeps the old cycle. */
  setCycle(cycleMillis: number): void {
    this.askFor(this.readers.size, this.follower.cadenceFor(cycleMillis));
    this.follower.setCycle(cycleMillis);
    this.lease.cycleSeconds = this.follower.effectiveCycleMillis / 1000;
    this.countAnew();
  }

  private countAnew(): void {
    for (const reader of this.readers) reader.countFrom(this.follower.lastTick);
  }

  /** Why the account has no room for a reader more; undefined when it has. */
  refusalOfReader(): string | undefined {
    try {
      this.askFor(this.readers.size + 1);
    } catch (error) {
      if (error instanceof OverBoundError) return error.message;
      throw error;
    }
    this.askFor(this.readers.size);
    return undefined;
  }

  /**
   * Adds a reader, which gets this frame at once, whatever the cycle; a resumed reader gets it only if it is due. Throws
   * an OverBoundError for a reader after the first.
   */
  add(reader: Reader, frame: Frame, isResumed: boolean): void {
    this.askFor(this.readers.size + 1);
    this.readers.add(reader);
    if (frame.header.number === 0 || this.isPaused) return;
    if (!this.hasAllIn(frame)) {
      this.follower.isLate = true;
      this.gate?.reopen();
      return;
    }
    // Too many values end it at the next frame.
    if (this.hasGrownIn(frame)) return;
    this.gate?.prime(frame);
    if (!isResumed || this.follower.isDue(frame.header)) reader.offer(frame);
  }

  /** Removes a reader; false for one that has been removed. */
  drop(reader: Reader): boolean {
    if (!this.readers.delete(reader)) return false;
    this.askFor(this.readers.size);
    return true;
  }

  /** What makes the message of its only reader, together with those of others; undefined when its values are compared. */
  get feed(): object | undefined {
    return this.readers.size === 1 && !this.gate ? this.readers.values().next().value?.feed : undefined;
  }

  /**
   * Whether anything may have to be done at a frame. Between two cycles nothing has: looking there at the subscriptions of a thousand clients, in their turns, costs more than their messages.
   */
  isConcernedBy({ header }: Frame): boolean {
    return header.catalogVersion !== this.catalogVersion || this.follower.mayBeDue(header);
  }

  /** Whether to send values now that a frame has come. A due frame that never came counts too. */
  isDueNow(frame: Frame): boolean {
    const { follower } = this;
    const { header } = frame;
    const due = follower.look(header);
    if (this.isPaused || this.readers.size === 0) return false;
    const isLate = follower.isLate && header.reason !== Reason.scheduled;
    if (!due && !isLate) return false;
    const isShown = this.hasAllIn(frame);
    if (due && due.missed > 0) this.miss(header, due.missed);
    follower.isLate = !isShown;
    return isShown;
  }

  /** Whether a frame carries the values. Of those behind too many pointers it says no, and the subscription must end. */
  hasAllIn(frame: Frame): boolean {
    try {
      // Of a frame that carries everything, pointers are counted.
      return frame.pages ? this.lease.ask(this.references, frame) : frame.carriesAll(this.pointers);
    } catch (error) {
      if (!(error instanceof TooManyPointersError)) throw error;
      this.isOutgrown = true;
      return false;
    }
  }

  /** Tells the readers of so many cycles that were passed over before a frame: once, however many they are. */
  private miss({ tick }: FrameHeader, count: number): void {
    const { everyTicks } = this.follower;
    const missed = { count, lastTick: this.follower.cycleBefore(tick), everyTicks };
    for (const reader of this.readers) reader.miss(missed);
  }

  /** The frame if it carries the values, otherwise undefined. */
  shownIn(frame: Frame): Frame | undefined {
    if (this.hasOutgrown(frame.header) || !this.hasAllIn(frame)) return undefined;
    return this.hasGrownIn(frame) ? undefined : frame;
  }

  /**
   * Whether variables have been declared anew with so many values that the subscription must end: more than the account
   * has room for, or too many for messages that are made in one step.
   */
  hasOutgrown({ catalogVersion }: FrameHeader): boolean {
    if (catalogVersion === this.catalogVersion || this.isOutgrown) return this.isOutgrown;
    this.catalogVersion = catalogVersion;
    this.pointers = withPointers(this.references);
    const [before, now] = [this.count, valuesOf(this.references)];
    if (now <= before) return false;
    this.isOutgrown = before <= MOST_COMPARED && now > MOST_COMPARED;
    if (!this.isOutgrown) this.grow(before, now);
    return this.isOutgrown;
  }

  /**
   * Counts the values behind pointers in a frame that shows them; true when there are so many that the subscription must
   * end.
   */
  hasGrownIn(frame: Frame): boolean {
    if (this.isOutgrown || this.pointers.length === 0) return this.isOutgrown;
    const [before, now] = [this.count, valuesShownIn(frame, this.references)];
    this.isOutgrown = now > this.mostValues;
    if (!this.isOutgrown && now !== before) this.grow(before, now);
    return this.isOutgrown;
  }

  private grow(before: number, now: number): void {
    try {
      this.setCount(before, now);
    } catch (error) {
      if (!(error instanceof OverBoundError)) throw error;
      this.isOutgrown = true;
    }
  }

  private setCount(before: number, now: number): void {
    this.count = now;
    try {
      this.askFor(this.readers.size);
    } catch (error) {
      this.count = before;
      throw error;
    }
  }

  /** Sends the values of a frame to all readers. */
  send(frame: Frame): void {
    for (const reader of this.recipientsOf(frame)) reader.offer(frame);
  }

  /**
   * As `send`; the next call of what is returned sends to one reader, if it is still there; false after the last. A later
   * frame may have come by then: the others get that one.
   */
  sendingEach(first: Frame): (frame: Frame) => boolean {
    const readers = this.recipientsOf(first);
    let { number } = first.header;
    let index = 0;
    return (frame) => {
      if (frame.header.number !== number && !this.goOnWith(frame)) return false;
      number = frame.header.number;
      const reader = readers[index++];
      if (reader && this.readers.has(reader) && !this.isPaused) reader.offer(frame);
      return index < readers.length;
    };
  }

  /** Some readers get a later frame than others; false, so that all get the next one, if it lacks the values. */
  private goOnWith(frame: Frame): boolean {
    this.reopen();
    this.follower.isLate = this.shownIn(frame) === undefined;
    return !this.follower.isLate;
  }

  /** The next frame is sent even if nothing has changed: what was sent is not what the gate has seen. */
  reopen(): void {
    this.gate?.reopen();
  }

  /** Who gets the values of a frame: all when they have changed enough, otherwise those who have missed some. */
  private recipientsOf(frame: Frame): readonly Reader[] {
    if (this.isPaused || this.readers.size === 0) return [];
    this.follower.isLate = !this.hasAllIn(frame);
    if (this.follower.isLate) return [];
    const isOpen = this.gate?.opensFor(frame) ?? true;
    return [...this.readers].filter(({ isBehind }) => isOpen || isBehind);
  }
}
