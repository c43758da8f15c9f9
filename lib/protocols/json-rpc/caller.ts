// The client behind a call: its account, and whether it still waits for the answer.
import type { Account } from '../../serving/scheduling/account.js';
import type { Turns } from '../../serving/scheduling/turns.js';
import { Presence } from './presence.js';

export interface Caller {
  readonly account: Account;
  readonly presence: Presence;
  /**
   * Await it before computing for this client, and after every few hundred items: others who wait go first. Rejects with a
   * GoneError when the client has gone.
   */
  turn(): Promise<void>;
  /** Counts one more call; false when the client makes too many. */
  mayAsk(): boolean;
}

/** The client no longer waits for the answer. */
export class GoneError extends Error {
  override readonly name = 'GoneError';

  constructor() {
    super('the client has gone');
  }
}

/** One for all, because making an error takes a tenth of a millisecond. */
export const GONE = new GoneError();

/** Makes `Caller.turn`, of these turns. */
export function turnWhileThere(turn: () => Promise<void>, presence: Presence): Caller['turn'] {
  return () =>
    turn().then(() => {
      if (presence.isOver) throw GONE;
    });
}

/** A transport's request of a client without a lasting connection. */
interface Request {
  onClose(call: () => void): void;
}

/** The caller of one request: its work stops when the request ends. */
export function callerOfRequest(account: Account, request: Request, turns: Turns, mayAsk: () => boolean): Caller {
  const presence = new Presence();
  request.onClose(() => presence.end());
  const turn = turnWhileThere(() => turns.turn(account), presence);
  return { account, presence, mayAsk, turn };
}
