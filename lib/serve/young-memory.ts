// Memory for young objects on the server's thread: with less memory, each garbage collection is shorter, and clients wait
// less for it. docs/performance.md has what it buys, and how to measure that again.
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import type { ResourceLimits } from 'node:worker_threads';

/** For a thread of its own: a quarter of Node's default. The engine counts three times what is in use at once. */
export const SERVER_MEMORY: ResourceLimits = { maxYoungGenerationSizeMb: 12 };

/** The same for the first thread of a process: two halves, of which one is in use. */
const MOST_BYTES = 8 * 1024 * 1024;

let collections: PerformanceObserver | undefined;

/**
 * Bounds the memory for young objects of this process from now on. Only for a process that is a server: the engine's flag
 * holds for all of its threads.
 */
export function boundYoungMemory(): void {
  if (collections) return;
  // Only a garbage collection changes the size.
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
