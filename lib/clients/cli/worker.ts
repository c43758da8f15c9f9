// `varwire worker`: computes runs of Monte Carlo studies that other machines make, through a NATS server.
import { availableParallelism } from 'node:os';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { portableName, simulationFile } from './simulation-file.js';
import { stopBySignal } from './stop-by-signal.js';
import { parseNumber, refusedLine, UsageError } from './usage.js';
import { printable } from './value-text.js';

const HELP = `Usage: varwire worker --nats URL [options]

Takes runs of the studies that varwire monte-carlo --nats makes, and tells what has come of them. Their simulations are
looked for below the working directory; a study is taken when its files, varwire, Node.js and the processor are the same.

  --nats URL  the NATS server, such as nats://user:password@host:4222; it needs JetStream
  --jobs N    worker threads (as many as the machine has)

Ctrl-C ends it; others get what it has not finished.`;

const OPTIONS = {
  nats: { type: 'string' },
  jobs: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsConfig['options'];

const MOST_THREADS = 256;

export async function workerCommand(args: readonly string[]): Promise<void> {
  const { nats, jobs, help } = parse(args);
  if (help) return console.log(HELP);
  if (nats === undefined) throw new UsageError('varwire worker takes --nats URL; --help shows how');
  const threads = jobs === undefined ? availableParallelism() : parseNumber('jobs', jobs);
  if (!Number.isInteger(threads) || threads < 1 || threads > MOST_THREADS)
    throw new UsageError(`--jobs takes a whole number from 1 to ${MOST_THREADS}, not ${jobs}`);
  const { farmWorker } = await import('../../run/farm/index.js');
  const say = (sentence: string): void => console.log(`varwire: ${printable(sentence)}`);
  const stop = stopBySignal();
  const find = (simulation: string): string => simulationFile(portableName(simulation));
  await farmWorker(nats, { threads, find, say }, stop.signal);
  process.exitCode = stop.signal.reason as number;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    throw refusedLine(error, 'varwire worker --help lists the options');
  }
}
