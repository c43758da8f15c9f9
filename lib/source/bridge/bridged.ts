// A bridge as what clients ask of its simulation needs it.
import type { Catalog } from '../../model/state/catalog.js';
import type { Recent } from './recent.js';
import type { TrickEnd } from './trick-end.js';
import type { Writes } from './writes.js';

export interface Bridged {
  readonly catalog: Catalog;
  readonly moment: { readonly timeSeconds: number };
  readonly recordings: Recent<Awaited<ReturnType<TrickEnd['recordings']>>>;
  readonly writes: Writes;
  /** Throws a RequestError while there is no connection. */
  connected(): TrickEnd;
  /** Resolves when what the simulation has done up to now is shown. */
  settled(end: TrickEnd): Promise<void>;
}
