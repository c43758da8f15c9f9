// The thread of one run: loads the simulation, runs it, and tells what it says and how it has ended.
import { parentPort, workerData } from 'node:worker_threads';
import { loadSimulation } from '../../simulation/executive/load-simulation.js';
import { reasonOf } from '../../simulation/executive/outside-stack.js';
import { run } from './run.js';
import type { FromRun, RunStart, ToRun } from './run-on-thread.js';
import type { RunMessage } from './simulation-run.js';

const { simulationUrl, options } = workerData as RunStart;
const send = (message: FromRun): void => parentPort?.postMessage(message);
const stop = new AbortController();
parentPort?.on('message', ({ exitCode }: ToRun) => stop.abort(exitCode));

try {
  const definition = await loadSimulation(simulationUrl);
  const say = (message: RunMessage) => send({ kind: 'said', message });
  send({ kind: 'result', result: await run(definition, { ...options, say, signal: stop.signal }) });
} catch (error) {
  send({ kind: 'failed', reason: reasonOf(error) });
}
parentPort?.close();
