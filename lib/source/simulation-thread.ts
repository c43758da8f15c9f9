// The simulation's thread: loads the module, builds the simulation, drives it.
import { fileURLToPath } from 'node:url';
import { type MessagePort, workerData } from 'node:worker_threads';
import type { Compile } from '../simulation/executive/conditions.js';
import { DiskQuota } from '../simulation/executive/desk.js';
import { firstSentenceOf, loadSimulation, told } from '../simulation/executive/load-simulation.js';
import type { Overlay } from '../simulation/executive/overlay.js';
import { Vitals } from '../simulation/executive/vitals.js';
import { DeskThread } from './desk-thread.js';
import { driveSleeping } from './drive.js';
import type { FromSimulation } from './protocol.js';
import { SimulationHost } from './simulation-host.js';
import { preferThisThread } from './thread-priority.js';
import { TypePacker } from './type-numbers.js';
import type { WorkerStart } from './worker-source.js';

const start = workerData as Omit<WorkerStart, 'port'> & { readonly port: MessagePort };
const path = fileURLToPath(start.simulationUrl);
let host: SimulationHost | undefined;

const types = new TypePacker();

function send(message: FromSimulation): void {
  start.port.postMessage(message.kind === 'layout' ? { ...message, layout: types.pack(message.layout) } : message);
}

/** An error in the simulation's timers or promises freezes it, or ends it before its first frame. */
function failOutsideJobs(thrown: unknown): void {
  if (host) {
    host.fail(thrown);
    return;
  }
  send({ kind: 'failed', error: `${path} cannot be built: ${firstSentenceOf(thrown)}` });
  start.port.close();
  process.exit(1);
}

/** The parts of a simulation's thread. */
export interface ThreadParts {
  readonly overlays: readonly Overlay[];
  readonly compile: Compile;
  /** First module of the thread for checkpoints. */
  readonly deskEntry: URL;
}

/** Runs the simulation for which `startWorkerSource` has started this thread, to its end. */
export async function runSimulationThread({ overlays, compile, deskEntry }: ThreadParts): Promise<void> {
  process.on('uncaughtException', failOutsideJobs);
  process.on('unhandledRejection', failOutsideJobs);
  try {
    const definition = await loadSimulation(start.simulationUrl);
    const vitals = new Vitals(start.vitals);
    const quota = new DiskQuota(start.options.diskQuotaBytes, vitals.quotaWords);
    const { limitBytes, words } = quota;
    const { runDirectory } = start.options;
    const desk = new DeskThread(deskEntry, { runDirectory, quota: { limitBytes, words }, wake: start.wake });
    desk.showIn(vitals);
    const options = { ...start.options, overlays, compile, quota, desk, vitals };
    host = await told(path, 'built', () => SimulationHost.start(definition, options, send));
    // Code of the simulation may end the thread.
    process.once('exit', (code) =>
      host?.close({ reason: "the simulation's thread has ended by itself", exitCode: code || 1, isLast: true }),
    );
    preferThisThread();
    await driveSleeping(host, start.port, start.wake);
    await desk.close();
  } catch (error) {
    send({ kind: 'failed', error: firstSentenceOf(error) });
  }
  start.port.close();
}
