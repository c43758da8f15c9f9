// A simulation file on a worker thread of its own: what `varwire run` serves.
import { MessageChannel, type MessagePort as NodeMessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { FromSimulation } from './protocol.js';
import { RemoteSource } from './remote-source.js';
import type { HostOptions } from './simulation-host.js';
import { SIMULATION_MEMORY } from './simulation-memory.js';

/** Handed to the worker at its start. */
export interface WorkerStart {
  readonly simulationUrl: string;
  readonly options: Omit<HostOptions, 'nowMillis' | 'overlays'>;
  readonly wake: Int32Array;
  readonly port: NodeMessagePort;
}

/** How long a simulation may take to leave its last tick before its thread is ended. */
const CLOSE_MILLIS = 1000;

/**
 * Starts the simulation of a module's default export. Rejects with one sentence when it cannot be loaded or built.
 * @param entry the thread's first module, which calls `runSimulationThread`.
 */
export async function startWorkerSource(
  entry: URL,
  simulationUrl: string,
  options: WorkerStart['options'],
): Promise<RemoteSource> {
  const wake = new Int32Array(new SharedArrayBuffer(4));
  const { port1, port2 } = new MessageChannel();
  const worker = new Worker(entry, {
    workerData: { simulationUrl, options, wake, port: port2 },
    transferList: [port2],
    resourceLimits: SIMULATION_MEMORY,
  });
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const source = new RemoteSource(
    (message) => {
      port1.postMessage(message);
      Atomics.add(wake, 0, 1);
      Atomics.notify(wake, 0);
    },
    () => stopWorker(worker, exited),
    true,
  );
  port1.on('message', (message: FromSimulation) => source.receive(message));
  worker.on('error', (error) => source.end(`the simulation's thread failed: ${error.message}`));
  worker.on('exit', () => {
    // The end may be told before the last messages are: they are still at the port.
    for (let last = receiveMessageOnPort(port1); last; last = receiveMessageOnPort(port1)) source.receive(last.message);
    port1.close();
    source.end("the simulation's thread has ended by itself");
  });
  await source.started;
  return source;
}

/** Waits for the thread to leave by itself for a moment, then ends it. */
export async function stopWorker(worker: Worker, exited: Promise<void>): Promise<void> {
  const timer = setTimeout(() => void worker.terminate(), CLOSE_MILLIS);
  await exited;
  clearTimeout(timer);
}
