// The sessions of clients that have no connection of their own: all requests from one address are one client's.
import type { Sink } from '../session/outbound.js';
import type { SessionRegistry } from '../session/registry.js';
import type { Session } from '../session/session.js';
import { bracketed, hostOf } from '../transport/address.js';

const MAX_CLIENTS = 1000;

/** An HTTP answer is written by its exchange; nothing is sent through the session. */
const NOWHERE: Sink = { write: () => true, pendingBytes: 0 };

export class ClientSessions {
  private readonly sessions = new Map<string, Session>();

  constructor(private readonly registry: SessionRegistry) {}

  /** What a client asks for in one request shows in the next, over whatever connection it comes. */
  of(peer: string): Session {
    const address = bracketed(hostOf(peer));
    const session =
      this.sessions.get(address) ??
      this.registry.create({ frontEnd: 'http', peer: address, transport: 'http' }, NOWHERE);
    // Set anew, so that the first in the map is the client that has been quiet longest.
    this.sessions.delete(address);
    this.sessions.set(address, session);
    if (this.sessions.size > MAX_CLIENTS) this.forgetOldest();
    return session;
  }

  close(): void {
    for (const session of this.sessions.values()) session.close();
    this.sessions.clear();
  }

  /** Of those who hold nothing the one who has been quiet longest, or of all when each holds something. */
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
