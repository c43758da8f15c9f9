// A client that gets the values of one subscription as a message of their own.
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
    /** The frame of a number, or the latest when that is gone; nothing, if it does not carry the values. */
    private readonly frameOf: (number: number) => Frame | undefined,
  ) {}

  get isBehind(): boolean {
    return this.missed > 0 || this.outbound.holds(this);
  }

  /** Goes on behind a frame that the client has seen, with so many messages lost since. */
  resumeAfter(number: number, lost: number): void {
    this.lastNumber = number;
    this.missed += lost;
  }

  /** Sends what a frame shows, once a frame; a client that reads slowly misses all but the latest. */
  offer(frame: Frame): void {
    const { number } = frame.header;
    if (number <= this.lastNumber) return;
    this.lastNumber = number;
    let isNow = true;
    // Nothing is encoded for who does not take it.
    const build = (replaced: number): Uint8Array | undefined => {
      this.missed += replaced;
      return isNow ? this.message(frame) : this.lateMessage();
    };
    this.outbound.offerLatest(this, build, this.delivery.kind);
    isNow = false;
  }

  /** Of the frame that was due last; the next one due makes up for one that does not carry the values. */
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

  /** A message was due at a frame that cannot be read any more, or for which there was no time. */
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
