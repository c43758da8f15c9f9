// The rows of the benchmark table: the loads, and what they measure.
import { LaunchedServer } from '../launch.js';
import type { Figure, Measured } from './figure.js';
import type { Cut, LoadClient } from './load-client.js';
import { coresTaken } from './process-cost.js';
import { doubles, eventsSetUp, trickCommands, trickSetUp, webSocketSetUp } from './set-ups.js';

export interface Bench {
  readonly client: LoadClient;
  readonly seconds: number;
}

export interface Row {
  readonly name: string;
  readonly title: string;
  readonly figures: readonly Figure[];
  /** Starts the load; each call of `run` is one run. */
  readonly start: (bench: Bench) => Promise<{ run: (run: number) => Promise<Measured>; stop: () => Promise<void> }>;
}

const FIXTURE = 'compat-tests/fixture/fixture.js';
const SETTLE_SECONDS = 2;
/** Time until the warm-up is over and the pages that it has read are no longer carried. */
const IDLE_SETTLE_SECONDS = 22;
const ROUND_TRIPS = 2000;
/** All sessions come from this machine. */
const OPTIONS = ['--no-discovery', '--max-connections-per-address', '11000'];
const COMMANDS = 1000;

export const startServer = (simulation: string | URL = FIXTURE, simArguments: readonly string[] = ['--step-big-d']) =>
  LaunchedServer.start(simulation, { options: OPTIONS, simArguments });

export const cpuFigure = (limits: Partial<Figure>): Figure => ({
  title: 'CPU s per million values',
  digits: 3,
  ...limits,
});
const slowestFigure = (limits: Partial<Figure>): Figure => ({ title: 'slowest session, Hz', digits: 1, ...limits });
const gapFigure = (limits: Partial<Figure>): Figure => ({ title: 'p99 gap, ms', digits: 1, ...limits });
const residentFigure = (limits: Partial<Figure>): Figure => ({ title: 'resident, MB', digits: 0, ...limits });

interface FanWish {
  readonly name: string;
  readonly title: string;
  readonly sessions: number;
  readonly values: number;
  readonly cut: Cut;
  readonly setUps: readonly (string | Uint8Array)[];
  readonly cpu?: Partial<Figure>;
  readonly slowest?: Partial<Figure>;
  readonly gap?: Partial<Figure>;
  readonly resident?: Partial<Figure>;
}

/** Many sessions that get the same amount in each cycle. The server's CPU time without sessions is subtracted. */
function fanRow({ name, title, sessions, values, cut, setUps, cpu, slowest, gap, resident }: FanWish): Row {
  return {
    name,
    title,
    figures: [cpuFigure(cpu ?? {}), slowestFigure(slowest ?? {}), gapFigure(gap ?? {}), residentFigure(resident ?? {})],
    start: async ({ client, seconds }) => {
      const server = await startServer();
      const idleCores = await coresTaken(server.processId, SETTLE_SECONDS, SETTLE_SECONDS);
      const run = async (): Promise<Measured> => {
        const load = { sessions, seconds, cut, valuesInUpdate: values, setUps };
        const result = await client.fan(server, load);
        const cpuSeconds = result.cpuSeconds - idleCores * result.seconds;
        return [
          (cpuSeconds / result.values) * 1e6,
          result.slowestHertz,
          result.gapP99Millis,
          result.residentKilobytes / 1000,
        ];
      };
      return { run, stop: () => server.stop() };
    },
  };
}

/** Lists of the same doubles, each in another order. */
const orders = (count: number, length: number): string[][] =>
  Array.from({ length: count }, (_, i) => doubles(length, 37 * i));

interface Shape {
  readonly suffix: string;
  readonly title: string;
  readonly sessions: number;
  readonly values: number;
  readonly cycleSeconds: number;
  readonly lists?: number;
}

const SHAPES = {
  hundred: {
    suffix: '100',
    title: '100 sessions of the same 100 doubles, 100 Hz',
    sessions: 100,
    values: 100,
    cycleSeconds: 0.01,
  },
  orders: {
    suffix: 'orders',
    title: '10 sessions of 1000 doubles, each in another order, 100 Hz',
    sessions: 10,
    values: 1000,
    cycleSeconds: 0.01,
    lists: 10,
  },
  fiveHundred: {
    suffix: '500',
    title: '500 sessions of the same 100 doubles, 10 Hz',
    sessions: 500,
    values: 100,
    cycleSeconds: 0.1,
  },
  thousand: {
    suffix: '1000',
    title: '1000 sessions of the same 20 doubles, 10 Hz',
    sessions: 1000,
    values: 20,
    cycleSeconds: 0.1,
  },
} satisfies Record<string, Shape>;

type Wire = 'ascii' | 'binary' | 'sse' | 'ws';
const CUTS: Readonly<Record<Wire, Cut>> = { ascii: 'line', binary: 'binary', sse: 'event', ws: 'websocket' };
const TITLES: Readonly<Record<Wire, string>> = {
  ascii: 'text',
  binary: 'binary',
  sse: 'JSON by server-sent events',
  ws: 'JSON by WebSocket',
};

function setUpOf(wire: Wire, names: readonly string[], cycleSeconds: number): string | Uint8Array {
  if (wire === 'sse') return eventsSetUp(names, cycleSeconds);
  return wire === 'ws' ? webSocketSetUp(names, cycleSeconds) : trickSetUp(names, cycleSeconds, wire);
}

function shapeRow(wire: Wire, prefix: string, shape: Shape, limits: Partial<FanWish> = {}): Row {
  const { suffix, title, sessions, values, cycleSeconds, lists = 1 } = shape;
  const names = wire === 'sse' || wire === 'ws' ? uniqueOrders(lists, values) : orders(lists, values);
  return fanRow({
    name: `${prefix}${suffix}`,
    title: `${title}, ${TITLES[wire]}`,
    sessions,
    values: Math.min(values, names[0]?.length ?? 0),
    cut: CUTS[wire],
    setUps: names.map((list) => setUpOf(wire, list, cycleSeconds)),
    ...limits,
  });
}

/** JSON objects have each name once, and the fixture has 600 names. */
const uniqueOrders = (count: number, length: number): string[][] => orders(count, Math.min(length, 600));

const everySecond: Shape = {
  suffix: '10000',
  title: '10,000 sessions of one double, 1 Hz',
  sessions: 10_000,
  values: 1,
  cycleSeconds: 1,
};
const one600: Shape = {
  suffix: 'binary',
  title: 'one session of 600 doubles, 100 Hz',
  sessions: 1,
  values: 600,
  cycleSeconds: 0.01,
};

/** One question after another. */
function roundTripRow(name: string, title: string, setUp: string, trickP50: number): Row {
  return {
    name,
    title,
    figures: [
      { title: 'p50, ms', digits: 3, trick: trickP50, atMost: 0.15 },
      { title: 'p99, ms', digits: 3, atMost: 0.5 },
    ],
    start: async ({ client }) => {
      const server = await startServer();
      const run = async (): Promise<Measured> => {
        const question = trickCommands(['var_send_once("fx.all.big_d[0]")']);
        const { p50Millis, p99Millis } = await client.ask(server, ROUND_TRIPS, setUp, question);
        return [p50Millis, p99Millis];
      };
      return { run, stop: () => server.stop() };
    },
  };
}

/** Lines that no session has sent before, so that no block is cached. */
function bulkRow(name: string, title: string, namesOf: (run: number) => string[], limits: Partial<Figure>): Row {
  return {
    name,
    title,
    figures: [{ title: 'commands/s', digits: 0, ...limits }],
    start: async ({ client }) => {
      const server = await startServer();
      const run = async (index: number): Promise<Measured> => {
        const adds = namesOf(index).map((variable) => `var_add("${variable}")`);
        const question = trickCommands([...adds, 'var_send_list_size()']);
        const { p50Millis } = await client.ask(server, 1, trickCommands(['var_pause()']), question);
        return [(COMMANDS + 1) / (p50Millis / 1000)];
      };
      return { run, stop: () => server.stop() };
    },
  };
}

const idleRow = (name: string, title: string, limits: Partial<Figure>, simArguments: readonly string[]): Row => ({
  name,
  title,
  figures: [{ title: 'cores', digits: 3, ...limits }],
  start: async ({ seconds }) => {
    const server = await startServer(FIXTURE, simArguments);
    await coresTaken(server.processId, 0, IDLE_SETTLE_SECONDS);
    return { run: async () => [await coresTaken(server.processId, seconds)], stop: () => server.stop() };
  },
});

const atMost = (limit: number, trick?: number): Partial<Figure> => ({
  atMost: limit,
  ...(trick === undefined ? {} : { trick }),
});
const atLeast = (limit: number, trick?: number): Partial<Figure> => ({
  atLeast: limit,
  ...(trick === undefined ? {} : { trick }),
});

export const ROWS: readonly Row[] = [
  shapeRow('ascii', 'fan', SHAPES.hundred, { cpu: atMost(0.14, 0.95), slowest: atLeast(100, 95) }),
  shapeRow('ascii', 'fan-', SHAPES.orders, { cpu: atMost(0.15, 0.77), slowest: atLeast(100, 80) }),
  shapeRow('ascii', 'fan', SHAPES.fiveHundred, { cpu: atMost(0.2, 0.99) }),
  shapeRow('ascii', 'fan', SHAPES.thousand, {
    cpu: atMost(0.75, 1.89),
    gap: atMost(105, 155),
    resident: atMost(200, 135),
  }),
  shapeRow('binary', '', one600, { cpu: atMost(0.08, 0.52), slowest: atLeast(100, 100) }),
  roundTripRow('rtt', 'var_send_once and its answer, default session', trickCommands(['var_pause()']), 100.5),
  roundTripRow(
    'rtt-fast',
    'var_send_once and its answer, var_cycle(0.001)',
    trickCommands(['var_pause()', 'var_cycle(0.001)']),
    1.23,
  ),
  bulkRow(
    'bulk',
    '1000 var_add lines of one variable in one write, then the list size: the first clients of a fresh server',
    (run) => Array.from({ length: COMMANDS }, () => `fx.all.big_d[${run}]`),
    { trick: 45_700, atLeast: 250_000 },
  ),
  bulkRow('bulk-many', 'the same of 600 variables', (run) => doubles(COMMANDS, 1 + run), {
    trick: 45_700,
    atLeast: 250_000,
  }),
  idleRow('idle', 'nobody connected, 100 Hz simulation', { trick: 0.25, atMost: 0.02 }, []),
  idleRow('idle64', 'the same with a state of 64 MB', {}, ['--ballast', '64']),
  ...Object.values(SHAPES).map((shape) => shapeRow('sse', 'sse', shape)),
  ...Object.values(SHAPES).map((shape) => shapeRow('ws', 'ws', shape)),
  shapeRow('ascii', 'fan', everySecond, { slowest: atLeast(1) }),
];
