// A worker of a Monte Carlo: loads the simulation once and runs what it is sent.
import { parentPort, workerData } from 'node:worker_threads';
import { loadSimulation } from '../executive/load-simulation.js';
import { type Drawn, runDrawn } from './drawn-run.js';
import type { FromWorker } from './worker-pool.js';

const { simulationUrl } = workerData as { readonly simulationUrl: string };
const send = (message: FromWorker): void => parentPort?.postMessage(message);

try {
  const definition = await loadSimulation(simulationUrl);
  parentPort?.on('message', async (drawn: Drawn) => send({ kind: 'row', row: await runDrawn(definition, drawn) }));
  send({ kind: 'ready' });
} catch (error) {
  send({ kind: 'unloadable', error: (error as Error).message });
}
