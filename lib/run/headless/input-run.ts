// One run of a simulation with a Trick input file: no server, no clock, as fast as it computes.
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Mode } from '../../model/frame/header.js';
import type { SimulationDefinition } from '../../simulation/executive/simulation.js';
import { InputFile, type InputFiles } from '../../simulation/files/input-file.js';
import { requireSeed } from '../../simulation/integration/random.js';
import { InputHere } from '../serve/input-here.js';
import { readNamed, unitsOfAll, writeNamed } from './named-values.js';
import { endOf, type RunOptions, type RunResult } from './run-options.js';
import { Sampler } from './sampler.js';
import type { RunMessage } from './simulation-run.js';
import { codeOf, endingWithProcess } from './under-way.js';

/** One run of a Monte Carlo of an input file. Plain data, which is sent to workers. */
export interface InputRunPart {
  /** What follows the input file. */
  readonly text: string;
  readonly number: number;
  /** Whether the input file's generator has made it. */
  readonly isGenerated: boolean;
  /** Whether the input file asks for the runs. */
  readonly isOn: boolean;
  /** Where it lies and writes; left out where the files have been sent. */
  readonly here?: InputPlace;
}

export interface InputPlace {
  readonly inputFile: string;
  readonly inputDirectories: readonly string[];
  readonly runDirectory: string;
}

/** Of the text that follows the input file, where it fails. */
export const runName = (number: number): string => `run ${number}`;

/**
 * As `run` of the public interface, for options with an input file.
 * @param part of a Monte Carlo, if this is one of its runs.
 * @param sent the files, where they do not lie here.
 */
export async function runInput(
  definition: SimulationDefinition,
  options: RunOptions,
  part?: InputRunPart,
  sent?: InputFiles,
): Promise<RunResult> {
  const { inputFile = '', inputDirectories = [], arguments: given = [], seed = 0 } = options;
  const temporary = options.runDirectory === undefined ? join(tmpdir(), `varwire-${randomUUID()}`) : undefined;
  const messages: RunMessage[] = [];
  const say = (message: RunMessage): void => {
    messages.push(message);
    options.say?.(message);
  };
  const runDirectory = options.runDirectory ?? (temporary as string);
  const { signal } = options;
  const tell = (text: string): void => say({ level: 'normal', text, timeSeconds: 0 });
  const files = sent ?? new InputFile(inputFile, inputDirectories, tell);
  const start = { files, arguments: given, runDirectory, seed: requireSeed(seed), say, signal };
  const studyPart = part?.isOn && ({ kind: 'run', isGenerated: part.isGenerated } as const);
  try {
    const here = await InputHere.start(definition, studyPart ? { ...start, studyPart } : start);
    try {
      if (part && part.text !== '') await here.runText(runName(part.number), part.text);
      return { ...(await endingWithProcess(here, () => runHere(here, definition, options))), messages };
    } finally {
      await here.close();
    }
  } finally {
    if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
  }
}

async function runHere(
  here: InputHere,
  definition: SimulationDefinition,
  options: RunOptions,
): Promise<Omit<RunResult, 'messages'>> {
  const { untilSeconds, read = [], record, set = {}, signal } = options;
  const { running } = here;
  const { executive } = running;
  // The input file may have ended it, or was stopped.
  if (here.end || signal?.aborted) return resultOf(here, options);
  await here.write(Object.entries(set).map(([name, value]) => writeNamed(running, name, value)));
  const readIt = (name: string) => readNamed(running, name);
  for (const name of read) readIt(name);
  const hasEnd = executive.endsAtStart || Number.isFinite(executive.terminateTics);
  if (untilSeconds !== undefined || !hasEnd) endOf(untilSeconds);
  const table = record && new Sampler(executive, record, readIt);
  await here.begin(definition.options.startFrozen ?? false);
  await here.runTo(untilSeconds ?? Number.POSITIVE_INFINITY);
  table?.finish();
  return resultOf(here, options, table);
}

async function resultOf(
  here: InputHere,
  { read = [], set = {}, signal }: RunOptions,
  table?: Sampler,
): Promise<Omit<RunResult, 'messages'>> {
  const { running, end } = here;
  const { executive } = running;
  const isFrozen = executive.mode === Mode.freeze;
  await here.close(codeOf(signal));
  here.throwFailure();
  return {
    timeSeconds: executive.timeSeconds,
    end,
    isFrozen,
    isStopped: signal?.aborted ?? false,
    values: Object.fromEntries(read.map((name) => [name, readNamed(running, name)])),
    units: unitsOfAll(running, [...read, ...Object.keys(set)]),
    recorded: { columns: table?.columns ?? ['time'], rows: table?.rows ?? [] },
  };
}
