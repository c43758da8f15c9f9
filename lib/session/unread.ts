// The answers that a client has not taken off its connection: counted, and who takes none of them is let go.
import type { Account } from './account.js';
import type { Clock } from './clock.js';
import type { Sink } from './outbound.js';

/** As much may wait for however long. */
const HARMLESS_BYTES = 1024 * 1024;
/** What waits must become less within this time, and so much more of it as a slow line needs. */
const PATIENCE_MILLIS = 10_000;
const SLOW_BYTES_PER_MILLI = 64;

export class Unread {
  private heldBytes = 0;
  private addedBytes = 0;
  private cancel: (() => void) | undefined;

  /** @param letGo ends the connection; the sentence is for the log. */
  constructor(
    private readonly account: Account,
    private readonly sink: Pick<Sink, 'pendingBytes'>,
    private readonly clock: Clock,
    private readonly letGo: (sentence: string) => void,
  ) {}

  /** Counts bytes of an answer that has been written. They have been taken from the account as `unreadBytes`. */
  add(bytes: number): void {
    this.heldBytes += bytes;
    this.addedBytes += bytes;
    this.settle();
  }

  /** Gives back what the client has taken meanwhile; to be called when the connection has drained. */
  settle(): void {
    const waiting = Math.min(this.heldBytes, this.sink.pendingBytes);
    this.account.give('unreadBytes', this.heldBytes - waiting);
    this.heldBytes = waiting;
    if (waiting <= HARMLESS_BYTES) this.close();
    else if (!this.cancel) this.watch();
  }

  /** The connection has ended. */
  close(): void {
    this.cancel?.();
    this.cancel = undefined;
  }

  private watch(): void {
    const { pendingBytes } = this.sink;
    const { addedBytes } = this;
    this.cancel = this.clock.after(PATIENCE_MILLIS + pendingBytes / SLOW_BYTES_PER_MILLI, () => {
      this.cancel = undefined;
      const unmoved = pendingBytes + this.addedBytes - addedBytes;
      if (this.sink.pendingBytes < unmoved) this.settle();
      else this.letGo(`its answers were not taken: ${unmoved} bytes wait, and they have not become fewer for long`);
    });
  }
}
