// How this machine delays a thread that only sleeps until each millisecond, without varwire.
import { Worker } from 'node:worker_threads';
import type { Measured } from './figure.js';

const PRIORITY = new URL('../../lib/source/thread-priority.js', import.meta.url).href;

const CODE = `
  import { performance } from 'node:perf_hooks';
  import { parentPort, workerData } from 'node:worker_threads';
  import { preferThisThread } from ${JSON.stringify(PRIORITY)};
  preferThisThread();
  const word = new Int32Array(new SharedArrayBuffer(4));
  const turns = workerData;
  let [due, late, worst] = [performance.now(), 0, 0];
  for (let turn = 0; turn < turns; turn++) {
    due += 1;
    const rest = due - performance.now();
    if (rest > 0) Atomics.wait(word, 0, 0, rest);
    const delay = performance.now() - due;
    if (delay > 1) late++;
    worst = Math.max(worst, delay);
  }
  parentPort.postMessage([(100 * late) / turns, worst]);
`;

/** The percentage of wake-ups that were more than a millisecond late, and the worst delay in milliseconds. */
export async function watchSleeper(seconds: number): Promise<Measured> {
  const code = new URL(`data:text/javascript,${encodeURIComponent(CODE)}`);
  const worker = new Worker(code, { workerData: 1000 * seconds });
  const measured = await new Promise<Measured>((resolve, reject) => {
    worker.once('message', resolve).once('error', reject);
  });
  await worker.terminate();
  return measured;
}
