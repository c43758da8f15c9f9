// Limits the bytes of all large requests that have not come whole: without room, the one begun first ends.

/** Shorter ones cost no more than a connection does. */
const LARGE_BYTES = 65_536;
const MOST_BYTES = 64 * 1024 * 1024;

/** Whose request it is. */
export interface Requester {
  /** Where it is connected from. */
  readonly address: string;
  /** Cuts its connection. */
  cut(): void;
}

export class UnfinishedRequests {
  /** Bytes by requester, those that became large first in front. */
  private readonly large = new Map<Requester, number>();
  private heldBytes = 0;

  /** @param ended called with a sentence when a request is ended. */
  constructor(
    private readonly ended: (sentence: string) => void,
    private readonly mostBytes = MOST_BYTES,
  ) {}

  /** Notes how many bytes of its request a requester has sent; 0 when none wait. */
  hold(requester: Requester, bytes: number): void {
    const before = this.large.get(requester) ?? 0;
    const now = bytes > LARGE_BYTES ? bytes : 0;
    if (now === before) return;
    this.heldBytes += now - before;
    if (now > 0) this.large.set(requester, now);
    else this.large.delete(requester);
    while (this.heldBytes > this.mostBytes) this.endFirst();
  }

  private endFirst(): void {
    const [first] = this.large.keys();
    if (!first) return;
    this.hold(first, 0);
    first.cut();
    this.ended(`${first.address} was let go: unfinished requests took too much memory, and its own was begun first`);
  }
}
