// What Foxglove's clients cost, beside WebSockets of JSON-RPC that get the same values.
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { LaunchedServer } from '../launch.js';
import type { Measured } from './figure.js';
import { coresTaken, cpuSeconds } from './process-cost.js';
import type { Row } from './rows.js';

const SIMULATION = 'compat-tests/attacks/target.js';
const CLIENTS = 100;
const OBJECTS = 20;
/** A start computes for some seconds, and so do clients that have gone. */
const SETTLE_SECONDS = 5;
/** Every other frame of 10 ms. */
const CYCLE_MILLIS = 20;
const OPTIONS = ['--no-discovery', '--foxglove-rate', `${1000 / CYCLE_MILLIS}`];

interface Channel {
  readonly id: number;
  readonly topic: string;
}

const isOfObject = ({ topic }: Channel): boolean => /^\/object\d+$/.test(topic);

/** Counts messages with values of one client. */
type Connect = (port: number, counted: () => void) => Promise<WebSocket>;

const foxglove: Connect = async (port, counted) => {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`, ['foxglove.sdk.v1']);
  await new Promise<void>((resolve) => {
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) {
        if (data[0] === 1) counted();
        return;
      }
      const { op, channels } = JSON.parse(`${data}`) as { op: string; channels: readonly Channel[] };
      if (op !== 'advertise') return;
      const subscriptions = channels.filter(isOfObject).map(({ id }) => ({ id, channelId: id }));
      socket.send(JSON.stringify({ op: 'subscribe', subscriptions }));
      resolve();
    });
  });
  return socket;
};

const jsonRpc: Connect = async (port, counted) => {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`);
  await once(socket, 'open');
  for (let k = 0; k < OBJECTS; k++) {
    const params = { aliases: [`object${k}`], cycle_ms: CYCLE_MILLIS };
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: k, method: 'var/subscribe', params }));
  }
  socket.on('message', (data: Buffer) => {
    if (data.includes('"params"')) counted();
  });
  return socket;
};

/** CPU milliseconds of the server for each message, beside what it takes without clients. */
async function cost(server: LaunchedServer, connect: Connect, seconds: number): Promise<number> {
  const idle = await coresTaken(server.processId, 2, SETTLE_SECONDS);
  let messages = 0;
  const counted = (): void => {
    messages++;
  };
  const sockets = await Promise.all(Array.from({ length: CLIENTS }, () => connect(server.port, counted)));
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const [before, cpu, startMillis] = [messages, cpuSeconds(server.processId), performance.now()];
  await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
  const taken = cpuSeconds(server.processId) - cpu - (idle * (performance.now() - startMillis)) / 1000;
  const millis = (1000 * taken) / (messages - before);
  for (const socket of sockets) socket.terminate();
  return millis;
}

export const FOXGLOVE_ROWS: readonly Row[] = [
  {
    name: 'foxglove',
    title: `${OBJECTS} objects of 10 doubles, ${1000 / CYCLE_MILLIS} Hz, ${CLIENTS} Foxglove clients`,
    figures: [
      { title: 'CPU us a message', digits: 1 },
      { title: 'the same of JSON-RPC over WebSockets', digits: 1 },
      { title: 'ratio', digits: 2, atMost: 2 },
    ],
    start: async ({ seconds }) => {
      const server = await LaunchedServer.start(SIMULATION, {
        options: OPTIONS,
        simArguments: ['--objects', `${OBJECTS}`],
      });
      const run = async (): Promise<Measured> => {
        const ofFoxglove = 1000 * (await cost(server, foxglove, seconds));
        const ofJson = 1000 * (await cost(server, jsonRpc, seconds));
        return [ofFoxglove, ofJson, ofFoxglove / ofJson];
      };
      return { run, stop: () => server.stop() };
    },
  },
];
