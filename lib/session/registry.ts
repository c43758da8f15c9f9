// All sessions of a server, whatever protocol they speak, and what they share.
import type { Source } from '../source/source.js';
import { type Clock, systemClock } from './clock.js';
import { FeedTable } from './feed.js';
import type { Sink } from './outbound.js';
import { Session, type SessionFacts } from './session.js';
import { Timetable } from './timetable.js';

export class SessionRegistry {
  readonly feeds = new FeedTable();
  readonly timetable: Timetable;
  private readonly open = new Map<number, Session>();
  private lastId = 0;

  constructor(
    readonly source: Source,
    readonly clock: Clock = systemClock,
  ) {
    this.timetable = new Timetable(clock);
  }

  get sessions(): Iterable<Session> {
    return this.open.values();
  }

  get size(): number {
    return this.open.size;
  }

  create(facts: SessionFacts, sink: Sink): Session {
    const session = new Session(++this.lastId, facts, this.source, sink, (closed) => this.open.delete(closed.id));
    this.open.set(session.id, session);
    return session;
  }
}
