// What /healthz says: whether the simulation and its server do what they should.
import type { SessionRegistry } from '../../serving/session/registry.js';

/** A server that was so late within the last ten seconds does not serve its clients as it should. */
const WORST_LAG_MILLIS = 1000;

/** What is wrong, in one sentence; undefined while all is well. */
export function problemOf({ source, lag }: SessionRegistry): string | undefined {
  if (source.fault !== undefined) return source.fault;
  const lagMillis = Math.round(lag.worstMillis);
  return lagMillis < WORST_LAG_MILLIS ? undefined : `the server came ${lagMillis} ms too late to what was due`;
}
