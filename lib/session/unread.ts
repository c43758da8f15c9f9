// Counts the answers that a client has not taken from its connection, and disconnects a client that takes none.
import type { Account } from '../scheduling/account.js';
import type { Clock } from '../scheduling/clock.js';
import type { Log } from './log.js';
import type { LongMessages, Sink } from './outbound.js';
import type { Session } from './session.js';

/** This many bytes may wait for any time. */
const HARMLESS_BYTES = 512 * 1024;
/** What waits must shrink within this time plus the time in which a slow line would carry it. */
const PATIENCE_MILLIS = 10_000;
const SLOW_BYTES_PER_MILLI = 64;

export class Unread implements LongMessages {
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

  canTake(bytes: number): boolean {
    return this.account.canTake('unreadBytes', bytes);
  }

  take(bytes: number): boolean {
    return this.account.tryTake('unreadBytes', bytes);
  }

  /** Adds bytes of an answer that was written. The caller has taken them from the account as `unreadBytes`. */
  add(bytes: number): void {
    this.heldBytes += bytes;
    this.addedBytes += bytes;
    this.settle();
  }

  /** Gives back what the client has taken since; call it when the connection has drained. */
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

/** Counts the long messages of a session's streams; who takes none of them is let go, with a line in the log. */
export function countUnread(
  { account, outbound, facts: { peer }, id }: Session,
  sink: Pick<Sink, 'pendingBytes'> & { destroy(): void },
  { clock }: { readonly clock: Clock },
  log: Log,
): Unread {
  const unread = new Unread(account, sink, clock, (reason) => {
    log('warning', `${peer} was let go: ${reason}`, { peer, session: id });
    sink.destroy();
  });
  outbound.long = unread;
  return unread;
}
