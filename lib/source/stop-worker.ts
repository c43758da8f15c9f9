// Ends the thread of a simulation, or of its server.
import type { Worker } from 'node:worker_threads';
import { END_OF_RUN, endFmusOf } from '../simulation/fmu/processes.js';

/** How long a simulation may take to end its last tick before its thread is terminated. */
const CLOSE_MILLIS = 1000;
/** How long it may then take to end without an FMU that has not returned. */
const LAST_MILLIS = 200;

/** Waits a moment for the thread to end by itself, then for an FMU to end whose call it waits for, then terminates it. */
export async function stopWorker(worker: Worker, exited: Promise<void>): Promise<void> {
  const { threadId } = worker;
  let timer = setTimeout(() => {
    endFmusOf(threadId, END_OF_RUN);
    timer = setTimeout(() => {
      endFmusOf(threadId, 'SIGKILL');
      void worker.terminate();
    }, LAST_MILLIS);
  }, CLOSE_MILLIS);
  await exited;
  clearTimeout(timer);
}
