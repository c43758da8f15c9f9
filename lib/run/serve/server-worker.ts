// Entry of the server's thread, when the simulation stays on the thread of the program that embeds it.

import { parentPort, workerData } from 'node:worker_threads';
import { thrownText } from '../../model/state/thrown.js';
import type { Log } from '../../serving/session/log.js';
import { Vitals } from '../../simulation/executive/vitals.js';
import type { FromSimulation } from '../../source/protocol.js';
import { RemoteSource } from '../../source/remote-source.js';
import { preferServerThread } from '../../source/thread-priority.js';
import { Watchdog } from '../../source/watchdog.js';
import type { FromServer, ServerStart, ToServer } from './beside-protocol.js';
import { type RunningServer, startServer } from './server.js';

const { options, port, vitals: buffer } = workerData as ServerStart;
const vitals = new Vitals(buffer);
const program = parentPort;
if (!program) throw new Error('this module is the entry of a worker thread');

const tell = (message: FromServer): void => program.postMessage(message);

/** Closes both ports; the thread ends when its sockets are closed too. */
function leave(): void {
  port.close();
  program?.close();
}

const source = new RemoteSource(
  (message) => port.postMessage(message),
  async () => undefined,
  true,
  vitals,
);
port.on('message', (message: FromSimulation) => source.receive(message));

async function start(): Promise<RunningServer> {
  await source.started;
  new Watchdog(source, vitals, options.stuckAfterMillis, true).start();
  const log: Log = (level, text, facts = {}) => tell({ kind: 'log', level, text, facts });
  return startServer(source, { ...options, log }, true);
}

preferServerThread();
try {
  const server = await start();
  const { host, port, endpoints } = server;
  const close = () => void server.close().finally(leave);
  program.on('message', (message: ToServer) => message.kind === 'close' && close());
  void server.ended.then(close);
  tell({ kind: 'serving', at: { host, port, endpoints: [...endpoints] } });
} catch (error) {
  tell({ kind: 'refused', error: thrownText(error) });
  leave();
}
