// How much room young objects have on the simulation's thread: the less, the shorter each tidying of them stops it.
// docs/performance.md has what it buys, and how to measure that again.
import type { ResourceLimits } from 'node:worker_threads';

/** A simulation makes few objects; the default is six times as much. */
export const SIMULATION_MEMORY: ResourceLimits = { maxYoungGenerationSizeMb: 8 };
