// The simulation's thread: loads the module, builds the simulation, drives it.
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type MessagePort, workerData } from 'node:worker_threads';
import { DiskQuota } from '../executive/desk.js';
import type { Overlay } from '../executive/overlay.js';
import { isSimulationDefinition, type SimulationDefinition } from '../executive/simulation.js';
import { Vitals } from '../executive/vitals.js';
import { DeskThread } from './desk-thread.js';
import { driveSleeping } from './drive.js';
import type { FromSimulation } from './protocol.js';
import { firstSentenceOf, SimulationHost } from './simulation-host.js';
import { preferThisThread } from './thread-priority.js';
import type { WorkerStart } from './worker-source.js';

const start = workerData as Omit<WorkerStart, 'port'> & { readonly port: MessagePort };
const path = fileURLToPath(start.simulationUrl);
let host: SimulationHost | undefined;

function send(message: FromSimulation): void {
  start.port.postMessage(message);
}

/** TypeScript needs tsx, which is looked up from the simulation's own directory. */
async function enableTypeScript(): Promise<void> {
  const entry = tsxEntry();
  if (!entry) {
    throw new Error(`${path} is TypeScript: install the package tsx beside it (npm i tsx), or compile it first`);
  }
  const { register } = (await import(entry)) as { register: () => void };
  register();
}

interface TsxManifest {
  readonly exports: { readonly './esm/api': { readonly import: { readonly default: string } } };
}

/** What `import 'tsx/esm/api'` in the simulation would load; `require.resolve` would find the CommonJS version only. */
function tsxEntry(): string | undefined {
  const require = createRequire(start.simulationUrl);
  try {
    const manifest = require('tsx/package.json') as TsxManifest;
    return new URL(manifest.exports['./esm/api'].import.default, pathToFileURL(require.resolve('tsx/package.json')))
      .href;
  } catch {
    return undefined;
  }
}

async function load(): Promise<SimulationDefinition> {
  if (/\.[cm]?ts$/.test(path)) await enableTypeScript();
  const module = await told('loaded', () => import(start.simulationUrl) as Promise<{ default?: unknown }>);
  if (isSimulationDefinition(module.default)) return module.default;
  throw new Error(`${path} has no simulation: it must \`export default simulation({ ... }, (sim) => { ... })\``);
}

/** Runs `act`; puts the file's name in front of an error. */
async function told<T>(done: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (thrown) {
    throw new Error(`${path} cannot be ${done}: ${firstSentenceOf(thrown)}${placeOf(thrown)}`, { cause: thrown });
  }
}

/** Where a module cannot be linked; for a module that cannot be parsed, Node prints the place on its terminal only. */
function placeOf(thrown: unknown): string {
  if (!(thrown instanceof SyntaxError)) return '';
  const place = /^file:\/\/(\S+):(\d+)\n/.exec(thrown.stack ?? '');
  return place ? ` (${place[1]}, line ${place[2]})` : ` (node --check ${path} shows where)`;
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
  /** First module of the thread for checkpoints. */
  readonly deskEntry: URL;
}

/** Runs the simulation for which `startWorkerSource` has started this thread, to its end. */
export async function runSimulationThread({ overlays, deskEntry }: ThreadParts): Promise<void> {
  process.on('uncaughtException', failOutsideJobs);
  process.on('unhandledRejection', failOutsideJobs);
  try {
    const definition = await load();
    const quota = new DiskQuota(start.options.diskQuotaBytes);
    const { limitBytes, used } = quota;
    const { runDirectory } = start.options;
    const desk = new DeskThread(deskEntry, { runDirectory, quota: { limitBytes, used }, wake: start.wake });
    const options = { ...start.options, overlays, quota, desk, vitals: new Vitals(start.vitals) };
    host = await told('built', () => SimulationHost.start(definition, options, send));
    // Code of the simulation may end the thread; rows of recordings are not lost with it.
    process.once('exit', () => host?.close());
    preferThisThread();
    await driveSleeping(host, start.port, start.wake);
    await desk.close();
  } catch (error) {
    send({ kind: 'failed', error: firstSentenceOf(error) });
  }
  start.port.close();
}
