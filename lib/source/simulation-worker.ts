// Entry of the simulation's thread: loads the module, builds the simulation, drives it.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { type MessagePort, workerData } from 'node:worker_threads';
import { isSimulationDefinition, type SimulationDefinition } from '../executive/simulation.js';
import { driveSleeping } from './drive.js';
import type { FromSimulation } from './protocol.js';
import { SimulationHost } from './simulation-host.js';
import type { WorkerStart } from './worker-source.js';

const start = workerData as Omit<WorkerStart, 'port'> & { readonly port: MessagePort };

function send(message: FromSimulation): void {
  start.port.postMessage(message);
}

/** TypeScript needs tsx, looked up from the simulation's own place. */
async function enableTypeScript(simulationUrl: string): Promise<void> {
  try {
    const entry = createRequire(simulationUrl).resolve('tsx/esm/api');
    const { register } = (await import(pathToFileURL(entry).href)) as { register: () => void };
    register();
  } catch {
    throw new Error('a simulation in TypeScript needs the package tsx installed beside it (npm i tsx), or compile it first');
  }
}

async function load(simulationUrl: string): Promise<SimulationDefinition> {
  if (/\.[cm]?ts$/.test(simulationUrl)) await enableTypeScript(simulationUrl);
  const module = (await import(simulationUrl)) as { default?: unknown };
  if (!isSimulationDefinition(module.default)) {
    throw new Error(`${simulationUrl} has no simulation: it must \`export default simulation({ ... }, (sim) => { ... })\``);
  }
  return module.default;
}

try {
  const host = await SimulationHost.start(await load(start.simulationUrl), start.options, send);
  await driveSleeping(host, start.port, start.wake);
} catch (error) {
  send({ kind: 'failed', error: error instanceof Error ? error.message : String(error) });
}
start.port.close();
