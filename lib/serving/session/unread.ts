// What a session's client has not taken counts on its account, and lets it go when it takes none of it.
import type { Account } from '../scheduling/account.js';
import type { Clock } from '../scheduling/clock.js';
import { HARMLESS_BYTES, type Taken, Untaken } from './untaken.js';

export interface UnreadParts {
  readonly clock: Clock;
  /** Counts clients that are let go. */
  metBound(bound: 'unread'): void;
}

/** Bytes that are added have been taken from the account, as `unreadBytes`. */
export class Unread extends Untaken {
  /** @param letGo ends the connection; the sentence says why. */
  constructor(
    private readonly account: Account,
    sink: Taken,
    { clock, metBound }: UnreadParts,
    letGo: (sentence: string) => void,
  ) {
    const holder = {
      changed: (bytes: number) => account.give('unreadBytes', Math.max(0, -bytes)),
      isHarmless: (heldBytes: number) => heldBytes <= HARMLESS_BYTES,
    };
    super(sink, clock, holder, (sentence) => {
      metBound('unread');
      letGo(sentence);
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
}
