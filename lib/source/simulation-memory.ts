// Memory for young objects on the simulation's thread: with less memory, each garbage collection is shorter.
// docs/performance.md has what it buys, and how to measure that again.
import type { ResourceLimits } from 'node:worker_threads';

/** A simulation makes few objects; Node's default is six times as much. */
export const SIMULATION_MEMORY: ResourceLimits = { maxYoungGenerationSizeMb: 8 };
