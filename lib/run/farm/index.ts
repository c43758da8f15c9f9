// A farm: workers on any number of machines compute the runs of a study, through a NATS server with JetStream.

import { shown } from '../../source/edge/nats.js';
import type { RunPool } from '../headless/index.js';
import { Farm, type FarmOptions } from './farm.js';
import { type FarmWorkerOptions, workOnFarm } from './farm-worker.js';
import { fingerprintOf } from './fingerprint.js';
import { JobQueue } from './job-queue.js';

/** Asks a farm for runs. Rejects with one sentence. @param file the simulation's, here. */
export async function farm(
  url: string,
  { file, ...options }: Omit<FarmOptions, 'fingerprint'> & { readonly file: string },
): Promise<{ readonly pool: RunPool; close(): Promise<void> }> {
  const queue = await JobQueue.open(url);
  const fingerprint = await fingerprintOf(file);
  return { pool: new Farm(queue, { ...options, fingerprint }), close: () => queue.close() };
}

/** Works for studies until the signal. Rejects with one sentence when there is no server. */
export async function farmWorker(url: string, options: FarmWorkerOptions, signal: AbortSignal): Promise<void> {
  const queue = await JobQueue.open(url);
  options.say(`takes runs from ${shown(url)}`);
  try {
    await workOnFarm(queue, options, signal);
  } finally {
    await queue.close();
  }
}
