// Counts what a client has not taken from its connection, and lets a client go that takes none of it.
import type { Account } from '../scheduling/account.js';
import type { Clock } from '../scheduling/clock.js';
import { HARMLESS_BYTES, StallWatch, type Taken } from './stall-watch.js';

export interface UnreadParts {
  readonly clock: Clock;
  /** Counts clients that are let go. */
  metBound(bound: 'unread'): void;
}

export class Unread {
  private heldBytes = 0;
  private readonly watch: StallWatch;

  /** @param letGo ends the connection; the sentence says why. */
  constructor(
    private readonly account: Account,
    private readonly sink: Taken,
    { clock, metBound }: UnreadParts,
    letGo: (sentence: string) => void,
  ) {
    this.watch = new StallWatch(sink, clock, {
      moved: () => this.settle(),
      stalled: (sentence) => {
        metBound('unread');
        letGo(sentence);
      },
    });
  }

  /** Whether the client may hold so many bytes more. */
  canTake(bytes: number): boolean {
    return this.account.canTake('unreadBytes', bytes);
  }

  /** Takes bytes that are about to be written; false when the client may not hold so many more. */
  take(bytes: number): boolean {
    return this.account.tryTake('unreadBytes', bytes);
  }

  /** Bytes that were taken from the account, as `unreadBytes`, have been written. */
  add(bytes: number): void {
    this.heldBytes += bytes;
    this.watch.add(bytes);
    this.settle();
  }

  /** Gives back what the client has taken since. */
  settle(): void {
    if (this.heldBytes === 0) return;
    const waiting = Math.min(this.heldBytes, this.sink.pendingBytes);
    this.account.give('unreadBytes', this.heldBytes - waiting);
    this.heldBytes = waiting;
    if (waiting <= HARMLESS_BYTES) this.watch.stop();
    else this.watch.start();
  }

  /** The connection has ended. */
  close(): void {
    this.watch.stop();
  }
}
