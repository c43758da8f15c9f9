// All work that waits for a turn, in queues of which the first goes first; and whose address got nothing of a turn.
import type { Account } from './account.js';
import { type Waiting, WorkQueue } from './work-queue.js';

export class WaitingWork {
  private readonly queues: readonly WorkQueue[];
  /** How many pieces of each network wait; who got a piece though others were before it stands last. */
  private readonly networks = new Map<string, number>();
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
    const { network } = waiting.account;
    this.networks.set(network, (this.networks.get(network) ?? 0) + 1);
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
   * The first piece of a network that got nothing of this turn while several clients of another did, each such network in
   * its turn.
   */
  nextNeglected(): Waiting | undefined {
    if (!this.isCrowded) return undefined;
    for (const [network, count] of this.networks) {
      if (this.served.has(network)) continue;
      this.networks.delete(network);
      this.networks.set(network, count);
      for (const queue of this.queues) {
        const found = queue.takeOf(network);
        if (found) return this.taken(found);
      }
    }
    return undefined;
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
    const left = (this.networks.get(network) ?? 0) - 1;
    if (left > 0) this.networks.set(network, left);
    else this.networks.delete(network);
    return waiting;
  }
}
