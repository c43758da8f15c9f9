// Sends fuzzed blocks for a given time, and checks what they leave in memory.
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { fuzzBlocks } from '../../lib/testing/aids/block-fuzz.js';
import { demand } from '../demand.js';

const BLOCKS_IN_ROUND = 10_000;
const GROWTH_ALLOWED_BYTES = 16 * 2 ** 20;

/** Fuzzes in rounds, each with the next seed. Returns a summary; rejects when a round fails or leaves memory behind. */
export async function fuzzFor(seconds: number, firstSeed: number): Promise<string> {
  const end = performance.now() + 1000 * seconds;
  let seed = firstSeed;
  // The first round warms up: afterwards, compiled code and caches are in memory.
  await fuzzBlocks(seed++, BLOCKS_IN_ROUND);
  const before = usedBytes();
  while (performance.now() < end) await fuzzBlocks(seed++, BLOCKS_IN_ROUND);
  const grownBytes = usedBytes() - before;
  const summary = `${(seed - firstSeed) * BLOCKS_IN_ROUND} blocks, seeds ${firstSeed} to ${seed - 1}, memory grown by ${grownBytes} bytes`;
  demand(grownBytes < GROWTH_ALLOWED_BYTES, summary);
  return summary;
}

/** Used heap after a garbage collection. */
function usedBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}
