// What the JavaScript engine is told so that it does not hold up the simulation's thread. docs/performance.md has what it buys.
import { setFlagsFromString } from 'node:v8';
import type { ResourceLimits } from 'node:worker_threads';

/**
 * Of the simulation's thread: it makes few objects, and the less room young ones have, the shorter each tidying of them
 * stops it.
 */
export const SIMULATION_LIMITS: ResourceLimits = { maxYoungGenerationSizeMb: 8 };

/**
 * For threads that start from now on, of the whole process: an engine that thinks it is idle tidies up its memory, which
 * holds the simulation up for ten frames of a millisecond.
 */
export function keepIdleEngineQuiet(): void {
  setFlagsFromString('--no-memory-reducer');
}
