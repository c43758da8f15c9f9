// What clients of Foxglove and of Trick's web server cost, beside WebSockets of JSON-RPC that get the same values.
import { WebSocket } from 'ws';
import { LaunchedServer } from '../launch.js';
import type { Measured } from './figure.js';
import type { LoadClient } from './load-client.js';
import { coresTaken } from './process-cost.js';
import type { Row } from './rows.js';
import { subscribe, upgradeSetUp } from './set-ups.js';
import { MEMBERS, OBJECTS } from './sixty-hertz.js';

const SIMULATION = new URL('./sixty-hertz.js', import.meta.url);
const CLIENTS = 100;
const HERTZ = 60;
const IDLE_CORES = 0.1;
/** How often is looked at most whether it is idle. */
const MOST_LOOKS = 20;

/** Clients of one kind: what each sends, and how many messages it gets of a frame. */
interface Kind {
  readonly setUp: Uint8Array;
  readonly messages: number;
}

interface Channel {
  readonly id: number;
  readonly topic: string;
}

const SUBPROTOCOL = 'foxglove.sdk.v1';

/** A message for each object, and the time. */
async function foxglove(port: number): Promise<Kind> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`, [SUBPROTOCOL]);
  const channels = await new Promise<readonly Channel[]>((resolve) => {
    socket.on('message', (data, isBinary) => {
      const told = isBinary ? {} : JSON.parse(`${data}`);
      if (told.op === 'advertise') resolve(told.channels);
    });
  });
  socket.terminate();
  const ids = channels.filter(({ topic }) => /^\/object\d+$/.test(topic)).map(({ id }) => id);
  const message = JSON.stringify({ op: 'subscribe', subscriptions: ids.map((id) => ({ id, channelId: id })) });
  return { setUp: upgradeSetUp('/', [message], SUBPROTOCOL), messages: OBJECTS + 1 };
}

async function jsonRpc(): Promise<Kind> {
  const messages = Array.from({ length: OBJECTS }, (_, k) => subscribe([`object${k}`], 1 / HERTZ));
  return { setUp: upgradeSetUp('/ws', messages), messages: OBJECTS };
}

async function trickWeb(): Promise<Kind> {
  const names = Array.from({ length: OBJECTS }, (_, k) => MEMBERS.map((member) => `object${k}.part.${member}`)).flat();
  const messages = [
    { cmd: 'var_cycle', period: 1000 / HERTZ },
    ...names.map((name) => ({ cmd: 'var_add', var_name: name })),
    { cmd: 'var_unpause' },
  ].map((message) => JSON.stringify(message));
  return { setUp: upgradeSetUp('/api/ws/VariableServer', messages), messages: 1 };
}

/** Waits until the server has nothing to do: a start computes for some seconds, and so do clients that have gone. */
async function settled(processId: number): Promise<number> {
  for (let looks = 0; ; looks++) {
    const cores = await coresTaken(processId, 2, 1);
    if (cores < IDLE_CORES || looks === MOST_LOOKS) return cores;
  }
}

/** CPU microseconds of the server for a frame to one client, and how many frames a second the slowest one gets. */
async function cost(
  load: LoadClient,
  { processId }: LaunchedServer,
  port: number,
  { setUp, messages }: Kind,
  seconds: number,
): Promise<readonly [micros: number, hertz: number]> {
  const idle = await settled(processId);
  const all = { sessions: CLIENTS, seconds, cut: 'websocket', valuesInUpdate: 1, setUps: [setUp] } as const;
  const got = await load.fan({ port, processId }, all);
  const frames = (got.hertz * got.seconds * CLIENTS) / messages;
  return [(1e6 * (got.cpuSeconds - idle * got.seconds)) / frames, got.slowestHertz / messages];
}

interface Door {
  readonly name: string;
  readonly what: string;
  readonly kindAt: (port: number) => Promise<Kind>;
  readonly options: readonly string[];
  readonly portOf: (server: LaunchedServer) => number;
}

const rowOf = ({ name, what, kindAt, options, portOf }: Door): Row => ({
  name,
  title: `${OBJECTS} objects of ${MEMBERS.length} doubles, ${HERTZ} Hz, ${CLIENTS} ${what}`,
  figures: [
    { title: 'CPU us a frame and client', digits: 1 },
    { title: 'the same values by JSON-RPC over WebSockets', digits: 1 },
    { title: 'ratio', digits: 2, atMost: 2 },
    { title: 'slowest client, Hz', digits: 1 },
    { title: 'slowest by JSON-RPC, Hz', digits: 1 },
  ],
  start: async ({ client, seconds }) => {
    const server = await LaunchedServer.start(SIMULATION, { options: ['--no-discovery', ...options] });
    const own = await kindAt(portOf(server));
    const json = await jsonRpc();
    const run = async (): Promise<Measured> => {
      const [micros, hertz] = await cost(client, server, portOf(server), own, seconds);
      const [jsonMicros, jsonHertz] = await cost(client, server, server.port, json, seconds);
      return [micros, jsonMicros, micros / jsonMicros, hertz, jsonHertz];
    };
    return { run, stop: () => server.stop() };
  },
});

export const WEB_DOOR_ROWS: readonly Row[] = [
  rowOf({
    ...{ name: 'foxglove', what: 'Foxglove clients', kindAt: foxglove },
    options: ['--foxglove-rate', `${HERTZ}`],
    portOf: ({ port }) => port,
  }),
  rowOf({
    ...{ name: 'trick-web', what: "clients of Trick's web server", kindAt: trickWeb },
    options: ['--www', '0'],
    portOf: (server) => server.portAfter(/www +http:\/\/\S+?:(\d+)\//),
  }),
];
