// A simulation file on a worker thread of its own, as `varwire run` serves it.

import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { thrownText } from '../model/state/thrown.js';
import { Vitals } from '../simulation/executive/vitals.js';
import { memoryOf, packed } from './packed-writes.js';
import type { FromSimulation } from './protocol.js';
import { RemoteSource } from './remote-source.js';
import type { HostOptions } from './simulation-host.js';
import { SIMULATION_MEMORY } from './simulation-memory.js';
import { startThread } from './start-thread.js';
import { stopWorker } from './stop-worker.js';
import { Watchdog } from './watchdog.js';

/** Given to the worker at its start. */
export interface WorkerStart {
  readonly simulationUrl: string;
  readonly options: Omit<HostOptions, 'nowMillis' | 'overlays' | 'compile' | 'vitals' | 'desk' | 'quota'> & {
    /** Bytes that clients may cause in the run directory. */
    readonly diskQuotaBytes?: number;
  };
  readonly wake: Int32Array;
  readonly port: MessagePort;
  /** The buffer of the thread's vitals. */
  readonly vitals: SharedArrayBuffer;
}

/**
 * Starts the simulation that a module exports by default. Rejects with one sentence when it cannot be loaded or built.
 * @param entry the thread's first module, which calls `runSimulationThread`.
 * @param stuckAfterMillis how long a turn may take before the source counts as stuck.
 */
export async function startWorkerSource(
  entry: URL,
  simulationUrl: string,
  options: WorkerStart['options'],
  stuckAfterMillis?: number,
): Promise<RemoteSource> {
  const wake = new Int32Array(new SharedArrayBuffer(4));
  const vitals = new Vitals();
  const { port1, port2 } = new MessageChannel();
  const worker = startThread(entry, {
    workerData: { simulationUrl, options, wake, port: port2, vitals: vitals.buffer } satisfies WorkerStart,
    transferList: [port2],
    resourceLimits: SIMULATION_MEMORY,
  });
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const source = new RemoteSource(
    (message) => {
      const memory = memoryOf(message);
      for (const sent of packed(message, memory)) port1.postMessage(sent, memory);
      Atomics.add(wake, 0, 1);
      Atomics.notify(wake, 0);
    },
    () => stopWorker(worker, exited),
    true,
    vitals,
  );
  let stopWatching = (): void => undefined;
  port1.on('message', (message: FromSimulation) => source.receive(message));
  let failure: Error | undefined;
  worker.on('error', (error) => {
    failure = error;
  });
  worker.on('exit', (code) => {
    stopWatching();
    // The thread's end may be reported before its last messages, which are still at the port.
    for (let last = receiveMessageOnPort(port1); last; last = receiveMessageOnPort(port1)) source.receive(last.message);
    port1.close();
    if (failure) source.end(`the simulation's thread failed: ${thrownText(failure)}`, code || 1);
    else source.end("the simulation's thread has ended by itself", code || 1);
  });
  await source.started;
  stopWatching = new Watchdog(source, vitals, stuckAfterMillis).start();
  return source;
}
