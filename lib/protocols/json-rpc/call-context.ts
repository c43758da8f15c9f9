// What a method can use: the client's session, the source, and a way to report late refusals.

import type { Frame } from '../../model/frame/reader.js';
import { AssignmentError } from '../../model/state/assign.js';
import { TooManyPointersError } from '../../model/state/reach.js';
import { UnitsError } from '../../model/units/index.js';
import { type History, HistoryError } from '../../serving/history/history.js';
import { OverBoundError } from '../../serving/scheduling/account.js';
import type { Clock } from '../../serving/scheduling/clock.js';
import type { FewAtATime } from '../../serving/scheduling/few-at-a-time.js';
import type { Turns } from '../../serving/scheduling/turns.js';
import { UnknownSubscriptionError, UnknownVariableError, WriteOnlyError } from '../../serving/session/errors.js';
import type { FrameCopies } from '../../serving/session/frame-copies.js';
import type { FrameFollowers } from '../../serving/session/frame-followers.js';
import type { MarkLog } from '../../serving/session/mark-log.js';
import type { MessageLog } from '../../serving/session/message-log.js';
import type { Session } from '../../serving/session/session.js';
import type { SubscriptionTable } from '../../serving/session/subscription-table.js';
import { ExpressionError } from '../../source/derived/compile.js';
import { RequestError, type Source } from '../../source/source.js';
import type { Caller } from './caller.js';
import type { ChangeResults } from './change-results.js';
import type { Method } from './method.js';
import { RpcCode, RpcError } from './rpc-error.js';

/** What a server tells about itself. */
export interface ServerFacts {
  readonly version: string;
  /** Unix milliseconds. */
  readonly startedMillis: number;
  /** Sessions of every protocol. */
  readonly sessions: () => Iterable<Session>;
  readonly messages: MessageLog;
  readonly marks: MarkLog;
  /** The names of all methods, and whether each changes the simulation. */
  readonly methods: () => Iterable<{ readonly name: string; readonly isChange: boolean }>;
}

export interface CallContext extends Caller {
  readonly server: ServerFacts;
  readonly source: Source;
  readonly session: Session;
  readonly subscriptions: SubscriptionTable;
  readonly clock: Clock;
  /** Memory for copies of values. */
  readonly copies: FrameCopies;
  /** Orders what the server sends by itself. */
  readonly turns: Turns;
  /** Where a read that makes frames carry much waits for its turn. */
  readonly largeReads: FewAtATime;
  /** Waits, which look at each frame. */
  readonly followers: FrameFollowers;
  /** How late this thread ran what was due, at worst in the last ten seconds. */
  readonly loopLagMillis: () => number;
  /** How many cycles of clients this server has left out for lack of time. */
  readonly skippedCycles: () => number;
  /** False for a client whose token allows reading only. */
  readonly mayChange: boolean;
  readonly channel: 'http' | 'websocket';
  /** What a proxy in front of the server puts before its paths, such as `/sim`; empty for nothing. */
  readonly pathPrefix?: string | undefined;
  /** Where the client reaches the server, without a slash at its end: `http://127.0.0.1:7000/sim`. */
  readonly baseUrl?: string | undefined;
  /** The cycle of subscriptions that ask for none. */
  readonly defaultCycleMillis?: number | undefined;
  /** The past of what is plotted, if the server keeps any. */
  readonly history?: History | undefined;
  /** The outcomes of changes that clients have asked for. */
  readonly changes: ChangeResults;
  /** Called when a change is refused after it was answered. */
  onRefused(sequence: number, error: Error): void;
}

/**
 * The latest frame, once it shows all changes that the session has asked for. The frame is borrowed: read it before
 * waiting for anything else. Rejects with a RequestError when no such frame can come.
 */
export async function settledFrame({ session, source }: Pick<CallContext, 'session' | 'source'>): Promise<Frame> {
  if (session.settled) await session.settled;
  const unanswered = session.takeUnanswered();
  if (unanswered) throw unanswered;
  return source.frame;
}

/** The RpcError for an error of a lower layer; undefined for an error that is a fault of this program. */
export function translateError(error: unknown): RpcError | undefined {
  if (error instanceof UnknownVariableError) {
    return new RpcError(RpcCode.unknownVariable, error.message, { alias: error.alias, nearest: error.nearest });
  }
  if (error instanceof ExpressionError) return new RpcError(RpcCode.unknownVariable, error.message);
  if (error instanceof WriteOnlyError) return new RpcError(RpcCode.notReadable, error.message);
  if (error instanceof UnknownSubscriptionError) {
    const sentence = `${error.message}: it has ended, or var/subscribe never gave this id`;
    return new RpcError(RpcCode.unknownSubscription, sentence);
  }
  if (error instanceof OverBoundError || error instanceof TooManyPointersError)
    return new RpcError(RpcCode.tooMany, error.message);
  if (error instanceof AssignmentError) return new RpcError(RpcCode.valueRefused, error.message);
  if (error instanceof UnitsError) return new RpcError(RpcCode.unitsRefused, error.message);
  if (error instanceof HistoryError) return new RpcError(RpcCode.tooMany, error.message);
  if (error instanceof RequestError) return new RpcError(RpcCode.requestRefused, error.message);
  return undefined;
}

/** Refuses a method that changes the simulation to a client whose token may only read. */
export function refuseChanges(
  { mayChange }: Pick<CallContext, 'mayChange'>,
  { name, isChange }: Pick<Method<never>, 'name' | 'isChange'>,
): void {
  if (isChange && !mayChange)
    throw new RpcError(RpcCode.notAllowed, `your token may only read, and ${name} changes the simulation`);
}
