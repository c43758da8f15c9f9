// One reader of the message port: what it is sent, in its turns, and what it has not taken.
import type { Account } from '../../../serving/scheduling/account.js';
import type { Log } from '../../../serving/session/log.js';
import { Outbound } from '../../../serving/session/outbound.js';
import type { SessionRegistry } from '../../../serving/session/registry.js';
import { Unread, type UnreadParts } from '../../../serving/session/unread.js';
import type { Connection } from '../../../serving/transport/connection.js';

/** Messages that wait for the reader's turn; they are shared by all readers. */
const MOST_WAITING_BYTES = 1024 * 1024;

export interface ReaderParts {
  readonly registry: Pick<SessionRegistry, 'turns' | 'ledger'> & UnreadParts;
  /** Gets a line for a reader that takes nothing. */
  readonly log: Log;
}

export class PortReader {
  private readonly account: Account;
  private readonly outbound: Outbound;
  private waiting: Uint8Array[] = [];
  private waitingBytes = 0;

  constructor(
    connection: Connection,
    private readonly parts: ReaderParts,
    /** Called for each message that is left out. */
    private readonly leftOut: () => void,
  ) {
    const { registry, log } = parts;
    const { peer } = connection;
    this.account = registry.ledger.open(peer);
    const unread = new Unread(this.account, connection, registry, (reason) => {
      log('warning', `the reader of messages at ${peer} was let go: ${reason}`, { peer });
      connection.destroy();
    });
    this.outbound = new Outbound(connection, unread);
  }

  /** Sends a message when it is the reader's turn; one that does not keep up gets no more until it does. */
  offer(message: Uint8Array): void {
    if (this.outbound.isFull || this.waitingBytes + message.length > MOST_WAITING_BYTES) {
      this.leftOut();
      return;
    }
    this.waitingBytes += message.length;
    if (this.waiting.push(message) > 1) return;
    this.parts.registry.turns.begin(this.account, () => this.send());
  }

  /** Sends what waits for the turn. */
  send(): void {
    const messages = this.waiting;
    this.waiting = [];
    this.waitingBytes = 0;
    for (const message of messages) if (!this.outbound.offer(message)) this.leftOut();
  }

  /** The reader has taken what waited. */
  drained(): void {
    this.outbound.release();
  }

  close(): void {
    this.waiting = [];
    this.outbound.close();
    this.account.close();
  }
}
