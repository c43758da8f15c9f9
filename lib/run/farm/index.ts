// A farm: workers on any number of machines compute the runs of a study, through a NATS server with JetStream.

import { shown } from '../../source/edge/nats.js';
import type { RunPool } from '../headless/index.js';
import { fingerprintOf } from '../headless/worker-pool.js';
import { Farm, type FarmOptions } from './farm.js';
import { type FarmWorkerOptions, workOnFarm } from './farm-worker.js';
import { JobQueue } from './job-queue.js';

interface OfAll {
  /** As `JobQueue.open` has it. */
  readonly lostAfterMillis?: number;
}

/** Asks a farm for runs. Rejects with one sentence. @param file the simulation's, here. */
export async function farm(
  url: string,
  { file, lostAfterMillis, ...options }: Omit<FarmOptions, 'fingerprint'> & OfAll & { readonly file: string },
): Promise<{ readonly pool: RunPool; close(): Promise<void> }> {
  const fingerprint = await fingerprintOf(file, false);
  const queue = await JobQueue.open(url, lostAfterMillis);
  return { pool: new Farm(queue, { ...options, fingerprint }), close: () => queue.close() };
}

/** Works for studies until the signal. Rejects with one sentence when there is no server. */
export async function farmWorker(
  url: string,
  { lostAfterMillis, ...options }: FarmWorkerOptions & OfAll,
  signal: AbortSignal,
): Promise<void> {
  const queue = await JobQueue.open(url, lostAfterMillis);
  options.say(`takes runs from ${shown(url)}`);
  try {
    await workOnFarm(queue, options, signal);
  } finally {
    await queue.close();
  }
}
