// `varwire run --fast`: runs a simulation without a server, as fast as it computes.
import { dirname } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { loadSimulation, type RunOptions, type RunResult, reasonOf, run } from '../../index.js';
import { parseSettings, settledText } from './settings.js';
import { simulationFile } from './simulation-file.js';
import { stopBySignal } from './stop-by-signal.js';
import { parseNumber, refusedLine, StoppedError, UsageError } from './usage.js';
import { printable, printableLines } from './value-text.js';

const HELP = `Usage: varwire run <simulation> --fast [options] [-- arguments of the simulation]

Runs without a server and without a clock, and prints the last values.

  --until T              simulation time in seconds at which it ends (the simulation's terminate time)
  --set NAME=VALUE       a value to start from, before the jobs of the initialization (repeatable)
  --read NAME            a variable whose last value is printed (repeatable)
                         a name may have units: ball.height{cm}, also with --set
  --input FILE           Trick input file to run before the first frame; --set comes after it
  --input-dir DIR        directory whose files it may read, besides its own and the working directory (repeatable)
  --seed N               of the random streams (0)
  --run-dir DIR          where the simulation may write (the input file's directory, else RUN_varwire)

Ctrl-C ends it between two frames, with the last values and whole recordings, and with code 130 (143 for SIGTERM).`;

const OPTIONS = {
  fast: { type: 'boolean' },
  until: { type: 'string' },
  set: { type: 'string', multiple: true },
  read: { type: 'string', multiple: true },
  input: { type: 'string' },
  'input-dir': { type: 'string', multiple: true },
  seed: { type: 'string' },
  'run-dir': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsConfig['options'];

/** @param args of `varwire run`, among them --fast. */
export async function fastRunCommand(args: readonly string[], simArguments: readonly string[]): Promise<void> {
  const { values, positionals } = parse(args);
  if (values.help) return console.log(HELP);
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) {
    throw new UsageError('varwire run --fast takes one simulation file; varwire run --fast --help shows how');
  }
  const { until, seed, input, read = [] } = values;
  const { href } = pathToFileURL(simulationFile(file));
  const runIt = await runnerOf(href);
  const startMillis = performance.now();
  const stop = stopBySignal();
  const result = await runIt({
    ...(until === undefined ? {} : { untilSeconds: parseNumber('until', until) }),
    ...(seed === undefined ? {} : { seed: parseNumber('seed', seed) }),
    signal: stop.signal,
    set: parseSettings(values.set ?? []),
    read,
    ...(input === undefined ? {} : { inputFile: input, inputDirectories: values['input-dir'] ?? [] }),
    runDirectory: values['run-dir'] ?? (input === undefined ? 'RUN_varwire' : dirname(input)),
    arguments: simArguments,
    say: ({ level, text }) => {
      // As in a server's log, what an input file has done is told only where it matters.
      if (input !== undefined && (level === 'informational' || level === 'debug')) return;
      console.error(printableLines(level === 'error' ? `error: ${text}` : text));
    },
  }).catch((error: unknown) => {
    const reason = reasonOf(error);
    throw stop.signal.aborted ? new StoppedError(reason, stop.signal.reason as number) : new Error(reason);
  });
  for (const path of read) console.log(`${path}\t${settledText(result.values[path])}`);
  const seconds = ((performance.now() - startMillis) / 1000).toFixed(2);
  const ended = result.isStopped && !result.end ? ': stopped' : undefined;
  const why =
    ended ?? (result.end ? `: ${printable(result.end.reason)}` : result.isFrozen ? ': it has frozen itself' : '');
  console.error(`varwire: ${result.timeSeconds} s simulated in ${seconds} s${why}`);
  process.exitCode = ended ? (stop.signal.reason as number) : (result.end?.exitCode ?? 0);
}

/** The code of an FMU may not return: it has a thread of its own, and this one hears signals. */
async function runnerOf(simulationUrl: string): Promise<(options: RunOptions) => Promise<RunResult>> {
  if (simulationUrl.endsWith('.fmu')) {
    const { runOnThread } = await import('../../run/headless/run-on-thread.js');
    return (options) => runOnThread(simulationUrl, options);
  }
  const definition = await loadSimulation(simulationUrl);
  return (options) => run(definition, options);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw refusedLine(error, 'varwire run --fast --help lists the options of a run without a server');
  }
}
