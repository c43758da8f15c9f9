// A thread that loads what a run needs, and notices which files that takes. It imports nothing else before.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { MessageChannel, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { Fingerprinted } from './fingerprint.js';

const simulationUrl = workerData as string;
const { port1, port2 } = new MessageChannel();

async function fingerprint(): Promise<string> {
  register(new URL('./loaded-files.js', import.meta.url), { data: port2, transferList: [port2] });
  await import('../headless/drawn-run.js');
  const { loadSimulation } = await import('../../simulation/executive/load-simulation.js');
  await loadSimulation(simulationUrl);
  const files = new Set([fileURLToPath(simulationUrl)]);
  for (let told = receiveMessageOnPort(port1); told; told = receiveMessageOnPort(port1)) files.add(told.message);
  // Where the files lie makes no difference.
  const contents = [...files].map((file) => createHash('sha256').update(readFileSync(file)).digest('hex'));
  const facts = [...contents.sort(), process.version, process.arch, process.platform];
  return createHash('sha256').update(facts.join('\n')).digest('hex').slice(0, 32);
}

const answer: Fingerprinted = await fingerprint().then(
  (found) => ({ fingerprint: found }),
  (error: unknown) => ({ error: (error as Error).message }),
);
parentPort?.postMessage(answer);
