// One message per frame for several subscriptions of one client.
import type { Frame } from '../../model/frame/reader.js';
import type { Account } from '../scheduling/account.js';
import type { LatestStream, MessageKind, Outbound } from './outbound.js';
import type { Reader } from './reader.js';
import type { Subscription } from './subscription.js';

/** How the subscriptions that are due at a frame become one message of a protocol. */
export interface BatchDelivery {
  readonly kind: MessageKind;
  /**
   * @param due subscriptions that have values to send at this frame, in the order in which they became due; at least
   * one.
   * @param dropped messages left out since the last one that was sent.
   */
  message(frame: Frame, due: readonly Subscription[], dropped: number): Uint8Array;
}

/**
 * `SubscriptionTable.openBatch` makes a batch, and the table ends it after each frame. The front-end calls
 * `outbound.release()` when the client has taken what was sent, so that a message that waits goes out.
 */
export class FrameBatch implements LatestStream {
  /** Members that were offered values of the frame that is being read. */
  private readonly offered = new Map<Subscription, Member>();
  /** Members in the message that is being made, or that waits until the client has read enough. */
  private readonly due = new Map<Subscription, Member>();
  private missed = 0;
  private lastNumber = 0;
  private isClosed = false;
  /** The frame that is being offered. */
  private ended: Frame | undefined;

  /**
   * @param frameOf the frame with that number, or the latest if that one is gone.
   * @param began called when a subscription of a client has put values into the batch, which must be ended afterwards.
   */
  constructor(
    private readonly outbound: Outbound,
    private readonly delivery: BatchDelivery,
    private readonly frameOf: (number: number) => Frame,
    private readonly began: (batch: FrameBatch, account: Account) => void,
  ) {}

  /**
   * The reader to attach to a subscription so that its values go into this batch.
   * @param onEnd called when the subscription ends before it is detached.
   */
  reader(subscription: Subscription, onEnd: () => void = () => {}): Reader {
    const offered = (member: Member): void => {
      if (this.isClosed) return;
      this.offered.set(subscription, member);
      this.began(this, subscription.account);
    };
    return new Member([this.offered, this.due], subscription, offered, onEnd);
  }

  /** Sends what was offered of a frame as one message; a client that reads slowly gets only the latest values. */
  end(frame: Frame): void {
    if (this.offered.size === 0) return;
    for (const [subscription, member] of this.offered) {
      member.goOnWith(frame);
      this.due.set(subscription, member);
    }
    this.offered.clear();
    this.lastNumber = frame.header.number;
    this.ended = frame;
    this.outbound.offerLatest(this);
    this.ended = undefined;
  }

  get kind() {
    return this.delivery.kind;
  }

  /** The message of the frame that has ended, or, later, of the one that ended last by then. */
  latest(replaced: number, isLate: boolean): Uint8Array | undefined {
    this.missed += replaced;
    return this.message(this.ended && !isLate ? this.ended : this.frameOf(this.lastNumber));
  }

  /** Ends the batch; its readers are offered nothing more. */
  close(): void {
    this.isClosed = true;
    this.offered.clear();
    this.outbound.withdraw(this);
  }

  /**
   * The message for all that are due; undefined, and counted as missed, when the frame has no values of theirs, or when all
   * have been paused or have gone while it waited.
   */
  private message(frame: Frame): Uint8Array | undefined {
    const due = [...this.due.keys()].filter((subscription) => subscription.shownIn(frame));
    this.due.clear();
    if (due.length === 0) {
      this.missed++;
      return undefined;
    }
    const message = this.delivery.message(frame, due, this.missed);
    this.missed = 0;
    return message;
  }
}

/** The reader of one subscription in the batch. */
class Member implements Reader {
  private lastNumber = 0;
  private hasMissed = false;

  constructor(
    private readonly lists: readonly [offered: Map<Subscription, Member>, due: Map<Subscription, Member>],
    private readonly subscription: Subscription,
    private readonly offered: (member: Member) => void,
    private readonly onEnd: () => void,
  ) {}

  get isBehind(): boolean {
    return this.hasMissed || this.isWaiting;
  }

  private get isWaiting(): boolean {
    return this.lists[1].has(this.subscription);
  }

  offer({ header }: Frame): void {
    if (header.number <= this.lastNumber) return;
    this.lastNumber = header.number;
    this.hasMissed = false;
    this.offered(this);
  }

  /** A message has the values of one frame: the latest one that its members were offered. */
  goOnWith({ header: { number } }: Frame): void {
    if (number <= this.lastNumber) return;
    this.lastNumber = number;
    this.subscription.reopen();
  }

  miss(): void {
    this.hasMissed = true;
  }

  setPaused(isPaused: boolean): void {
    if (isPaused && this.isWaiting) this.hasMissed = true;
    if (isPaused) this.withdraw();
  }

  countFrom(): void {
    // Messages of a batch are counted, not the cycles of its members.
  }

  private withdraw(): void {
    for (const list of this.lists) list.delete(this.subscription);
  }

  release(): void {
    this.withdraw();
  }

  end(): void {
    this.release();
    this.onEnd();
  }
}
