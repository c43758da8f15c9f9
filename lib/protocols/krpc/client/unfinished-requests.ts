// Limits the bytes of all large requests that have not come whole: without room, one of the address with most ends.
import { LIMITS } from '../../../model/bounds/limits.js';
import { SharedRoom } from '../../../serving/network/shared-room.js';

/** Shorter ones cost no more than a connection does. */
const LARGE_BYTES = 65_536;
const MOST_BYTES = LIMITS.unfinishedMessages.all;

/** Whose request it is. */
export interface Requester {
  /** Where it is connected from. */
  readonly address: string;
  /** Its address without a port, or its network of IPv6. */
  readonly network: string;
  /** Cuts its connection. */
  cut(): void;
}

export class UnfinishedRequests {
  private readonly room: SharedRoom<Requester>;

  /** @param ended called with a sentence when a request is ended. */
  constructor(
    private readonly ended: (sentence: string) => void,
    mostBytes = MOST_BYTES,
  ) {
    this.room = new SharedRoom(mostBytes);
  }

  /** Notes how many bytes of its request a requester has sent; 0 when none wait. */
  hold(requester: Requester, bytes: number): void {
    this.room.set(requester, requester.network, bytes > LARGE_BYTES ? bytes : 0);
    for (let first = this.room.nextToGo; first; first = this.room.nextToGo) this.end(first);
  }

  private end(first: Requester): void {
    this.room.set(first, first.network, 0);
    first.cut();
    this.ended(
      `${first.address} was let go: unfinished requests took too much memory, its address had most, and its own was begun first`,
    );
  }
}
