// All sessions of a server, of every protocol, and what they share.

import type { Source } from '../../source/source.js';
import { type Account, Ledger } from '../scheduling/account.js';
import { type Clock, systemClock } from '../scheduling/clock.js';
import { FewAtATime } from '../scheduling/few-at-a-time.js';
import { type Bounds, DEFAULT_BOUNDS } from '../scheduling/holdings.js';
import { LoopLag } from '../scheduling/loop-lag.js';
import { SkippedCycles } from '../scheduling/skipped-cycles.js';
import { Timetable } from '../scheduling/timetable.js';
import { Turns } from '../scheduling/turns.js';
import { defectLog } from './defect.js';
import { ErrorCounts } from './error-counts.js';
import { FrameCopies } from './frame-copies.js';
import type { Log } from './log.js';
import { Outbound, type Sink } from './outbound.js';
import { Session, type SessionFacts } from './session.js';
import { FeedTable } from './shared-feed.js';
import { SparseLog } from './sparse-log.js';
import { Unread } from './unread.js';

/** Bounds that front-ends find clients at, by their names in /metrics: `unread` is that of answers which are not taken. */
export type CountedBound = 'unread' | 'unfinished_messages' | 'message_bytes';

/** Told when sessions come and go. */
export interface SessionListener {
  opened(session: Session): void;
  closed(session: Session): void;
  /** Its client was disconnected, because it took none of what it was sent or could hold no more of it. */
  letGo?(session: Session, reason: string): void;
  /** Called at most once a second, when this thread ran what was due too late. */
  lagged?(millis: number): void;
  /** Called at most once a second, when cycles of clients have been left out for lack of time for a second or more. */
  skipped?: Log;
  /** Called at most once a second, when a client was refused more than it may hold. */
  heldBack?: Log;
  /** Called each time that a client has met one of these bounds. */
  metBound?(bound: CountedBound): void;
  /** Called at most once a second, when a client's work threw an error that nobody waited for. */
  failed?: Log;
}

/** What sessions were sent, including sessions that have closed. */
export interface Traffic {
  readonly sentMessages: number;
  readonly sentBytes: number;
  readonly droppedMessages: number;
}

/** So many long messages of one address are worked on at a time, and one more each time that one has waited so long. */
const MOST_LONG_MESSAGES = 8;
const ONE_MORE_MILLIS = 200;
/** So many reads of more than 1 MB of a large state of one address, and one more each time that one has waited so long. */
const MOST_LARGE_READS = 1;
const ONE_MORE_READ_MILLIS = 1000;

/** All sessions of a server. */
export class SessionRegistry {
  readonly feeds = new FeedTable();
  readonly timetable: Timetable;
  /** What clients hold and what they may hold. */
  readonly ledger: Ledger;
  /** Orders what is done for clients, of every protocol. */
  readonly turns: Turns;
  /** Of WebSockets: what a long one says takes several times its memory while it is worked on. */
  readonly longMessages: FewAtATime;
  /** Reads that make frames carry much. */
  readonly largeReads: FewAtATime;
  readonly lag: LoopLag;
  readonly errors = new ErrorCounts();
  readonly copies: FrameCopies;
  private readonly open = new Map<number, Session>();
  private readonly past = new Map<string, Traffic>();
  private lastId = 0;

  private readonly whenUsed: (() => () => void)[] = [];
  private readonly ends: (() => void)[] = [];

  constructor(
    readonly source: Source,
    readonly clock: Clock = systemClock,
    private readonly listener?: SessionListener,
    bounds: Bounds = DEFAULT_BOUNDS,
  ) {
    const heldBack = new SparseLog(clock, (...line) => listener?.heldBack?.(...line));
    // Without somebody who hears of it, an error is thrown as it would be without turns.
    const failed = listener?.failed && defectLog(listener.failed, clock);
    this.turns = new Turns(() => clock.nowMillis(), setImmediate, failed);
    this.timetable = new Timetable(clock, this.turns, this.createSkipping());
    this.ledger = new Ledger(clock, bounds, (peer, sentence) => {
      heldBack.say('warning', `${peer} is held back: ${sentence}`, { peer });
    });
    this.longMessages = new FewAtATime(MOST_LONG_MESSAGES, { clock, millis: ONE_MORE_MILLIS });
    this.largeReads = new FewAtATime(MOST_LARGE_READS, { clock, millis: ONE_MORE_READ_MILLIS });
    this.ledger.show('waitingLongMessages', this.longMessages);
    this.ledger.show('waitingLargeReads', this.largeReads);
    this.copies = new FrameCopies(clock);
    this.lag = new LoopLag(clock, (millis) => listener?.lagged?.(millis));
  }

  /** Counts that a client has met a bound; whoever calls it writes a line in the log where there is to be one. */
  readonly metBound = (bound: CountedBound): void => this.listener?.metBound?.(bound);

  private createSkipping(): SkippedCycles {
    const { clock, listener } = this;
    const log = new SparseLog(clock, (...line) => listener?.skipped?.(...line));
    return new SkippedCycles(clock, (skippedCycles) => {
      const sentence = `the server has no time for all that is due to its clients: ${skippedCycles} cycles have been left out so far`;
      log.say('warning', sentence, { skippedCycles });
    });
  }

  get sessions(): Iterable<Session> {
    return this.open.values();
  }

  get size(): number {
    return this.open.size;
  }

  /** Traffic by front-end; the totals never decrease. */
  get traffic(): ReadonlyMap<string, Traffic> {
    const totals = new Map(this.past);
    for (const session of this.open.values()) addTo(totals, session);
    return totals;
  }

  /** Begins once the first session opens, because until then frames wake nobody; ends what it has begun with the server. */
  onceUsed(begin: () => () => void): void {
    this.whenUsed.push(begin);
  }

  /** @param timeOf the account whose computing time the session uses. Default: its own. */
  create(facts: SessionFacts, sink: Sink, timeOf?: Account): Session {
    const account = this.ledger.open(facts.peer, timeOf, facts.owner || undefined);
    const unread = new Unread(account, sink, this, (reason) => session.letGo(reason));
    const outbound = new Outbound(sink, unread);
    const session: Session = new Session(++this.lastId, facts, this.source, account, outbound, () =>
      this.closed(session),
    );
    session.letGo = (reason) => {
      this.listener?.letGo?.(session, reason);
      sink.destroy?.();
    };
    // A group's session belongs to all who have joined it.
    if (sink.destroy && facts.transport !== 'multicast') account.letGo = (reason) => session.letGo(reason);
    session.outbound.failed = (error) => this.turns.failed(error);
    this.open.set(session.id, session);
    for (const begin of this.whenUsed.splice(0)) this.ends.push(begin());
    this.lag.start();
    this.listener?.opened(session);
    return session;
  }

  /**
   * Closes the registry as the server ends: work that clients have asked for stops, and nothing is called by the clock.
   */
  close(): void {
    this.turns.close();
    this.timetable.close();
    this.copies.close();
    this.lag.stop();
    for (const end of this.ends.splice(0)) end();
  }

  private closed(session: Session): void {
    if (!this.open.delete(session.id)) return;
    if (this.open.size === 0) this.lag.stop();
    addTo(this.past, session);
    this.listener?.closed(session);
  }
}

function addTo(totals: Map<string, Traffic>, { facts, outbound }: Session): void {
  totals.set(facts.frontEnd, sumOf(outbound, totals.get(facts.frontEnd)));
}

const sumOf = (outbound: Outbound, before: Traffic | undefined): Traffic => ({
  sentMessages: outbound.sentMessages + (before?.sentMessages ?? 0),
  sentBytes: outbound.sentBytes + (before?.sentBytes ?? 0),
  droppedMessages: outbound.droppedMessages + (before?.droppedMessages ?? 0),
});
