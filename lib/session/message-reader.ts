// A client that gets the values of one subscription, each time as a message of its own.
import type { Frame } from '../frame/reader.js';
import type { Delivery } from './delivery.js';
import type { Outbound } from './outbound.js';
import type { Reader } from './subscription.js';

export class MessageReader implements Reader {
  private lastNumber = 0;
  private missed = 0;

  constructor(
    private readonly outbound: Outbound,
    private readonly delivery: Delivery,
    /** Closes the stream when the subscription ends first. */
    private readonly onEnd: () => void,
    /** The frame with that number, or the latest if that one is gone; undefined if it does not carry the values. */
    private readonly frameOf: (number: number) => Frame | undefined,
  ) {}

  get isBehind(): boolean {
    return this.missed > 0 || this.outbound.holds(this);
  }

  /** Continues after a frame that the client has seen; `lost` messages since then could not be sent. */
  resumeAfter(number: number, lost: number): void {
    this.lastNumber = number;
    this.missed += lost;
  }

  /** Sends the values of a frame, once per frame; a client that reads slowly gets only the latest values. */
  offer(frame: Frame): void {
    const { number } = frame.header;
    if (number <= this.lastNumber) return;
    this.lastNumber = number;
    let isNow = true;
    // Encodes only when the client can take the message.
    const build = (replaced: number): Uint8Array | undefined => {
      this.missed += replaced;
      return isNow ? this.message(frame) : this.lateMessage();
    };
    this.outbound.offerLatest(this, build, this.delivery.kind);
    isNow = false;
  }

  /** The message of the frame that was due last; undefined, and counted as missed, if that frame lacks the values. */
  private lateMessage(): Uint8Array | undefined {
    const frame = this.frameOf(this.lastNumber);
    if (!frame) {
      this.missed++;
      return undefined;
    }
    this.lastNumber = frame.header.number;
    return this.message(frame);
  }

  private message(frame: Frame): Uint8Array {
    const message = this.delivery.message(frame);
    const { missed } = this;
    this.missed = 0;
    return missed > 0 ? this.delivery.withDropped(message, missed) : message;
  }

  /** A message was due at a frame that can no longer be read, or there was no time to send it. */
  miss(): void {
    this.missed++;
  }

  release(): void {
    this.outbound.withdraw(this);
    this.delivery.release();
  }

  end(): void {
    this.release();
    this.onEnd();
  }
}
