// Limits the bytes of all large requests that have not come whole: without room, one of the address with most ends.

/** Shorter ones cost no more than a connection does. */
const LARGE_BYTES = 65_536;
const MOST_BYTES = 64 * 1024 * 1024;

/** Whose request it is. */
export interface Requester {
  /** Where it is connected from. */
  readonly address: string;
  /** Its address without a port, or its network of IPv6. */
  readonly network: string;
  /** Cuts its connection. */
  cut(): void;
}

/** The large requests of one network. */
interface Neighbours {
  /** Bytes by requester, those that became large first in front. */
  readonly large: Map<Requester, number>;
  heldBytes: number;
}

export class UnfinishedRequests {
  private readonly byNetwork = new Map<string, Neighbours>();
  private heldBytes = 0;

  /** @param ended called with a sentence when a request is ended. */
  constructor(
    private readonly ended: (sentence: string) => void,
    private readonly mostBytes = MOST_BYTES,
  ) {}

  /** Notes how many bytes of its request a requester has sent; 0 when none wait. */
  hold(requester: Requester, bytes: number): void {
    const { network } = requester;
    const neighbours = this.byNetwork.get(network) ?? { large: new Map<Requester, number>(), heldBytes: 0 };
    const { large } = neighbours;
    const before = large.get(requester) ?? 0;
    const now = bytes > LARGE_BYTES ? bytes : 0;
    if (now === before) return;
    this.heldBytes += now - before;
    neighbours.heldBytes += now - before;
    if (now > 0) large.set(requester, now);
    else large.delete(requester);
    if (large.size > 0) this.byNetwork.set(network, neighbours);
    else this.byNetwork.delete(network);
    while (this.heldBytes > this.mostBytes) this.endFirst();
  }

  /** Ends the one begun first of the network that has most: many requests of one address end nobody else's. */
  private endFirst(): void {
    const [most] = [...this.byNetwork.values()].sort((one, other) => other.heldBytes - one.heldBytes);
    const [first] = most?.large.keys() ?? [];
    if (!first) return;
    this.hold(first, 0);
    first.cut();
    this.ended(
      `${first.address} was let go: unfinished requests took too much memory, its address had most, and its own was begun first`,
    );
  }
}
