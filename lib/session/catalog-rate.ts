// How often one client may make and remove objects, components and variables: each change is looked at by all references.
import { type Request, RequestError } from '../source/source.js';
import type { Account } from './account.js';

const MOST_AT_ONCE = 10_000;
const MOST_PER_SECOND = 1000;

const CHANGES: ReadonlySet<Request['kind']> = new Set([
  ...(['spawn', 'despawn', 'insert', 'remove', 'reparent'] as const),
  ...(['declare', 'resize', 'name-memory', 'delete-memory'] as const),
]);

export class CatalogRate {
  private left = MOST_AT_ONCE;
  private seenMillis: number;

  constructor(private readonly clock: Pick<Account, 'nowMillis'>) {
    this.seenMillis = clock.nowMillis;
  }

  /** Counts a request that changes the catalog; the error refuses one too many. */
  refusalOf({ kind }: Request): RequestError | undefined {
    if (!CHANGES.has(kind)) return undefined;
    const { nowMillis } = this.clock;
    this.left = Math.min(MOST_AT_ONCE, this.left + ((nowMillis - this.seenMillis) * MOST_PER_SECOND) / 1000);
    this.seenMillis = nowMillis;
    if (this.left < 1)
      return new RequestError(
        `a client may make and remove ${MOST_AT_ONCE} objects and variables at once, then ${MOST_PER_SECOND} a second; ask again later`,
      );
    this.left--;
    return undefined;
  }
}
