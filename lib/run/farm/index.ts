// A farm: workers on any number of machines compute the runs of a study, through a NATS server with JetStream.

import { shown } from '../../source/edge/nats.js';
import type { RunPool } from '../headless/index.js';
import { fingerprintOf } from '../headless/worker-pool.js';
import { Farm, type FarmOptions } from './farm.js';
import { type FarmWorkerOptions, workOnFarm } from './farm-worker.js';
import { JobQueue } from './job-queue.js';

export interface OwnOptions {
  /** The simulation's, here. */
  readonly file: string;
  /** Whether the runs have an input file. */
  readonly hasInput?: boolean;
}

/** Asks a farm for runs. Rejects with one sentence. */
export async function farm(
  url: string,
  { file, hasInput = false, ...options }: Omit<FarmOptions, 'fingerprint'> & OwnOptions,
): Promise<{ readonly pool: RunPool; close(): Promise<void> }> {
  const fingerprint = await fingerprintOf(file, hasInput);
  const queue = await JobQueue.open(url, options.say);
  return { pool: new Farm(queue, { ...options, fingerprint }), close: () => queue.close() };
}

/** Works for studies until the signal. Rejects with one sentence when there is no server. */
export async function farmWorker(url: string, options: FarmWorkerOptions, signal: AbortSignal): Promise<void> {
  const queue = await JobQueue.open(url, options.say);
  options.say(`takes runs from ${shown(url)}`);
  try {
    await workOnFarm(queue, options, signal);
  } finally {
    await queue.close();
  }
}
