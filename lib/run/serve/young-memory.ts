// Less memory for young objects on the server's thread, so that each garbage collection is shorter.
// compat-tests/bench/optimizations.md has what it saves, and how to measure that again.
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import type { ResourceLimits } from 'node:worker_threads';

/** For a thread that has only the server: a quarter of Node's default. The engine counts three times what is in use. */
export const SERVER_MEMORY: ResourceLimits = { maxYoungGenerationSizeMb: 12 };

/** For the main thread of a process: both halves of the memory for young objects, of which one is in use. */
const MOST_BYTES = 8 * 1024 * 1024;

let collections: PerformanceObserver | undefined;

/**
 * Bounds the memory for young objects of this process from now on. Only for a process that is a server, because the
 * engine's flag applies to all of its threads.
 */
export function boundYoungMemory(): void {
  if (collections) return;
  // The size changes only at a garbage collection.
  collections = new PerformanceObserver(decideGrowth);
  collections.observe({ entryTypes: ['gc'] });
  decideGrowth();
}

let mayGrow = true;

function decideGrowth(): void {
  const isSmall = youngBytes() < MOST_BYTES;
  if (isSmall === mayGrow) return;
  mayGrow = isSmall;
  setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`);
}

const youngBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
