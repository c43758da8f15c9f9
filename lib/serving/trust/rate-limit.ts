// Limits how many requests a client may make.
import { Rates } from '../../model/bounds/rate.js';
import type { Clock } from '../scheduling/clock.js';

export class RateLimit {
  private readonly rates: Rates;

  /** @param perSecond requests per second; twice as many may come at once, and always one. Infinity for no limit. */
  constructor(
    private readonly perSecond: number,
    clock: Clock,
  ) {
    // Of less than one, no request could ever be made.
    this.rates = new Rates({ atOnce: Math.max(1, 2 * perSecond), perSecond }, () => clock.nowMillis());
  }

  /** Counts one request of a client; false when it has made too many. */
  take(client: string): boolean {
    return this.perSecond === Number.POSITIVE_INFINITY || this.rates.of(client).take();
  }

  /** Whether a client may make one more request; counts nothing. */
  hasLeft(client: string): boolean {
    return !this.rates.has(client) || this.rates.of(client).available >= 1;
  }
}
