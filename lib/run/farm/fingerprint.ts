// What the outcome of a run depends on, as one text: every file that varwire and the simulation load, Node.js and the
// processor. Two machines with the same one compute the same rows.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { urlOf } from '../headless/worker-pool.js';

/** What the thread answers. */
export type Fingerprinted = { readonly fingerprint: string } | { readonly error: string };

/** Loads the simulation on a thread of its own. Rejects with one sentence when it cannot be loaded. */
export async function fingerprintOf(simulation: string): Promise<string> {
  const worker = new Worker(new URL('./fingerprint-worker.js', import.meta.url), { workerData: urlOf(simulation) });
  try {
    const [answer] = (await once(worker, 'message')) as [Fingerprinted];
    if ('error' in answer) throw new Error(answer.error);
    return answer.fingerprint;
  } finally {
    await worker.terminate();
  }
}
