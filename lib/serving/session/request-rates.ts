// How often one client may ask for what costs all other clients time.

import { type Request, RequestError } from '../../source/source.js';
import type { Account, ClientRate } from '../scheduling/account.js';

const CATALOG_CHANGES: ReadonlySet<Request['kind']> = new Set([
  ...(['spawn', 'despawn', 'insert', 'remove', 'reparent'] as const),
  ...(['declare', 'resize', 'name-memory', 'delete-memory'] as const),
]);

const refusal = (what: string): RequestError => new RequestError(`a client may ${what} a second; ask again later`);
/** Made once, because blocks may ask thousands of times. */
const REFUSALS: Readonly<Record<ClientRate, RequestError>> = {
  catalogChanges: refusal('make and remove 10000 objects and variables at once, then 1000'),
  seeks: refusal('go to 200 times of a recording at once, then 100'),
};

/** Every reference looks at each change of the catalog; after each seek, all clients are sent everything that they read. */
function rateOf(request: Request): ClientRate | undefined {
  if (CATALOG_CHANGES.has(request.kind)) return 'catalogChanges';
  return request.kind === 'control' && request.control.action === 'seek' ? 'seeks' : undefined;
}

/** Counts a request; the error refuses one too many. */
export function tooMany(account: Pick<Account, 'spend'>, request: Request): RequestError | undefined {
  const rate = rateOf(request);
  return rate === undefined || account.spend(rate) ? undefined : REFUSALS[rate];
}
