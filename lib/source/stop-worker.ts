// Ends the thread of a simulation, or of its server.
import type { Worker } from 'node:worker_threads';
import { END_OF_RUN, endFmusOf } from '../simulation/fmu/processes.js';

/** How long a simulation may take to end its last tick before its thread is terminated. */
const CLOSE_MILLIS = 1000;
/** How long it may then take to end without an FMU that has not returned. */
const LAST_MILLIS = 200;

/** Waits a moment for the thread to end by itself, then for an FMU to end whose call it waits for, then terminates it. */
export async function stopWorker(worker: Worker, exited: Promise<void>): Promise<void> {
  const goOn = endFmusSoon(worker.threadId, CLOSE_MILLIS, () => void worker.terminate());
  await exited;
  goOn();
}

/**
 * Ends the FMUs for which a thread waits, after a time, and for good when they do not end by that.
 * @param last called then.
 * @returns leaves those that are still there.
 */
export function endFmusSoon(threadId: number, millis: number, last: () => void = () => undefined): () => void {
  let timer = setTimeout(() => {
    endFmusOf(threadId, END_OF_RUN);
    timer = setTimeout(() => {
      endFmusOf(threadId, 'SIGKILL');
      last();
    }, LAST_MILLIS);
  }, millis);
  return () => clearTimeout(timer);
}
