// For whom calls are carried out: who pays for them, and whether anybody still waits for the answers.
import type { Account } from '../session/account.js';
import type { Slice, Sliced } from '../session/turns.js';

export interface Caller {
  readonly account: Account;
  /** Aborted when nobody waits for an answer any more. */
  readonly signal: AbortSignal;
  /** Runs work for this client in slices, each in its turn. Rejects with a GoneError when the client goes meanwhile. */
  inTurns<T>(start: (slice: Slice) => Sliced<T>): Promise<T>;
  /** Counts one more call; false when the client makes too many. */
  mayAsk(): boolean;
}

/** Nobody waits for the answer any more. */
export class GoneError extends Error {
  override readonly name = 'GoneError';

  constructor() {
    super('the client has gone');
  }
}

/** What `Caller.inTurns` does: runs work by these turns, or this lane, for as long as the client is there. */
export function whileThere(run: Caller['inTurns'], signal: AbortSignal): Caller['inTurns'] {
  return (start) => run((slice) => untilGone(start(slice), signal));
}

function* untilGone<T>(work: Sliced<T>, signal: AbortSignal): Sliced<T> {
  try {
    for (;;) {
      if (signal.aborted) throw new GoneError();
      const step = work.next();
      if (step.done) return step.value;
      yield;
    }
  } finally {
    // What the work holds is given back.
    work.return(undefined as T);
  }
}
