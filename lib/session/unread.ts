// Counts the answers that a client has not taken from its connection, and disconnects a client that takes none.
import type { Account } from '../scheduling/account.js';
import type { Log } from './log.js';
import type { LongMessages, Sink } from './outbound.js';
import type { SessionRegistry } from './registry.js';
import type { Session } from './session.js';
import { HARMLESS_BYTES, StallWatch } from './stall-watch.js';

/** The clock, and who counts clients that are let go. */
export type UnreadParts = Pick<SessionRegistry, 'clock' | 'metBound'>;

export class Unread implements LongMessages {
  private heldBytes = 0;
  private readonly watch: StallWatch;

  /** @param letGo ends the connection; the sentence is for the log. */
  constructor(
    private readonly account: Account,
    private readonly sink: Pick<Sink, 'pendingBytes'>,
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

  canTake(bytes: number): boolean {
    return this.account.canTake('unreadBytes', bytes);
  }

  take(bytes: number): boolean {
    return this.account.tryTake('unreadBytes', bytes);
  }

  /** Adds bytes of an answer that was written. The caller has taken them from the account as `unreadBytes`. */
  add(bytes: number): void {
    this.heldBytes += bytes;
    this.watch.add(bytes);
    this.settle();
  }

  /** Gives back what the client has taken since; call it when the connection has drained. */
  settle(): void {
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

/** Counts the long messages of a session's streams; who takes none of them is let go, with a line in the log. */
export function countUnread(
  { account, outbound, facts: { peer }, id }: Session,
  sink: Pick<Sink, 'pendingBytes'> & { destroy(): void },
  parts: UnreadParts,
  log: Log,
): Unread {
  const unread = new Unread(account, sink, parts, (reason) => {
    log('warning', `${peer} was let go: ${reason}`, { peer, session: id });
    sink.destroy();
  });
  outbound.long = unread;
  return unread;
}
