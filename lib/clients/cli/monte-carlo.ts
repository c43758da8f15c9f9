// `varwire monte-carlo`: many runs of a simulation with drawn values, as one table.
import { accessSync, constants, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { type Draw, loadSimulation, type MonteCarloTable, monteCarlo, type RunPool } from '../../index.js';
import { type RequirementRate, SEED_AND_VALUES, shellWord } from '../../simulation/recording/study.js';
import { progressLine } from './progress-line.js';
import { parseDraws, parseSettings } from './settings.js';
import { portableName, simulationFile } from './simulation-file.js';
import { stopBySignal } from './stop-by-signal.js';
import { parseNumber, refusedLine, UsageError } from './usage.js';
import { printable, printableLines } from './value-text.js';

const HELP = `Usage: varwire monte-carlo <simulation> --runs N --read NAME [options] [-- arguments of the simulation]
       varwire monte-carlo <simulation> --input FILE [options] [-- arguments of the simulation]

Runs a simulation many times, and writes one table: a line for each run with its seed, what it was given and what came
of it. The same seed gives the same table, whatever the number of jobs.

  --runs N               how many runs (as many as the input file asks for)
  --read NAME            a variable whose last value is a result (repeatable)
                         a name may have units: ball.height{cm}, also with --set and --vary
  --until T              simulation time in seconds at which a run ends (the simulation's terminate time)
  --vary NAME=DRAW       draws a value for each run: uniform(low, high), normal(mean, deviation), integer(low, high),
                         poisson(mean); normal(mean, deviation, low, high) draws again what is outside; file(name, column)
                         takes the values of a file, a line for each run (repeatable); a function \`draw\` that the file
                         exports draws values, too
  --require REQUIREMENT  what runs have to meet, such as "impact.x {ft} < 500": how many do, and between which bounds the
                         true rate lies with 95 % confidence (repeatable)
  --keep-recordings      keeps what each run records, in MONTE_<simulation>/RUN_00000 and so on, with the results; varwire play
                         and koviz open that directory; with --nats of run 0 and of those that miss a requirement (20)
  --set NAME=VALUE       a value to start each run from (repeatable)
  --input FILE           Trick input file of each run; its MonteVarRandom, MonteCarloVariableFile and their kin say how many
                         there are and what they are set to, and --set and --vary come after it
  --input-dir DIR        directory whose files it may read, besides its own and the working directory (repeatable)
  --run-dir DIR          where the runs write with --keep-recordings or --input (MONTE_RUN_test for RUN_test/input.py, or what
                         the file says)
  --seed N               of the whole table (0)
  --jobs N               worker threads (as many as the machine has)
  --nats URL             has workers elsewhere compute the runs (varwire worker), through that NATS server; the table is the
                         same. The simulation lies below the working directory, here and there
  --resume               with --nats: takes the rows that a study with the same runs has left when it was stopped
  --most-seconds T       wall time after which a run is stopped and has failed (no limit)
  --out FILE             where the table goes: .parquet for Apache Parquet, else .csv (the standard output)

A run that fails has the reason in its line. \`varwire run --fast --seed\` with the seed and the values of a line repeats it.
When every run has failed, the command ends with code 1.
Ctrl-C writes the table of the runs that have ended, and ends with code 130 (143 for SIGTERM); a second one writes nothing.`;

const OPTIONS = {
  runs: { type: 'string' },
  read: { type: 'string', multiple: true },
  until: { type: 'string' },
  vary: { type: 'string', multiple: true },
  set: { type: 'string', multiple: true },
  input: { type: 'string' },
  'input-dir': { type: 'string', multiple: true },
  'run-dir': { type: 'string' },
  require: { type: 'string', multiple: true },
  'keep-recordings': { type: 'boolean' },
  seed: { type: 'string' },
  jobs: { type: 'string' },
  'most-seconds': { type: 'string' },
  nats: { type: 'string' },
  resume: { type: 'boolean' },
  out: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsConfig['options'];

export async function monteCarloCommand(args: readonly string[]): Promise<void> {
  const split = args.indexOf('--');
  const [own, simArguments] = split < 0 ? [args, []] : [args.slice(0, split), args.slice(split + 1)];
  const { values, positionals } = parse(own);
  if (values.help) return console.log(HELP);
  const [name, ...others] = positionals;
  const { input } = values;
  const hasResults = values.read ?? values.require ?? values['keep-recordings'];
  const isEnough = input !== undefined || (values.runs !== undefined && hasResults);
  if (name === undefined || others.length > 0 || !isEnough) {
    throw new UsageError(
      'varwire monte-carlo takes one simulation file, --runs and --read, or --input; --help shows how',
    );
  }
  const file = simulationFile(name);
  const draw = await drawOf(file, values.vary ?? [], values.set ?? []);
  if (values.out !== undefined) requireDirectory(values.out);
  const farm = await farmOf(name, file, values);
  const line = progressLine(process.stderr);
  const stop = stopBySignal();
  const table = await monteCarlo(file, {
    ...(farm && { pool: farm.pool }),
    ...(values.runs === undefined ? {} : { runs: parseNumber('runs', values.runs) }),
    ...(input === undefined ? {} : { inputFile: input, inputDirectories: values['input-dir'] ?? [] }),
    ...(values['run-dir'] === undefined ? {} : { runDirectory: values['run-dir'] }),
    say: ({ level, text }) => {
      if (level !== 'informational' && level !== 'debug') console.error(printableLines(text));
    },
    read: values.read ?? [],
    require: values.require ?? [],
    keepRecordings: values['keep-recordings'] ?? false,
    repeat: repeatOf(name, values, simArguments),
    draw,
    arguments: simArguments,
    progress: line.show,
    signal: stop.signal,
    ...(values.until === undefined ? {} : { untilSeconds: parseNumber('until', values.until) }),
    ...(values.seed === undefined ? {} : { seed: parseNumber('seed', values.seed) }),
    ...(values.jobs === undefined ? {} : { workers: parseNumber('jobs', values.jobs) }),
    ...(values['most-seconds'] === undefined
      ? {}
      : { mostSecondsPerRun: parseNumber('most-seconds', values['most-seconds']) }),
  }).finally(() => {
    line.end();
    return farm?.close();
  });
  // A reader of the pipe that reads no further must not keep the command from its end.
  if (values.out === undefined) stop.end();
  await writeTable(table, values.out);
  for (const rate of table.requirements) console.error(rateText(rate));
  sayHowItEnded(table, stop.signal);
}

/** The workers that `--nats` asks for. */
async function farmOf(
  name: string,
  file: string,
  { nats, resume, input, jobs }: Values,
): Promise<{ readonly pool: RunPool; close(): Promise<void> } | undefined> {
  if (nats === undefined) {
    if (resume) throw new UsageError('--resume goes with --nats');
    return undefined;
  }
  if (jobs !== undefined) throw new UsageError('--nats goes without --jobs, which is of this machine');
  const { farm } = await import('../../run/farm/index.js');
  return farm(nats, {
    simulation: portableName(name),
    file,
    hasInput: input !== undefined,
    isResumed: resume,
    say: (sentence) => console.error(`varwire: ${printable(sentence)}`),
  });
}

/** The command of a run, but for its seed and what it was given. */
function repeatOf(
  simulation: string,
  { input, until, read = [] }: { readonly input?: string; readonly until?: string; readonly read?: readonly string[] },
  simArguments: readonly string[],
): string {
  const given = [
    ...(input === undefined ? [] : ['--input', input]),
    ...(until === undefined ? [] : ['--until', until]),
  ];
  const words = [simulation, '--fast', ...given, ...read.flatMap((name) => ['--read', name])].map(shellWord);
  const last = simArguments.length > 0 ? ['--', ...simArguments.map(shellWord)] : [];
  return ['varwire run', ...words, SEED_AND_VALUES, ...last].join(' ');
}

const percent = (part: number): string => `${+(100 * part).toFixed(1)}`;

const rateText = ({ text, passed, runs, rate, low, high }: RequirementRate): string =>
  printable(
    `${text}: ${passed} of ${runs} runs${rate === null ? '' : `, ${percent(rate)} % (${percent(low)} to ${percent(high)} % with 95 % confidence)`}`,
  );

/** Also the exit code. */
function sayHowItEnded({ rows, failed, missing }: MonteCarloTable, signal: AbortSignal): void {
  if (failed > 0 && failed === rows.length) process.exitCode = 1;
  if (signal.aborted && (missing > 0 || rows.length === 0)) {
    // An input file that was stopped has not said how many there are.
    const all = missing > 0 ? `, of ${rows.length + missing}` : '';
    console.error(`varwire: stopped; the table has the ${rows.length} runs that have ended${all}`);
    process.exitCode = signal.reason as number;
  }
  if (failed > 0) console.error(`varwire: ${failed} of ${rows.length} runs have failed`);
}

/** Checks the directory before the runs, so that they are not lost. */
function requireDirectory(file: string): void {
  try {
    accessSync(dirname(file), constants.W_OK);
  } catch {
    throw new UsageError(`--out names a file in a directory that cannot be written: ${file}`);
  }
}

async function writeTable(table: MonteCarloTable, file: string | undefined): Promise<void> {
  if (file === undefined) process.stdout.write(printableLines(table.csv()));
  else writeFileSync(file, file.endsWith('.parquet') ? await table.parquet() : table.csv());
}

/** What the file draws, then what the command line sets and draws. */
async function drawOf(file: string, variations: readonly string[], settings: readonly string[]): Promise<Draw> {
  const { href } = pathToFileURL(file);
  await loadSimulation(href);
  const { draw: ownDraw } = (file.endsWith('.fmu') ? {} : await import(href)) as { readonly draw?: unknown };
  if (ownDraw !== undefined && typeof ownDraw !== 'function') throw new UsageError(`draw in ${file} is no function`);
  const [set, draws] = [parseSettings(settings), parseDraws(variations)];
  return (random, run) => ({ ...(ownDraw as Draw | undefined)?.(random, run), ...set, ...draws(random, run) });
}

type Values = ReturnType<typeof parse>['values'];

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw refusedLine(error, 'varwire monte-carlo --help lists the options');
  }
}
