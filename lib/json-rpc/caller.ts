// The client behind a call: its account, and whether it still waits for the answer.
import type { Account } from '../scheduling/account.js';
import { LONG_MESSAGE_BYTES, type Slice, type Sliced, type Turns } from '../scheduling/turns.js';
import { Presence } from './presence.js';

export interface Caller {
  readonly account: Account;
  readonly presence: Presence;
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

/**
 * How many pieces of work a client has had since it last had nothing to ask; after a few, further ones give way as long
 * work does.
 */
export interface Pieces {
  count: number;
}
const FEW_PIECES = 6;

/** Counts a request as many pieces: it is long, or was sent before the answer to the one before it. */
export function givesWay(pieces: Pieces): void {
  pieces.count = FEW_PIECES;
}

export const isLongMessage = (bytes: number): boolean => bytes > LONG_MESSAGE_BYTES;

/** Makes `Caller.inTurns`: runs work in these turns, or in this lane, until the client goes. */
export function whileThere(
  run: <T>(start: (slice: Slice) => Sliced<T>, isLong: boolean) => Promise<T>,
  presence: Presence,
  pieces: Pieces = { count: 0 },
): Caller['inTurns'] {
  return (start) => run((slice) => untilGone(start(slice), presence), pieces.count++ >= FEW_PIECES);
}

/** A transport's request of a client without a lasting connection. */
interface Request {
  /** Whether it came before the answer to the one before it. */
  readonly isBehind: boolean;
  onClose(call: () => void): void;
}

/** The caller of one request with so many bytes: its work stops when the request ends. */
export function callerOfRequest(
  account: Account,
  request: Request,
  bytes: number,
  turns: Turns,
  mayAsk: () => boolean,
): Caller {
  const presence = new Presence();
  request.onClose(() => presence.end());
  const pieces: Pieces = { count: 0 };
  if (request.isBehind || isLongMessage(bytes)) givesWay(pieces);
  const inTurns = whileThere((start, isLong) => turns.run(account, start, isLong), presence, pieces);
  return { account, presence, mayAsk, inTurns };
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
