// A client that gets the values of one subscription, each time as a message of its own.
import type { Frame } from '../../model/frame/reader.js';
import type { Delivery } from './delivery.js';
import type { LatestStream, Outbound } from './outbound.js';
import type { MissedCycles, Reader } from './reader.js';
import type { SessionRegistry } from './registry.js';
import type { Subscription } from './subscription.js';

/** The frames of messages that are made later than they were due. */
export interface LateFrames {
  /** The frame with that number, or the latest if that one is gone; undefined if it does not carry the values. */
  frameOf(number: number): Frame | undefined;
  /** How many messages were due after one tick, up to and including a later one. */
  dueBetween(tick: number, laterTick: number): number;
  /** Calls in a turn of the client. */
  begin(call: () => void): void;
}

/** The late frames of a subscription. */
export const lateFrames = (
  subscription: Subscription,
  { source, turns }: Pick<SessionRegistry, 'source' | 'turns'>,
): LateFrames => ({
  frameOf: (number) => subscription.shownIn(source.past(number) ?? source.frame),
  dueBetween: (tick, laterTick) => subscription.follower.dueBetween(tick, laterTick),
  begin: (call) => void turns.begin(subscription.account, call),
});

export class MessageReader implements Reader, LatestStream {
  private lastNumber = 0;
  private lastTick = Number.NEGATIVE_INFINITY;
  private missed = 0;
  private isMaking = false;
  private isDueAgain = false;
  /** The frame that is being offered. */
  private offered: Frame | undefined;
  /** The message that was made in turns. */
  private readonly made: MadeMessage;
  private isReleased = false;
  private isPaused = false;

  constructor(
    private readonly outbound: Outbound,
    private readonly delivery: Delivery,
    /** Closes the stream when the subscription ends first. */
    private readonly onEnd: () => void,
    private readonly late: LateFrames,
  ) {
    this.made = new MadeMessage(delivery);
  }

  get kind() {
    return this.delivery.kind;
  }

  get feed(): object | undefined {
    return this.delivery.feed;
  }

  get isBehind(): boolean {
    return this.missed > 0 || this.outbound.holds(this) || this.outbound.holds(this.made);
  }

  /** Continues after a frame that the client has seen; `lost` messages since then could not be sent. */
  resumeAfter(number: number, lost: number): void {
    this.lastNumber = number;
    this.missed += lost;
  }

  /** Sends the values of a frame, once per frame; a client that reads slowly gets only the latest values. */
  offer(frame: Frame): void {
    const { number, tick } = frame.header;
    if (number <= this.lastNumber) return;
    this.lastNumber = number;
    this.lastTick = tick;
    this.offered = frame;
    this.outbound.offerLatest(this);
    this.offered = undefined;
  }

  /** The message of the frame that is offered, or, later, of the one that is due last by then. */
  latest(replaced: number, isLate: boolean): Uint8Array | undefined {
    this.missed += replaced;
    if (this.offered && !isLate) return this.make(this.offered);
    if (this.delivery.isLong && !this.isMaking) return this.makeInTurn();
    return this.make(this.isMaking ? undefined : this.late.frameOf(this.lastNumber));
  }

  private makeInTurn(): undefined {
    this.isMaking = true;
    this.late.begin(() => {
      this.isMaking = false;
      // What was due meanwhile has been counted as left out, and the latest of it is made now.
      this.forgetDue();
      this.forgetHeld();
      if (!this.isReleased) this.make(this.isPaused ? undefined : this.late.frameOf(this.lastNumber));
    });
  }

  /** The message of a frame; undefined, and counted as missed, without a frame that has the values. A long one follows. */
  private make(frame: Frame | undefined): Uint8Array | undefined {
    // One message at a time: of what is due meanwhile, only the latest is made afterwards.
    if (this.isMaking || !frame) {
      // The latest of those that are due meanwhile may still be sent.
      if (this.isDueAgain || !this.isMaking) this.outbound.countDropped(1);
      this.isDueAgain ||= this.isMaking;
      this.missed++;
      return undefined;
    }
    this.passTo(frame);
    const made = this.delivery.message(frame);
    // What is missed from now on lies after this message; what lies before it must not be said of one that still waits.
    const { missed } = this;
    this.missed = 0;
    if (made instanceof Uint8Array) return saying(this.delivery, made, missed);
    this.isMaking = true;
    made.then((message) => this.takeMade(message, missed)).catch((error: unknown) => this.notMade(error, missed));
    return undefined;
  }

  /** A message that cannot be made is left out. */
  private notMade(error: unknown, missed: number): void {
    this.isMaking = false;
    // What was due meanwhile has been counted as left out.
    this.forgetDue();
    this.missed += missed + 1;
    this.outbound.countDropped(1);
    this.outbound.failed(error);
  }

  private forgetDue(): void {
    if (this.isDueAgain) this.outbound.countDropped(1);
    this.isDueAgain = false;
  }

  /** What has found no room is left out. */
  private forgetHeld(): void {
    const count = this.outbound.withdraw(this);
    if (count > 0) this.outbound.countDropped(1);
    this.missed += count;
  }

  /** @param missed how many were left out before the message. */
  private takeMade(message: Uint8Array | undefined, missed: number): void {
    this.isMaking = false;
    if (this.isReleased) return;
    if (message && !this.isPaused) {
      this.made.put(message, missed);
      this.outbound.offerLatest(this.made);
    } else {
      this.missed += missed + 1;
      if (!this.isPaused) this.outbound.countDropped(1);
    }
    if (!this.isDueAgain) return;
    this.isDueAgain = false;
    this.missed--;
    this.outbound.offerLatest(this);
  }

  /** Where a frame is gone, a later one takes its place, and what was due before that is left out. */
  private passTo({ header: { number, tick } }: Frame): void {
    if (number > this.lastNumber) this.missed += this.late.dueBetween(this.lastTick, tick);
    this.lastNumber = number;
    this.lastTick = tick;
  }

  /**
   * Messages were due at frames that can no longer be read, or there was no time to send them. Those up to the frame that
   * came last have been counted.
   */
  miss({ count, lastTick, everyTicks }: MissedCycles): void {
    const later = Math.ceil((lastTick - this.lastTick) / everyTicks);
    this.missed += Math.max(0, Math.min(count, later));
  }

  setPaused(isPaused: boolean): void {
    this.isPaused = isPaused;
    if (!isPaused) return;
    this.missed += this.outbound.withdraw(this) + this.outbound.withdraw(this.made) + this.made.drop();
    // It counts as missed already.
    this.isDueAgain = false;
  }

  countFrom(tick: number): void {
    this.lastTick = Math.max(this.lastTick, tick);
  }

  release(): void {
    this.isReleased = true;
    this.outbound.withdraw(this);
    this.outbound.withdraw(this.made);
    this.delivery.release();
  }

  end(): void {
    this.release();
    this.onEnd();
  }
}

/** A message that was made in turns and waits for room. */
class MadeMessage implements LatestStream {
  readonly kind;
  private message: Uint8Array | undefined;
  /** How many were left out before it. */
  private missed = 0;

  constructor(private readonly delivery: Delivery) {
    this.kind = delivery.kind;
  }

  put(message: Uint8Array, missed: number): void {
    this.message = message;
    this.missed += missed;
  }

  latest(replaced: number): Uint8Array | undefined {
    const { message } = this;
    const dropped = replaced + this.drop();
    return message && saying(this.delivery, message, dropped);
  }

  /** Forgets the message; returns how many were left out before it. */
  drop(): number {
    const { missed } = this;
    this.message = undefined;
    this.missed = 0;
    return missed;
  }
}

/** A message that says how many were left out before it. */
const saying = (delivery: Delivery, message: Uint8Array, dropped: number): Uint8Array =>
  dropped > 0 ? delivery.withDropped(message, dropped) : message;
