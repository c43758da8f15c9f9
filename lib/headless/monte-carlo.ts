// Many runs of one simulation with drawn values, on this thread or on several.
import { availableParallelism } from 'node:os';
import { isSimulationDefinition, type SimulationDefinition } from '../executive/simulation.js';
import { RandomStream, requireSeed, seeded } from '../integration/random.js';
import { requireOptions } from '../model/option-names.js';
import type { Value } from '../model/read.js';
import { errorOf } from '../model/thrown.js';
import { type Drawn, type RunRow, runDrawn } from './drawn-run.js';
import { type MonteCarloTable, tableOf } from './monte-carlo-table.js';
import { WorkerPool } from './worker-pool.js';

/** The values that a run starts from, by path, or by path and units. */
export type Draw = (random: RandomStream, run: number) => Readonly<Record<string, Value>>;

/** Options of `monteCarlo`. */
export interface MonteCarloOptions {
  readonly runs: number;
  /** Draws the values of a run from a stream of its own. Default: no values; then only the run's seed differs. */
  readonly draw?: Draw;
  /** Simulation time in seconds at which each run ends. Default: the simulation's terminate time. */
  readonly untilSeconds?: number;
  /** Paths of variables whose last values are the results; `ball.height{cm}` in other units. */
  readonly read: readonly string[];
  /** A whole number, from which the seed of each run follows; the same one gives the same table. Default 0. */
  readonly seed?: number;
  /** Threads. Default 1 for a definition, which can run on this thread only; as many as the machine has for a file. */
  readonly workers?: number;
  /** On worker threads: a run that takes longer in wall time is stopped and has failed. Default: no limit. */
  readonly mostSecondsPerRun?: number;
  /** The simulation gets them as `sim.arguments`. */
  readonly arguments?: readonly string[];
  /** Ends the study early: runs that have not ended by then are missing in the table. */
  readonly signal?: AbortSignal;
  /** Called after each run. */
  readonly progress?: (progress: Progress) => void;
}

const OPTIONS = Object.keys({
  runs: true,
  draw: true,
  untilSeconds: true,
  read: true,
  seed: true,
  workers: true,
  mostSecondsPerRun: true,
  arguments: true,
  signal: true,
  progress: true,
} satisfies Record<keyof MonteCarloOptions, true>);

/** How far a Monte Carlo study is. */
export interface Progress {
  readonly done: number;
  readonly failed: number;
  readonly runs: number;
  readonly runsPerSecond: number;
  readonly remainingSeconds: number;
}

/** Every run has a row in memory. */
const MOST_RUNS = 1_000_000;
const MOST_WORKERS = 256;

/** Runs of one batch take turns with the event loop after this time, so that progress is seen. */
const SLICE_MILLIS = 50;

/** As `monteCarlo` of the public interface. */
export async function monteCarlo(
  simulation: SimulationDefinition | string | URL,
  options: MonteCarloOptions,
): Promise<MonteCarloTable> {
  requireOptions('a Monte Carlo study', options, OPTIONS);
  const { runs } = options;
  const workers = options.workers ?? (isSimulationDefinition(simulation) ? 1 : availableParallelism());
  requireCount('runs', runs, MOST_RUNS);
  requireCount('workers', workers, MOST_WORKERS);
  const seed = requireSeed(options.seed ?? 0);
  if (isSimulationDefinition(simulation) && workers > 1) {
    throw new RangeError('workers load the simulation from its file: give the file instead of the definition');
  }
  const { signal } = options;
  const drawn = drawAll(options, seed);
  const rows: RunRow[] = [];
  const report = reporter(options);
  const take = (row: RunRow): void => {
    rows[row.run] = row;
    report(row);
  };
  if (isSimulationDefinition(simulation)) await runHere(simulation, drawn, take, signal);
  else await new WorkerPool(simulation, Math.min(workers, runs), options.mostSecondsPerRun).run(drawn, take, signal);
  // Runs may end in any order, and those that were stopped have no row.
  return tableOf(
    rows.filter((row) => row !== undefined),
    runs,
  );
}

function requireCount(what: string, count: number, most: number): void {
  if (Number.isInteger(count) && count >= 1 && count <= most) return;
  throw new RangeError(`the number of ${what} is a whole number from 1 to ${most}, not ${count}`);
}

/** All runs in order. */
function* drawAll(
  { runs, draw, untilSeconds, read, arguments: given }: MonteCarloOptions,
  seed: number,
): Iterable<Drawn> {
  for (let run = 0; run < runs; run++) {
    const [runSeed] = seeded('run', [seed, run]);
    const set = drawnBy(draw, runSeed, run);
    const rest = { ...(untilSeconds === undefined ? {} : { untilSeconds }), ...(given ? { arguments: given } : {}) };
    yield { run, seed: runSeed, set, read, ...rest };
  }
}

function drawnBy(draw: MonteCarloOptions['draw'], runSeed: number, run: number): Drawn['set'] {
  try {
    return draw?.(new RandomStream(Uint32Array.from(seeded('draw', [runSeed]))), run) ?? {};
  } catch (thrown) {
    throw errorOf(thrown);
  }
}

async function runHere(
  definition: SimulationDefinition,
  drawn: Iterable<Drawn>,
  take: (row: RunRow) => void,
  signal?: AbortSignal,
): Promise<void> {
  let sliceEnd = performance.now() + SLICE_MILLIS;
  for (const one of drawn) {
    if (signal?.aborted) return;
    take(await runDrawn(definition, one));
    if (performance.now() < sliceEnd) continue;
    await new Promise((resolve) => setImmediate(resolve));
    sliceEnd = performance.now() + SLICE_MILLIS;
  }
}

function reporter({ runs, progress }: MonteCarloOptions): (row: RunRow) => void {
  const startMillis = performance.now();
  let [done, failed] = [0, 0];
  return ({ error }) => {
    done++;
    if (error !== undefined) failed++;
    if (!progress) return;
    const runsPerSecond = (1000 * done) / Math.max(1, performance.now() - startMillis);
    progress({ done, failed, runs, runsPerSecond, remainingSeconds: (runs - done) / runsPerSecond });
  };
}
