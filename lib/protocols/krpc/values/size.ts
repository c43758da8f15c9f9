// How much memory a value takes, roughly: for what the server keeps for a client.
import type { KrpcValue } from './type.js';

/** Bytes of a value, and of an item in a collection. */
const VALUE_BYTES = 16;
/** An object is counted where it is known. */
const ENTRY_BYTES = 64;

/** Bytes, rather too many than too few. */
export function bytesIn(value: KrpcValue | undefined): number {
  if (typeof value === 'string') return VALUE_BYTES + 2 * value.length;
  if (typeof value !== 'object' || value === null) return VALUE_BYTES;
  if (value instanceof Uint8Array) return ENTRY_BYTES + value.length;
  if (value instanceof Map) {
    let bytes = ENTRY_BYTES;
    for (const [key, item] of value) bytes += ENTRY_BYTES + bytesIn(key) + bytesIn(item);
    return bytes;
  }
  if (!Array.isArray(value) && !(value instanceof Set)) return ENTRY_BYTES;
  let bytes = ENTRY_BYTES;
  for (const item of value as Iterable<KrpcValue>) bytes += bytesIn(item);
  return value instanceof Set ? 2 * bytes : bytes;
}
