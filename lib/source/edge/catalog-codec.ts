// Catalogs and their changes as messages. Types that many objects share are one on the other side too.
import { promisify } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { deflate, deflateSync, inflateSync } from 'node:zlib';
import type { CatalogChanges, CatalogDescription } from '../../model/state/catalog.js';
import { bodyOf, Down } from './carrier.js';
import { MOST_MESSAGE_BYTES } from './parts.js';

export interface CatalogMessage {
  readonly epoch: number;
  readonly catalog: CatalogDescription | CatalogChanges;
}

const deflated = promisify(deflate);
const FAST = { level: 1 };

const messageOf = (bytes: Uint8Array): Uint8Array => Buffer.concat([Uint8Array.of(Down.catalog), bytes]);

/** A whole catalog is long, and this thread has others to serve. */
export const packWhole = async (message: CatalogMessage): Promise<Uint8Array> =>
  messageOf(await deflated(serialize(message), FAST));

export const packChanges = (message: CatalogMessage): Uint8Array => messageOf(deflateSync(serialize(message), FAST));

/** From a source, which an edge trusts with what it shows. Throws an Error for what is no catalog. */
export function unpackCatalog(message: Uint8Array): CatalogMessage {
  return deserialize(inflateSync(bodyOf(message), { maxOutputLength: MOST_MESSAGE_BYTES })) as CatalogMessage;
}
