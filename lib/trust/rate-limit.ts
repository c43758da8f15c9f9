// Limits how many requests a client may make, by a bucket per client that refills with time.
import { noteLeftOut } from '../bounds/left-out.js';
import type { Clock } from '../scheduling/clock.js';

const MAX_CLIENTS = 10_000;

interface Bucket {
  tokens: number;
  filledMillis: number;
}

export class RateLimit {
  private readonly buckets = new Map<string, Bucket>();

  /** @param perSecond requests per second; twice as many may come at once, and always one. Infinity for no limit. */
  constructor(
    private readonly perSecond: number,
    private readonly clock: Clock,
  ) {}

  /** Counts one request of a client; false when it has made too many. */
  take(client: string): boolean {
    if (this.perSecond === Number.POSITIVE_INFINITY) return true;
    const bucket = this.bucketOf(client);
    if (bucket.tokens < 1) return false;
    bucket.tokens--;
    return true;
  }

  /** Whether a client may make one more request; counts nothing. */
  hasLeft(client: string): boolean {
    // A client that has made no request has no bucket.
    return !this.buckets.has(client) || this.bucketOf(client).tokens >= 1;
  }

  private bucketOf(client: string): Bucket {
    const nowMillis = this.clock.nowMillis();
    // Of less than one, no request could ever be made.
    const most = Math.max(1, 2 * this.perSecond);
    const known = this.buckets.get(client);
    const gained = known ? ((nowMillis - known.filledMillis) / 1000) * this.perSecond : most;
    const bucket = { tokens: Math.min(most, (known?.tokens ?? 0) + gained), filledMillis: nowMillis };
    // Inserted again, so that the first in the map is the client that has been quiet longest.
    this.buckets.delete(client);
    this.buckets.set(client, bucket);
    if (this.buckets.size > MAX_CLIENTS) {
      this.buckets.delete(this.buckets.keys().next().value as string);
      noteLeftOut('counted_addresses');
    }
    return bucket;
  }
}
