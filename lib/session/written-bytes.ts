// How much of the state a write sets: the simulation copies it first, so that it can take the write back.
import { bytesSet } from '../model/assign.js';
import type { Catalog } from '../model/catalog.js';
import type { Write } from '../source/source.js';

/** Bytes of variables that one request may set when it names several; a list in JSON or kRPC never reaches it. */
export const MOST_WRITTEN_BYTES = 8 * 1024 * 1024;

/** Bytes that a prepared write sets, however short its list is. */
export function bytesWritten(catalog: Catalog, { path, value }: Write): number {
  const variable = catalog.find(path);
  return variable ? bytesSet(variable.type, value) : 0;
}
