// Turns the operator's options into bounds on what clients may hold.
import { type Bounds, DEFAULT_BOUNDS } from '../../serving/scheduling/holdings.js';

export interface BoundOptions {
  /** Subscriptions of all JSON clients together; one client may have half of them. Default 10,000. */
  readonly maxSubscriptions?: number;
  /** Values per second that all clients together may ask for; one client may ask for half. Default 40 million. */
  readonly maxValuesPerSecond?: number;
  /**
   * Megabytes that the server may keep for all clients together (names, lists, events, reads), and as many again for
   * answers that they have not read. One client may have a sixteenth of the first and an eighth of the second. Default
   * 256.
   */
  readonly clientMemoryMegabytes?: number;
}

const BYTES_PER_MEGABYTE = 1024 * 1024;

export function boundsOf({ maxSubscriptions, maxValuesPerSecond, clientMemoryMegabytes }: BoundOptions): Bounds {
  const { subscriptions, valuesPerSecond, keptBytes, unreadBytes, ...others } = DEFAULT_BOUNDS;
  const memoryBytes = clientMemoryMegabytes === undefined ? undefined : clientMemoryMegabytes * BYTES_PER_MEGABYTE;
  return {
    ...others,
    subscriptions: shared(maxSubscriptions, 2) ?? subscriptions,
    valuesPerSecond: shared(maxValuesPerSecond, 2) ?? valuesPerSecond,
    keptBytes: shared(memoryBytes, 16) ?? keptBytes,
    unreadBytes: shared(memoryBytes, 8) ?? unreadBytes,
  };
}

const shared = (all: number | undefined, parts: number) =>
  all === undefined ? undefined : { each: Math.ceil(all / parts), all };
