// A worker of a Monte Carlo: loads the simulation once and runs what it is sent.
import { parentPort, workerData } from 'node:worker_threads';
import { loadSimulation } from '../../simulation/executive/load-simulation.js';
import { runDrawn } from './drawn-run.js';
import type { FromWorker, ToWorker, WorkerStart } from './worker-pool.js';

const { simulationUrl, hasInput } = workerData as WorkerStart;
const send = (message: FromWorker): void => parentPort?.postMessage(message);
const stop = new AbortController();

try {
  const definition = await loadSimulation(simulationUrl);
  // The time of the first run has not begun.
  if (hasInput) await import('./input-run.js');
  parentPort?.on('message', async (message: ToWorker) => {
    if (message.kind === 'run') send({ kind: 'row', row: await runDrawn(definition, message.drawn, stop.signal) });
    else {
      stop.abort();
      // The thread ends with its run.
      parentPort?.close();
    }
  });
  send({ kind: 'ready' });
} catch (error) {
  send({ kind: 'unloadable', error: (error as Error).message });
}
