// The messages that a client of an event stream has missed: sent again from the ring, one frame a step.
import type { Frame } from '../../model/frame/reader.js';
import { MOST_SLOTS } from '../../model/frame/ring.js';
import type { MessageReader } from '../../serving/session/message-reader.js';
import type { Subscription } from '../../serving/session/subscription.js';
import type { Source } from '../../source/source.js';

export class Replay {
  /** Number of the frame that is looked at next. */
  private next: number;
  /** The last frame that the client needs nothing of, and its tick once a later frame tells. */
  private seenTick: number | undefined;
  /** Whether frames after it are gone. */
  private isGap = true;

  /** @param seen number of the last frame that the client has seen. */
  constructor(
    private readonly source: Source,
    private readonly subscription: Subscription,
    private readonly reader: MessageReader,
    private seen: number,
  ) {
    // The ring has no older frame.
    this.next = Math.max(seen + 1, source.frame.header.number - MOST_SLOTS);
  }

  /**
   * Sends the message of the next frame, if it was due and is still there, and counts what is gone as dropped. Returns
   * false once only the latest frame is left, which `attach` offers.
   */
  step(): boolean {
    if (this.subscription.isPaused) return false;
    const { frame: latest } = this.source;
    const ahead = this.seen - latest.header.number;
    if (ahead > 0) {
      // Until then nothing is new to the client, and nothing of it is missed.
      this.reader.resumeAfter(this.seen, 0);
      this.reader.countFrom(latest.header.tick + ahead);
      return false;
    }
    if (this.next >= latest.header.number) {
      this.passTo(latest);
      return false;
    }
    const frame = this.source.past(this.next++);
    if (frame?.header.catalogVersion === latest.header.catalogVersion) this.send(frame);
    else this.isGap = true;
    return true;
  }

  private send(frame: Frame): void {
    const { subscription, reader } = this;
    const { number, tick } = frame.header;
    this.passTo(frame);
    this.seen = number;
    this.seenTick = tick;
    if (!subscription.follower.isDue(frame.header)) return;
    if (subscription.hasAllIn(frame)) reader.offer(frame);
    else reader.miss({ count: 1, lastTick: tick, everyTicks: subscription.follower.everyTicks });
  }

  /** Counts the messages that were due between the frame seen last and this one, if frames between them are gone. */
  private passTo({ header: { number, tick } }: Frame): void {
    if (!this.isGap) return;
    this.isGap = false;
    // Before the first frame that is there, each frame is taken for one tick.
    const after = this.seenTick ?? tick - (number - this.seen);
    this.reader.resumeAfter(this.seen, this.subscription.follower.dueBetween(after, tick - 1));
  }
}
