// One message per frame for several subscriptions of one client.
import type { Frame } from '../frame/reader.js';
import type { MessageKind, Outbound } from './outbound.js';
import type { Reader, Subscription } from './subscription.js';

/** How the subscriptions that are due at a frame become one message of a protocol. */
export interface BatchDelivery {
  readonly kind: MessageKind;
  /**
   * @param due subscriptions that have values to send at this frame, in the order in which they were made; at least
   * one.
   * @param dropped messages left out since the last one that was sent.
   */
  message(frame: Frame, due: readonly Subscription[], dropped: number): Uint8Array;
}

/** `SubscriptionTable.openBatch` makes a batch, and the table ends it after each frame. */
export class FrameBatch {
  private readonly due = new Map<Subscription, Member>();
  private missed = 0;

  constructor(
    private readonly outbound: Outbound,
    private readonly delivery: BatchDelivery,
  ) {}

  /**
   * The reader to attach to a subscription so that its values go into this batch.
   * @param onEnd called when the subscription ends before it is detached.
   */
  reader(subscription: Subscription, onEnd: () => void = () => {}): Reader {
    return new Member(this.due, subscription, onEnd);
  }

  /** Sends what was offered of a frame as one message, or drops all of it when the client does not read. */
  end(frame: Frame): void {
    if (this.due.size === 0) return;
    const message = this.delivery.message(frame, [...this.due.keys()], this.missed);
    const isSent = this.outbound.offer(message, this.delivery.kind);
    this.missed = isSent ? 0 : this.missed + 1;
    for (const member of this.due.values()) member.isBehind = !isSent;
    this.due.clear();
  }
}

/** The reader of one subscription in the batch. */
class Member implements Reader {
  isBehind = false;
  private lastNumber = 0;

  constructor(
    private readonly due: Map<Subscription, Member>,
    private readonly subscription: Subscription,
    private readonly onEnd: () => void,
  ) {}

  offer({ header }: Frame): void {
    if (header.number <= this.lastNumber) return;
    this.lastNumber = header.number;
    this.due.set(this.subscription, this);
  }

  miss(): void {
    this.isBehind = true;
  }

  release(): void {
    this.due.delete(this.subscription);
  }

  end(): void {
    this.release();
    this.onEnd();
  }
}
