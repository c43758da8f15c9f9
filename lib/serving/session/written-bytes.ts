// How much of the state a write sets: the simulation copies it first, so that it can take the write back.
import { bytesSet } from '../../model/state/assign.js';
import type { Catalog } from '../../model/state/catalog.js';
import { RequestError, type Write } from '../../source/source.js';

/** Bytes of variables that one request of a client may set; only what short lists clear ever reaches it. */
export const MOST_WRITTEN_BYTES = 8 * 1024 * 1024;

/** Bytes that a prepared write sets, however short its list is. */
export function bytesWritten(catalog: Catalog, { path, value }: Write): number {
  const variable = catalog.find(path);
  return variable ? bytesSet(variable.type, value) : 0;
}

/** Made once, because a batch may meet it often. */
const TOO_MUCH = new RequestError(
  `the variables that are set at once may have ${MOST_WRITTEN_BYTES} bytes together: set them, or parts of them, one after the other`,
);

/** Throws a RequestError for writes that set more than one request may. */
export function requireFewBytes(catalog: Catalog, writes: readonly Write[]): void {
  const bytes = writes.reduce((sum, write) => sum + bytesWritten(catalog, write), 0);
  if (bytes > MOST_WRITTEN_BYTES) throw TOO_MUCH;
}
