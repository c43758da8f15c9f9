// What clients of a bridge cost the simulation behind it: as much as one of them does.
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { bridge, serveSource } from '../../lib/index.js';
import { LaunchedServer } from '../launch.js';
import type { Measured } from './figure.js';
import { coresTaken } from './process-cost.js';
import type { Row } from './rows.js';

const SIMULATION = 'compat-tests/attacks/target.js';
const OBJECTS = 20;
const CLIENTS = 1000;
const CYCLE_MILLIS = 100;
const SETTLE_SECONDS = 5;
const AT_ONCE = 50;

async function connect(port: number): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`);
  await once(socket, 'open');
  const aliases = Array.from({ length: OBJECTS }, (_, index) => `object${index}`);
  const params = { aliases, cycle_ms: CYCLE_MILLIS };
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'var/subscribe', params }));
  await once(socket, 'message');
  return socket;
}

/** Cores that the simulation takes while so many clients of the bridge get values. */
async function taken(simulation: LaunchedServer, port: number, clients: number, seconds: number): Promise<number> {
  const sockets: WebSocket[] = [];
  while (sockets.length < clients) {
    const some = Array.from({ length: Math.min(AT_ONCE, clients - sockets.length) }, () => connect(port));
    sockets.push(...(await Promise.all(some)));
  }
  const cores = await coresTaken(simulation.processId, seconds, SETTLE_SECONDS);
  for (const socket of sockets) socket.terminate();
  return cores;
}

export const BRIDGE_ROWS: readonly Row[] = [
  {
    name: 'bridge',
    title: `${OBJECTS} objects of 10 doubles, ${1000 / CYCLE_MILLIS} Hz, behind a bridge with ${CLIENTS} web clients`,
    figures: [
      { title: 'per cent of a core that the simulation takes', digits: 1 },
      { title: 'the same with 1 client', digits: 1 },
      { title: 'ratio', digits: 2, atMost: 1.25 },
    ],
    start: async ({ seconds }) => {
      const simulation = await LaunchedServer.start(SIMULATION, {
        options: ['--no-discovery'],
        simArguments: ['--objects', `${OBJECTS}`],
      });
      const source = await bridge({ port: simulation.port });
      const served = await serveSource(source, { port: 0, discovery: false, udp: 'off' });
      const run = async (): Promise<Measured> => {
        const one = 100 * (await taken(simulation, served.port, 1, seconds));
        const all = 100 * (await taken(simulation, served.port, CLIENTS, seconds));
        return [all, one, all / one];
      };
      return {
        run,
        stop: async () => {
          await served.close();
          await simulation.stop();
        },
      };
    },
  },
];
