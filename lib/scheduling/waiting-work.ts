// All work that waits for a turn, in queues of which the first goes first; and whose address got nothing of a turn.
import type { Account } from './account.js';
import { type Waiting, WorkQueue } from './work-queue.js';

/** While more networks than this wait, a round of all takes long, however little each uses. */
const MANY_NETWORKS = 64;

/** The pieces of one network that wait. */
interface OfNetwork {
  readonly account: Account;
  count: number;
}

export class WaitingWork {
  private readonly queues: readonly WorkQueue[];
  /** Who got a piece though others were before it stands last. */
  private readonly networks = new Map<string, OfNetwork>();
  /** The networks that got something of this turn, each with its last client that did. */
  private readonly served = new Map<string, Account>();
  /** Whether several clients of one network did. */
  private isCrowded = false;
  private count = 0;
  /** The queue that ran last although lighter users had filled the turn. */
  private starved = 0;

  constructor(queues: number) {
    this.queues = Array.from({ length: queues }, () => new WorkQueue());
  }

  get length(): number {
    return this.count;
  }

  /** How many wait in each queue. */
  get lengths(): number[] {
    return this.queues.map(({ length }) => length);
  }

  push(place: number, waiting: Waiting): void {
    const { account } = waiting;
    const known = this.networks.get(account.network);
    if (known) known.count++;
    else this.networks.set(account.network, { account, count: 1 });
    this.count++;
    this.queues[place]?.push(waiting);
  }

  /** Whether work waits in a queue or in one that goes before it. */
  waitsBefore(place: number): boolean {
    if (this.count === 0) return false;
    for (let before = 0; before <= place; before++) if ((this.queues[before]?.length ?? 0) > 0) return true;
    return false;
  }

  /** The first entry of a queue; call `serve` for it, or `push` when it goes on waiting. */
  shift(place: number): Waiting | undefined {
    return this.taken(this.queues[place]?.shift());
  }

  /** Notes that a client gets something of this turn. */
  serve({ account }: Waiting): void {
    const { network } = account;
    this.isCrowded ||= (this.served.get(network) ?? account) !== account;
    this.served.set(network, account);
  }

  beginTurn(): void {
    this.served.clear();
    this.isCrowded = false;
  }

  /** The next queue after the one that this returned last, among those from `first` on whose count is not 0. */
  nextStarved(counts: readonly number[], first: number): number | undefined {
    const places = counts.flatMap((count, place) => (place >= first && count > 0 ? [place] : []));
    const place = places.find((candidate) => candidate > this.starved) ?? places[0];
    if (place !== undefined) this.starved = place;
    return place;
  }

  /**
   * The first piece of a network that got nothing of this turn, when several clients of another did or many networks wait:
   * of the one that has used least, and of those that have used the same, each in its turn.
   */
  nextNeglected(nowMillis: number): Waiting | undefined {
    if (!this.isCrowded && this.networks.size <= MANY_NETWORKS) return undefined;
    const least = this.leastUsed(nowMillis);
    if (!least) return undefined;
    const { network } = least.account;
    this.networks.delete(network);
    this.networks.set(network, least);
    for (const queue of this.queues) {
      const found = queue.takeOf(network);
      if (found) return this.taken(found);
    }
    return undefined;
  }

  private leastUsed(nowMillis: number): OfNetwork | undefined {
    let least: OfNetwork | undefined;
    let leastMillis = Number.POSITIVE_INFINITY;
    for (const [network, waiting] of this.networks) {
      if (this.served.has(network)) continue;
      const millis = waiting.account.ofAddressMillis(nowMillis);
      if (millis < leastMillis) [least, leastMillis] = [waiting, millis];
    }
    return least;
  }

  clear(): void {
    for (const queue of this.queues) queue.clear();
    this.networks.clear();
    this.count = 0;
  }

  private taken(waiting: Waiting | undefined): Waiting | undefined {
    if (!waiting) return undefined;
    this.count--;
    const { network } = waiting.account;
    const ofNetwork = this.networks.get(network);
    if (ofNetwork && --ofNetwork.count === 0) this.networks.delete(network);
    return waiting;
  }
}
