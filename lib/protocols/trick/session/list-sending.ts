// What a session's list sends by itself: long messages wait for room, and count as answers that are not read until then.
import type { Account } from '../../../serving/scheduling/account.js';
import { Held } from '../../../serving/scheduling/held.js';
import type { Turns } from '../../../serving/scheduling/turns.js';
import {
  countedUntilSent,
  type LatestStream,
  LONG_BYTES,
  type Messages,
  type Outbound,
} from '../../../serving/session/outbound.js';
import type { CadenceEvents } from './cadence.js';

interface Sender {
  readonly account: Account;
  readonly outbound: Outbound;
}

export class ListSending implements LatestStream {
  /** Bytes of the message that waits for room, and of the copy that waits for its cycle. */
  private readonly offered: Held;
  private readonly copied: Held;
  /** What waits for room: messages, or the beginning of a long one. */
  private waiting: Messages | (() => void) | undefined;

  constructor(
    private readonly client: Sender,
    private readonly turns: Turns,
  ) {
    this.offered = new Held(client.account);
    this.copied = new Held(client.account);
  }

  /** How a list is sent, for its cadence. @param isLong whether the list's messages are long now. */
  events(isLong: () => boolean): Pick<CadenceEvents, 'send' | 'keep' | 'waitsForRoom'> {
    return {
      send: (messages) => this.offer(messages),
      keep: (messages) => this.keep(messages),
      waitsForRoom: (begin) => isLong() && this.waitsForRoom(begin),
    };
  }

  /** Sends messages now, or when the client has taken what was sent before; a later one replaces one that waits. */
  private offer(messages: Messages): void {
    const { outbound } = this.client;
    this.offered.release();
    const bytes = bytesOf(messages);
    if (bytes <= LONG_BYTES || outbound.isReady) this.waiting = messages;
    // Without room for it nothing is sent, in place of what waited before.
    else if (!this.offered.trySet('unreadBytes', bytes)) this.waiting = undefined;
    else this.waiting = countedOnce(messages, () => this.offered.release());
    outbound.offerLatest(this);
  }

  latest(): Messages | undefined {
    const { waiting } = this;
    this.waiting = undefined;
    if (typeof waiting !== 'function') return waiting;
    this.turns.begin(this.client.account, waiting);
    return undefined;
  }

  /** Whether the client has no room for a long message; then `begin` is called in a turn of its own when it has. */
  private waitsForRoom(begin: () => void): boolean {
    const { outbound } = this.client;
    if (outbound.isReady) return false;
    this.offered.release();
    this.waiting = begin;
    outbound.offerLatest(this);
    return true;
  }

  /** Counts a copy that waits for its cycle, until another one or none does; false when the client may not hold it. */
  private keep(messages: Messages | undefined): boolean {
    this.copied.release();
    const bytes = messages ? bytesOf(messages) : 0;
    return bytes <= LONG_BYTES || this.copied.trySet('unreadBytes', bytes);
  }

  /** The client has gone. */
  close(): void {
    this.client.outbound.withdraw(this);
    this.offered.release();
    this.copied.release();
  }
}

const bytesOf = (messages: Messages): number =>
  messages instanceof Uint8Array ? messages.length : messages.reduce((sum, { length }) => sum + length, 0);

/** The same bytes as an object of this session: many sessions may share the message. */
function countedOnce(messages: Messages, giveBack: () => void): Messages {
  const [first, ...others] = messages instanceof Uint8Array ? [messages] : messages;
  return first ? [countedUntilSent(first.subarray(), giveBack), ...others] : messages;
}
