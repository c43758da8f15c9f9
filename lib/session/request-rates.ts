// Limits how often one client may ask for what costs all other clients time.

import type { Account } from '../scheduling/account.js';
import { type Request, RequestError } from '../source/source.js';

const CATALOG_CHANGES: ReadonlySet<Request['kind']> = new Set([
  ...(['spawn', 'despawn', 'insert', 'remove', 'reparent'] as const),
  ...(['declare', 'resize', 'name-memory', 'delete-memory'] as const),
]);

export class RequestRates {
  /** Limited because every reference looks at each change. */
  private readonly changes: Rate;
  /** Limited because after each one, all clients are sent everything that they read. */
  private readonly seeks: Rate;

  constructor(clock: Pick<Account, 'nowMillis'>) {
    this.changes = new Rate(clock, 'make and remove 10000 objects and variables', { atOnce: 10_000, perSecond: 1000 });
    this.seeks = new Rate(clock, 'go to 200 times of a recording', { atOnce: 200, perSecond: 100 });
  }

  /** Counts a request; the error refuses one too many. */
  refusalOf(request: Request): RequestError | undefined {
    if (CATALOG_CHANGES.has(request.kind)) return this.changes.take();
    if (request.kind === 'control' && request.control.action === 'seek') return this.seeks.take();
    return undefined;
  }
}

class Rate {
  private left: number;
  private seenMillis: number;

  constructor(
    private readonly clock: Pick<Account, 'nowMillis'>,
    private readonly what: string,
    private readonly most: { readonly atOnce: number; readonly perSecond: number },
  ) {
    this.left = most.atOnce;
    this.seenMillis = clock.nowMillis;
  }

  take(): RequestError | undefined {
    const { nowMillis } = this.clock;
    const { atOnce, perSecond } = this.most;
    this.left = Math.min(atOnce, this.left + ((nowMillis - this.seenMillis) * perSecond) / 1000);
    this.seenMillis = nowMillis;
    if (this.left < 1)
      return new RequestError(`a client may ${this.what} at once, then ${perSecond} a second; ask again later`);
    this.left--;
    return undefined;
  }
}
