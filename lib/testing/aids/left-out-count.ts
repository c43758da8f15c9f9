// How often a bound was met while something was done.
import { type LeftOut, leftOutCounts } from '../../bounds/left-out.js';

/** Counts from now on. */
export function leftOutSince(bound: LeftOut): () => number {
  const before = leftOutCounts.get(bound) ?? 0;
  return () => (leftOutCounts.get(bound) ?? 0) - before;
}
