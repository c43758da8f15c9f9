// What clients of Foxglove and of Trick's web server cost, beside WebSockets of JSON-RPC that get the same values.
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
async function cost(server: LaunchedServer, port: number, connect: Connect, seconds: number): Promise<number> {
  const idle = await coresTaken(server.processId, 2, SETTLE_SECONDS);
  let messages = 0;
  const counted = (): void => {
    messages++;
  };
  const sockets = await Promise.all(Array.from({ length: CLIENTS }, () => connect(port, counted)));
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const [before, cpu, startMillis] = [messages, cpuSeconds(server.processId), performance.now()];
  await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
  const taken = cpuSeconds(server.processId) - cpu - (idle * (performance.now() - startMillis)) / 1000;
  const millis = (1000 * taken) / (messages - before);
  for (const socket of sockets) socket.terminate();
  return millis;
}

/** The members of an object. */
const MEMBERS = [...'abcdefghij'];

const trickWeb: Connect = async (port, counted) => {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/ws/VariableServer`);
  await once(socket, 'open');
  const send = (message: object): void => socket.send(JSON.stringify(message));
  send({ cmd: 'var_cycle', period: CYCLE_MILLIS });
  for (let k = 0; k < OBJECTS; k++)
    for (const member of MEMBERS) send({ cmd: 'var_add', var_name: `object${k}.part.${member}` });
  send({ cmd: 'var_unpause' });
  socket.on('message', counted);
  return socket;
};

interface Door {
  readonly name: string;
  readonly what: string;
  readonly connect: Connect;
  readonly options: readonly string[];
  readonly portOf: (server: LaunchedServer) => number;
  /** How many messages of JSON-RPC have the values of one message. */
  readonly messages: number;
}

const rowOf = ({ name, what, connect, options, portOf, messages }: Door): Row => ({
  name,
  title: `${OBJECTS} objects of ${MEMBERS.length} doubles, ${1000 / CYCLE_MILLIS} Hz, ${CLIENTS} ${what}`,
  figures: [
    { title: 'CPU us a message', digits: 1 },
    { title: 'the same values by JSON-RPC over WebSockets', digits: 1 },
    { title: 'ratio', digits: 2, atMost: 2 },
  ],
  start: async ({ seconds }) => {
    const server = await LaunchedServer.start(SIMULATION, {
      options: ['--no-discovery', ...options],
      simArguments: ['--objects', `${OBJECTS}`],
    });
    const run = async (): Promise<Measured> => {
      const own = 1000 * (await cost(server, portOf(server), connect, seconds));
      const ofJson = 1000 * messages * (await cost(server, server.port, jsonRpc, seconds));
      return [own, ofJson, own / ofJson];
    };
    return { run, stop: () => server.stop() };
  },
});

export const WEB_DOOR_ROWS: readonly Row[] = [
  rowOf({
    ...{ name: 'foxglove', what: 'Foxglove clients', connect: foxglove, messages: 1 },
    options: ['--foxglove-rate', `${1000 / CYCLE_MILLIS}`],
    portOf: ({ port }) => port,
  }),
  rowOf({
    ...{ name: 'trick-web', what: "clients of Trick's web server", connect: trickWeb, messages: OBJECTS },
    options: ['--www', '0'],
    portOf: (server) => server.portAfter(/www +http:\/\/\S+?:(\d+)\//),
  }),
];
