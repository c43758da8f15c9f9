// Many runs of one simulation with drawn values, on this thread or on several.
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { requireOptions } from '../../model/state/option-names.js';
import type { Value } from '../../model/state/read.js';
import { errorOf } from '../../model/state/thrown.js';
import { loadSimulation } from '../../simulation/executive/load-simulation.js';
import { isSimulationDefinition, type SimulationDefinition } from '../../simulation/executive/simulation.js';
import type { SentFile } from '../../simulation/files/sent-files.js';
import { RandomStream, requireSeed, seeded } from '../../simulation/integration/random.js';
import { runDirectoryName } from '../../simulation/recording/study.js';
import { runDrawn } from './drawn-run.js';
import type { InputStudy } from './input-study.js';
import { type MonteCarloTable, tableOf } from './monte-carlo-table.js';
import { rateOf, requirementOf } from './requirement.js';
import { type Drawn, plannedRow, type RunRow } from './run-row.js';
import type { RunMessage } from './simulation-run.js';
import type { StudyFacts } from './study-files.js';
import type { RunsAsked } from './table-columns.js';
import { urlOf, WorkerPool } from './worker-pool.js';

/** Who computes runs: resolves when `take` has had a row of each, or at the signal. */
export interface RunPool {
  run(runs: Iterable<Drawn>, take: (row: RunRow) => void, signal?: AbortSignal, common?: CommonToRuns): Promise<void>;
}

/** What the runs of a study have in common. */
export interface CommonToRuns {
  /** Wall time after which a run is stopped and has failed. */
  readonly mostSeconds?: number | undefined;
  /** The input file of the runs, and what it reads. */
  readonly files?: readonly SentFile[] | undefined;
}

/** The values that a run starts from, by path, or by path and units. */
export type Draw = (random: RandomStream, run: number) => Readonly<Record<string, Value>>;

/** Options of `monteCarlo`. */
export interface MonteCarloOptions {
  /** How many runs. Default: as many as the input file asks for. */
  readonly runs?: number;
  /** Draws the values of a run from a stream of its own. Default: no values; then only the run's seed differs. */
  readonly draw?: Draw;
  /** Simulation time in seconds at which each run ends. Default: the simulation's terminate time. */
  readonly untilSeconds?: number;
  /** Paths of variables whose last values are the results; `ball.height{cm}` in other units. */
  readonly read?: readonly string[];
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
  /**
   * Trick input file of each run; the variables of its Monte Carlo (`trick.MonteVarRandom`, `trick.MonteCarloVariableFile` and
   * their kin) have the values that Trick draws. What `draw` gives comes after it.
   */
  readonly inputFile?: string;
  /** Directories whose files it may read too, besides its own and the working directory. */
  readonly inputDirectories?: readonly string[];
  /**
   * Keeps what the runs record, each in a directory such as RUN_00000, with the results in `monte_results.json` and the
   * list of runs in `monte_runs`, which koviz reads. Of runs that a `pool` has computed, run 0 and the first that miss a
   * requirement are repeated here for their recordings, 20 at most. Default false.
   */
  readonly keepRecordings?: boolean;
  /** What the runs have to meet: `impact.x {ft} < 500` each. */
  readonly require?: readonly string[];
  /** The command that repeats a run, with `{}` for its seed and values; the results have it. */
  readonly repeat?: string;
  /**
   * With an input file or `keepRecordings`: where the runs write. Default: MONTE_ and the name of the input file's directory, or
   * what the file says; without a file MONTE_ and the name of the simulation.
   */
  readonly runDirectory?: string;
  /** Computes the runs instead of threads of this process. It needs a file. */
  readonly pool?: RunPool;
  /** With an input file: called with what it says when it is asked for its runs. */
  readonly say?: (message: RunMessage) => void;
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
  inputFile: true,
  inputDirectories: true,
  keepRecordings: true,
  require: true,
  repeat: true,
  runDirectory: true,
  pool: true,
  say: true,
  progress: true,
} satisfies Record<keyof MonteCarloOptions, true>);

/** How far a Monte Carlo study is. */
export interface Progress {
  readonly done: number;
  readonly failed: number;
  readonly runs: number;
  /** In the last seconds. */
  readonly runsPerSecond: number;
  readonly remainingSeconds: number;
}

/** The rate is that of the last seconds: the first ones load the simulation, and may bring runs of a study that goes on. */
const RATE_MILLIS = 5000;
const MARK_MILLIS = 250;
/** Every run has a row in memory. */
const MOST_RUNS = 1_000_000;
const MOST_WORKERS = 256;
/** Runs that others have computed and that are repeated for their recordings. */
const MOST_REPEATED = 20;

/** Runs of one batch take turns with the event loop after this time, so that progress is seen. */
const SLICE_MILLIS = 50;

/** As `monteCarlo` of the public interface. */
export async function monteCarlo(
  simulation: SimulationDefinition | string | URL,
  options: MonteCarloOptions,
): Promise<MonteCarloTable> {
  requireOptions('a Monte Carlo study', options, OPTIONS);
  const workers = options.workers ?? (isSimulationDefinition(simulation) ? 1 : availableParallelism());
  requireCount('workers', workers, MOST_WORKERS);
  const seed = requireSeed(options.seed ?? 0);
  if (isSimulationDefinition(simulation) && (workers > 1 || options.pool)) {
    throw new RangeError('workers load the simulation from its file: give the file instead of the definition');
  }
  const study = options.inputFile === undefined ? undefined : await studyOf(simulation, options.inputFile, options);
  const { signal } = options;
  const asked = (options.require ?? []).map(requirementOf);
  // Its input file has not run to its end.
  if (study && signal?.aborted) return tableOf({ rows: [], asked }, options.runs ?? 0);
  const runs = options.runs ?? study?.numberOfRuns ?? Number.NaN;
  requireCount('runs', runs, MOST_RUNS);
  const kept = options.keepRecordings ? await keptBy(simulation, options, study, runs) : undefined;
  const read = [...new Set([...(options.read ?? []), ...asked.map((requirement) => requirement.read)])];
  const drawn = [...drawAll({ ...options, read }, runs, seed, kept ?? {}, study)];
  const rows: RunRow[] = [];
  const report = reporter(options, runs);
  const take = (row: RunRow): void => {
    rows.push(row);
    report(row);
  };
  const mostSeconds = requireSeconds(options.mostSecondsPerRun ?? study?.timeoutSeconds);
  if (study?.isDry) for (const one of drawn) take(plannedRow(one));
  else if (isSimulationDefinition(simulation)) await runHere(simulation, drawn, take, signal);
  else {
    const size = Math.min(workers, runs);
    const threads = (): RunPool => new WorkerPool(simulation, { size, mostSeconds, hasInput: study !== undefined });
    const { pool = threads() } = options;
    await pool.run(drawn, take, signal, { mostSeconds, files: await filesOf(options, study, drawn) });
    await repeatSome(options, threads, drawn, { rows, asked });
  }
  // Runs may end in any order, and those that were stopped have no row.
  rows.sort((one, other) => one.run - other.run);
  const table = tableOf({ rows, asked }, signal?.aborted ? runs : rows.length);
  if (kept) await writeResults(kept, { rows, asked }, { seed, missing: table.missing, repeat: options.repeat });
  return table;
}

async function writeResults(
  { directory, name, digits }: Kept,
  runs: RunsAsked,
  facts: Pick<StudyFacts, 'seed' | 'missing' | 'repeat'>,
): Promise<void> {
  (await import('./study-files.js')).writeStudy(directory, runs, { name, digits, ...facts });
}

/** What the input file asks for. Rejects with the sentence that says where it has failed. */
async function studyOf(
  simulation: SimulationDefinition | string | URL,
  inputFile: string,
  options: MonteCarloOptions,
): Promise<InputStudy> {
  const { inputDirectories = [], arguments: given = [], runDirectory, say, signal } = options;
  const { readStudy } = await import('./input-study.js');
  const definition = await definitionOf(simulation);
  const study = await readStudy(definition, {
    inputFile,
    inputDirectories,
    arguments: given,
    runDirectory,
    say,
    signal,
  });
  if (options.runs === undefined && !study.isOn && !signal?.aborted)
    throw new RangeError(
      `${inputFile} asks for no Monte Carlo runs: trick.mc_set_enabled(1) does, or give their number (--runs)`,
    );
  return study;
}

/** Where the runs of a study stay. */
interface Kept {
  readonly directory: string;
  readonly digits: number;
  readonly name: string;
}

const USUAL_DIGITS = 5;

/** Rejects with one sentence when runs of an earlier study are there. */
async function keptBy(
  simulation: SimulationDefinition | string | URL,
  { runDirectory }: MonteCarloOptions,
  study: InputStudy | undefined,
  runs: number,
): Promise<Kept> {
  const { name } = (await definitionOf(simulation)).options;
  const directory = study?.directory ?? resolve(runDirectory ?? `MONTE_${name}`);
  const digits = study?.digits ?? Math.max(USUAL_DIGITS, String(runs - 1).length);
  (await import('./study-files.js')).requireNoMore(directory, runs);
  return { directory, digits, name };
}

const definitionOf = async (simulation: SimulationDefinition | string | URL): Promise<SimulationDefinition> =>
  isSimulationDefinition(simulation) ? simulation : loadSimulation(urlOf(simulation));

/**
 * For recordings of what others have computed: run 0, and the first ones that miss a requirement. What has failed may end this
 * process, too.
 */
async function repeatSome(
  { pool, keepRecordings, signal }: MonteCarloOptions,
  threads: () => RunPool,
  drawn: readonly Drawn[],
  { rows, asked }: RunsAsked,
): Promise<void> {
  if (!pool || !keepRecordings) return;
  const missing = rows.filter((row) => asked.some((requirement) => rateOf(requirement, [row]).passed === 0));
  const failed = new Set(rows.filter(({ error }) => error !== undefined).map(({ run }) => run));
  const wanted = new Set([0, ...missing.map(({ run }) => run)]);
  const some = drawn.filter(({ run }) => wanted.has(run) && !failed.has(run)).slice(0, MOST_REPEATED);
  await threads().run(some, () => undefined, signal);
}

/** What all runs read at their start, as the first one does; undefined where they are made here. */
const filesOf = async (
  { pool }: MonteCarloOptions,
  study: InputStudy | undefined,
  [first]: readonly Drawn[],
): Promise<CommonToRuns['files']> => (pool && first?.input ? study?.filesUntil(first.input) : undefined);

function requireSeconds(most: number | undefined): number | undefined {
  if (most === undefined || most > 0) return most;
  throw new RangeError(`a run may take a number of seconds above 0, not ${most}`);
}

function requireCount(what: string, count: number, most: number): void {
  if (Number.isInteger(count) && count >= 1 && count <= most) return;
  throw new RangeError(`the number of ${what} is a whole number from 1 to ${most}, not ${count}`);
}

/** All runs in order. */
function* drawAll(
  { draw, untilSeconds, read = [], arguments: given }: MonteCarloOptions,
  runs: number,
  seed: number,
  { directory, digits = USUAL_DIGITS }: Partial<Kept>,
  study: InputStudy | undefined,
): Iterable<Drawn> {
  const rest = { ...(untilSeconds === undefined ? {} : { untilSeconds }), ...(given ? { arguments: given } : {}) };
  const one = (run: number): Drawn => {
    const [runSeed] = seeded('run', [seed, run]);
    const kept = directory === undefined ? {} : { runDirectory: join(directory, runDirectoryName(run, digits)) };
    return { run, seed: runSeed, set: drawnBy(draw, runSeed, run), read, ...rest, ...kept };
  };
  if (!study) for (let run = 0; run < runs; run++) yield one(run);
  else for (const { number, shown, input } of study.runs(runs)) yield { ...one(number), shown, input };
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

function reporter({ progress }: MonteCarloOptions, runs: number): (row: RunRow) => void {
  const marks: [millis: number, done: number][] = [[performance.now(), 0]];
  let [done, failed] = [0, 0];
  return ({ error }) => {
    done++;
    if (error !== undefined) failed++;
    if (!progress) return;
    const now = performance.now();
    while (marks.length > 1 && (marks[1]?.[0] ?? now) < now - RATE_MILLIS) marks.shift();
    const [[sinceMillis, doneBefore]] = marks as [[number, number]];
    if (now - (marks.at(-1)?.[0] ?? now) > MARK_MILLIS) marks.push([now, done]);
    const runsPerSecond = (1000 * (done - doneBefore)) / Math.max(1, now - sinceMillis);
    progress({ done, failed, runs, runsPerSecond, remainingSeconds: (runs - done) / runsPerSecond });
  };
}
