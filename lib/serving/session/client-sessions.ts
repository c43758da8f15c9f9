// Sessions for HTTP clients, which have no lasting connection: all requests from one address share one session.
import { networkOf } from '../network/network.js';
import { NetworkCounts } from '../network/network-counts.js';
import type { Account } from '../scheduling/account.js';
import { HOLDINGS } from '../scheduling/holdings.js';
import type { Sink } from './outbound.js';
import type { SessionRegistry } from './registry.js';
import type { Session } from './session.js';

const MAX_CLIENTS = 1000;
/** Clients of one network of IPv6: it has more addresses than anybody could remember. */
const MAX_OF_NETWORK = 100;

/** A client whose long requests wait must not keep the short ones of its address out. */
const UNCOUNTED_BYTES = 16 * 1024;
/** Nothing is sent through these sessions, because each exchange writes its own answer. */
const NOWHERE: Sink = { write: () => true, pendingBytes: 0 };

export class ClientSessions {
  private readonly sessions = new Map<string, Session>();
  private readonly networks = new NetworkCounts((ofNetwork) => ofNetwork <= MAX_OF_NETWORK);

  constructor(private readonly registry: SessionRegistry) {}

  /** The session of an address. The next request sees what this one has changed, over whatever connection it comes. */
  of(address: string): Session {
    const session = this.sessions.get(address) ?? this.create(address);
    // Inserted again, so that the first in the map is the client that has been quiet longest.
    this.sessions.delete(address);
    this.sessions.set(address, session);
    return session;
  }

  /**
   * Counts a body that has been read until `answer` is over: a client that sends, leaves and sends again would fill the memory.
   * Returns false, and calls nothing, when there is no room for it.
   */
  async during(address: string, bytes: number, answer: () => Promise<void>): Promise<boolean> {
    const { account } = this.of(address);
    const counted = bytes > UNCOUNTED_BYTES ? bytes : 0;
    if (counted > 0 && !account.tryTake('waitingRequestBytes', counted)) return false;
    try {
      await answer();
    } finally {
      account.give('waitingRequestBytes', counted);
    }
    return true;
  }

  private create(address: string): Session {
    const isOfFullNetwork = this.networks.of(address) >= MAX_OF_NETWORK;
    if (isOfFullNetwork || this.sessions.size >= MAX_CLIENTS)
      this.forgetOldest(isOfFullNetwork ? networkOf(address) : undefined);
    this.networks.take(address);
    const session = this.registry.create({ frontEnd: 'http', peer: address, transport: 'http' }, NOWHERE);
    session.account.letGo = (reason) => {
      session.letGo(reason);
      this.forget(address, session);
    };
    return session;
  }

  private forget(address: string, session: Session): void {
    this.networks.give(address);
    this.sessions.delete(address);
    session.close();
  }

  close(): void {
    for (const session of this.sessions.values()) session.close();
    this.sessions.clear();
  }

  /**
   * Forgets the client that has been quiet longest among those that hold nothing, or among all when each holds
   * something. @param network only of this network.
   */
  private forgetOldest(network?: string): void {
    const all = [...this.sessions].filter(([, { account }]) => network === undefined || account.network === network);
    const [address, session] = (all.find(([, { account }]) => !holdsAnything(account)) ?? all[0]) as [string, Session];
    this.forget(address, session);
  }
}

const holdsAnything = (account: Account): boolean => HOLDINGS.some((holding) => account.amountOf(holding) > 0);
