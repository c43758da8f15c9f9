// The client behind a call: its account, and whether it still waits for the answer.
import type { Account } from '../scheduling/account.js';
import type { Slice, Sliced } from '../scheduling/slice.js';
import type { Turns } from '../scheduling/turns.js';
import { Presence } from './presence.js';

export interface Caller {
  readonly account: Account;
  readonly presence: Presence;
  /**
   * Await it before computing for this client, and after every few hundred items: others who wait go first. Rejects with a
   * GoneError when the client has gone.
   */
  turn(): Promise<void>;
  /** Runs work for this client in slices, each in its turn. Rejects with a GoneError when the client goes meanwhile. */
  inTurns<T>(start: (slice: Slice) => Sliced<T>): Promise<T>;
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

/** Work that takes one slice. */
// biome-ignore lint/correctness/useYield: it takes one slice
export function* once<T>(act: () => T): Sliced<T> {
  return act();
}

/** One for all, because making an error takes a tenth of a millisecond. */
export const GONE = new GoneError();

/** Makes `Caller.inTurns`: runs work in these turns, or in this lane, until the client goes. */
export function whileThere(
  run: <T>(start: (slice: Slice) => Sliced<T>) => Promise<T>,
  presence: Presence,
): Caller['inTurns'] {
  return (start) => run((slice) => untilGone(start(slice), presence));
}

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
  const inTurns = whileThere((start) => turns.run(account, start), presence);
  const turn = turnWhileThere(() => turns.turn(account), presence);
  return { account, presence, mayAsk, inTurns, turn };
}

function* untilGone<T>(work: Sliced<T>, presence: Presence): Sliced<T> {
  try {
    for (;;) {
      if (presence.isOver) throw GONE;
      const step = work.next();
      if (step.done) return step.value;
      yield;
    }
  } finally {
    // The work's `finally` blocks give back what it holds.
    work.return(undefined as T);
  }
}
