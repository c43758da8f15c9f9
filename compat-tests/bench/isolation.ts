// Whether a simulation keeps its frame of 1 ms while the server's thread is fully loaded.
import { call, type Values } from '../http-client.js';
import type { LaunchedServer } from '../launch.js';
import type { Figure, Measured } from './figure.js';
import { type Bench, type Row, startServer } from './rows.js';
import { doubles, trickSetUp } from './set-ups.js';
import { watchSleeper } from './sleeper.js';

const SIMULATION = new URL('./metronome.js', import.meta.url);
const SETTLE_SECONDS = 3;
const OVERRUNS = 'trick_real_time.rt_sync.total_overrun';
const WORST = 'metronome.worst_delay';
/** About as many sessions as one core can serve. */
const SESSIONS = 700;

const FIGURES: readonly Figure[] = [
  { title: 'overruns, % of frames', digits: 2, atMost: 0.1 },
  { title: 'worst wake-up delay, ms', digits: 2 },
];
const SLEEPER_FIGURES: readonly Figure[] = [
  { title: 'late by over 1 ms, % of turns', digits: 2 },
  { title: 'worst wake-up delay, ms', digits: 2 },
];
const CORES: Figure = { title: 'cores of the server', digits: 2 };
const NAMES = Array.from({ length: 100 }, (_, k) => `metronome.doubles[${k}]`);

const wait = (seconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));

async function read({ port }: LaunchedServer): Promise<{ overruns: number; worstMillis: number; seconds: number }> {
  const { values, sim_time } = await call<Values>(port, 'var/get', { aliases: [OVERRUNS, WORST] });
  return { overruns: Number(values[OVERRUNS]), worstMillis: Number(values[WORST]), seconds: sim_time.sec_si };
}

/** Measures the simulation's frames over some seconds. */
async function watch(server: LaunchedServer, seconds: number): Promise<Measured> {
  await call(server.port, 'var/set', { alias: WORST, value: 0 });
  const before = await read(server);
  await wait(seconds);
  const after = await read(server);
  const frames = (after.seconds - before.seconds) * 1000;
  return [((after.overruns - before.overruns) / frames) * 100, after.worstMillis];
}

/** Measures during most of a load that takes some seconds; the cores that the server uses come last. */
async function underLoad(
  server: LaunchedServer,
  { client, seconds }: Bench,
  names: readonly string[],
  watched: (seconds: number) => Promise<Measured>,
): Promise<Measured> {
  const setUps = [trickSetUp(names, 0.01, 'ascii')];
  const load = { sessions: SESSIONS, seconds, cut: 'line', valuesInUpdate: names.length, setUps } as const;
  const loading = client.fan(server, load);
  await wait(SETTLE_SECONDS);
  const seen = await watched(seconds * 0.8);
  const { cpuSeconds, seconds: elapsed } = await loading;
  return [...seen, cpuSeconds / elapsed];
}

export const ISOLATION_ROWS: readonly Row[] = [
  {
    name: 'isolation-alone',
    title: 'a 1 kHz simulation, nobody connected',
    figures: FIGURES,
    start: async ({ seconds }) => {
      const server = await startServer(SIMULATION);
      await wait(SETTLE_SECONDS);
      return { run: () => watch(server, seconds), stop: () => server.stop() };
    },
  },
  {
    name: 'isolation-loaded',
    title: `a 1 kHz simulation, ${SESSIONS} sessions of 100 doubles at 100 Hz`,
    figures: [...FIGURES, CORES],
    start: async (bench) => {
      const server = await startServer(SIMULATION);
      const run = () => underLoad(server, bench, NAMES, (seconds) => watch(server, seconds));
      return { run, stop: () => server.stop() };
    },
  },
  {
    name: 'floor-sleep',
    title: 'a thread that only sleeps to each millisecond, nothing else running',
    figures: SLEEPER_FIGURES,
    start: async ({ seconds }) => ({ run: () => watchSleeper(seconds), stop: async () => undefined }),
  },
  {
    name: 'floor-sleep-loaded',
    title: `such a thread, in a process of its own, beside ${SESSIONS} sessions of 100 doubles at 100 Hz`,
    figures: [...SLEEPER_FIGURES, CORES],
    start: async (bench) => {
      const server = await startServer();
      return { run: () => underLoad(server, bench, doubles(100), watchSleeper), stop: () => server.stop() };
    },
  },
];
