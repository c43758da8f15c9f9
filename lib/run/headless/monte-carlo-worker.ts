// A worker of a Monte Carlo: loads the simulation once and runs what it is sent. What it imports first has no part in runs.
import { parentPort, workerData } from 'node:worker_threads';
import type { FromWorker, ToWorker, WorkerStart } from './worker-pool.js';

const { simulationUrl, hasInput, sent: files, isCompared } = workerData as WorkerStart;
const send = (message: FromWorker): void => parentPort?.postMessage(message);
const stop = new AbortController();

try {
  const loaded = isCompared ? new (await import('./loaded-files.js')).LoadedFiles() : undefined;
  const { loadSimulation } = await import('../../simulation/executive/load-simulation.js');
  const { runDrawn } = await import('./drawn-run.js');
  const definition = await loadSimulation(simulationUrl);
  // The time of the first run has not begun.
  if (hasInput) await Promise.all([import('./input-run.js'), import('./input-study.js')]);
  const sent = files && new (await import('../../simulation/files/sent-files.js')).SentFiles(files);
  parentPort?.on('message', async (message: ToWorker) => {
    if (message.kind === 'run')
      send({ kind: 'row', row: await runDrawn(definition, message.drawn, { signal: stop.signal, sent }) });
    else {
      stop.abort();
      // The thread ends with its run.
      parentPort?.close();
    }
  });
  send({ kind: 'ready', fingerprint: loaded?.fingerprint(simulationUrl) });
} catch (error) {
  send({ kind: 'unloadable', error: (error as Error).message });
}
