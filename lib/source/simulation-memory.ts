// Memory for young objects on the threads beside the server's: with less memory, each garbage collection is shorter.
// compat-tests/bench/optimizations.md has what it saves, and how to measure that again.
import type { ResourceLimits } from 'node:worker_threads';

/** A simulation makes few objects; Node's default is six times as much. */
export const SIMULATION_MEMORY: ResourceLimits = { maxYoungGenerationSizeMb: 8 };

/** The thread for checkpoints comes and goes, and with Node's default it would come with up to 48 MB. */
export const DESK_MEMORY: ResourceLimits = { maxYoungGenerationSizeMb: 12 };
