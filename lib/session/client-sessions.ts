// Sessions for HTTP clients, which have no lasting connection: all requests from one address share one session.
import type { Sink } from './outbound.js';
import type { SessionRegistry } from './registry.js';
import type { Session } from './session.js';
import { WaitingBodies } from './waiting-bodies.js';

const MAX_CLIENTS = 1000;

/** Nothing is sent through these sessions, because each exchange writes its own answer. */
const NOWHERE: Sink = { write: () => true, pendingBytes: 0 };

export class ClientSessions {
  /** Of all protocols over HTTP. */
  readonly waiting = new WaitingBodies();
  private readonly sessions = new Map<string, Session>();

  constructor(private readonly registry: SessionRegistry) {}

  /** The session of an address. The next request sees what this one has changed, over whatever connection it comes. */
  of(address: string): Session {
    const session =
      this.sessions.get(address) ??
      this.registry.create({ frontEnd: 'http', peer: address, transport: 'http' }, NOWHERE);
    // Inserted again, so that the first in the map is the client that has been quiet longest.
    this.sessions.delete(address);
    this.sessions.set(address, session);
    if (this.sessions.size > MAX_CLIENTS) this.forgetOldest();
    return session;
  }

  close(): void {
    for (const session of this.sessions.values()) session.close();
    this.sessions.clear();
  }

  /**
   * Forgets the client that has been quiet longest among those that hold nothing, or among all when each holds
   * something.
   */
  private forgetOldest(): void {
    const all = [...this.sessions];
    const [address, session] = (all.find(([, { account }]) => !account.holds('subscriptions')) ?? all[0]) as [
      string,
      Session,
    ];
    this.sessions.delete(address);
    session.close();
  }
}
