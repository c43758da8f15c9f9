// Round trips of one client while other clients are sent much data.
import { setTimeout as wait } from 'node:timers/promises';
import type { Figure, Measured } from './figure.js';
import { FLOOR_ASKER, startFloor } from './floor.js';
import type { LoadClient, Target } from './load-client.js';
import { type Row, startServer } from './rows.js';
import { doubles, trickCommands, trickSetUp } from './set-ups.js';

const SESSIONS = 100;
const VALUES = 100;
const CYCLE_SECONDS = 0.01;
/** Length of a line of 100 doubles. */
const LINE_BYTES = 1850;
/** Time until all sessions are served. */
const SETTLE_MILLIS = 3000;
const ROUND_TRIPS = 5000;

const FIGURES: readonly Figure[] = [
  { title: 'p50, ms', digits: 3 },
  { title: 'p99, ms', digits: 3, trick: 2.5, atMost: 0.5 },
];

interface Questions {
  readonly fan: string;
  readonly setUp: string;
  readonly question: string;
}

/** Measures round trips during the load. */
async function askBeside(client: LoadClient, target: Target, { fan, setUp, question }: Questions): Promise<Measured> {
  const seconds = 4;
  const load = { sessions: SESSIONS, seconds, cut: 'line', valuesInUpdate: VALUES, setUps: [fan] } as const;
  const loading = client.fan(target, load);
  await wait(SETTLE_MILLIS);
  const { p50Millis, p99Millis } = await client.ask(target, ROUND_TRIPS, setUp, question);
  await loading;
  return [p50Millis, p99Millis];
}

const SERVER: Questions = {
  fan: trickSetUp(doubles(VALUES), CYCLE_SECONDS, 'ascii'),
  setUp: trickCommands(['var_pause()']),
  question: trickCommands(['var_send_once("fx.all.big_d[0]")']),
};
const FLOOR: Questions = { fan: '\n', setUp: FLOOR_ASKER, question: '?' };

export const BESIDE_ROWS: readonly Row[] = [
  {
    name: 'rtt-beside',
    title: `var_send_once and its answer, beside ${SESSIONS} sessions of ${VALUES} doubles at 100 Hz`,
    figures: FIGURES,
    start: async ({ client }) => {
      const server = await startServer();
      return { run: () => askBeside(client, server, SERVER), stop: () => server.stop() };
    },
  },
  {
    name: 'floor-beside',
    title: `Node alone: a line and its answer, beside ${SESSIONS} writes of ${LINE_BYTES} bytes each 10 ms`,
    figures: FIGURES.map(({ title, digits }) => ({ title, digits })),
    start: async ({ client }) => {
      const floor = await startFloor(LINE_BYTES, CYCLE_SECONDS * 1000);
      return { run: () => askBeside(client, floor, FLOOR), stop: floor.stop };
    },
  },
];
