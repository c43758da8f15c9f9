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
  ) {}

  get isBehind(): boolean {
    return this.missed > 0;
  }

  /** Goes on behind a frame that the client has seen, with so many messages lost since. */
  resumeAfter(number: number, lost: number): void {
    this.lastNumber = number;
    this.missed += lost;
  }

  /** Sends what a frame shows, once a frame; a client that does not read misses whole messages. */
  offer(frame: Frame): void {
    const { number } = frame.header;
    if (number <= this.lastNumber) return;
    this.lastNumber = number;
    // Nothing is encoded for nobody.
    if (this.outbound.isFull) {
      this.outbound.drop();
      this.missed++;
      return;
    }
    const message = this.delivery.message(frame);
    const counted = this.missed > 0 ? this.delivery.withDropped(message, this.missed) : message;
    if (this.outbound.offer(counted, this.delivery.kind)) this.missed = 0;
    else this.missed++;
  }

  /** A message was due at a frame that cannot be read any more, or for which there was no time. */
  miss(): void {
    this.missed++;
  }

  release(): void {
    this.delivery.release();
  }

  end(): void {
    this.release();
    this.onEnd();
  }
}
