// New connections, and their first requests, are handed over for a bounded time in a turn of the event loop; of those that
// wait, each network's in its turn, so that who comes from elsewhere does not wait for a crowd.
import { NetworkRounds } from '../network/network-rounds.js';
import { Paced } from './paced.js';

/** Time of a turn for those that come; each causes a reading of up to 64 KB, a quarter of a millisecond. */
const MILLIS_IN_TURN = 0.75;
const LEAST_MILLIS = 0.25;

export class Arrivals {
  private readonly waiting = new NetworkRounds<() => void>();

  constructor(private readonly paced = new Paced(MILLIS_IN_TURN, LEAST_MILLIS)) {}

  /** Calls `handOver` now, or in a later turn when this one is used up. */
  call(network: string, handOver: () => void): void {
    this.waiting.add(network, handOver);
    this.paced.call(this.next);
  }

  /** Calls `handOver` in a later turn. */
  wait(network: string, handOver: () => void): void {
    this.waiting.add(network, handOver);
    this.paced.wait(this.next);
  }

  private readonly next = (): void => this.waiting.takeNext()?.();
}
