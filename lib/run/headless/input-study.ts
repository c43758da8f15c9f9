// The Monte Carlo that a Trick input file asks for: what its runs are set to, and where they write.
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { readVariable, type Value } from '../../model/state/read.js';
import type { SimulationDefinition } from '../../simulation/executive/simulation.js';
import { InputFile } from '../../simulation/files/input-file.js';
import { NotedFiles, type SentFile } from '../../simulation/files/sent-files.js';
import { runDirectoryName } from '../../simulation/recording/study.js';
import { InputHere, type InputHereOptions } from '../serve/input-here.js';
import { type InputRunPart, runName } from './input-run.js';
import type { RunMessage } from './simulation-run.js';

export interface StudyOptions {
  readonly inputFile: string;
  readonly inputDirectories: readonly string[];
  readonly arguments: readonly string[];
  /** Where the runs write, each in a directory of its own. Default: as the file says, else MONTE_ and its directory's name. */
  readonly runDirectory?: string | undefined;
  readonly say?: ((message: RunMessage) => void) | undefined;
  /** Stops the input file; what it has not said by then is missing. */
  readonly signal?: AbortSignal | undefined;
}

/** A run of the study. Plain data, which is sent to workers. */
export interface StudiedRun {
  readonly number: number;
  /** What the table shows of it. */
  readonly shown: Readonly<Record<string, Value>>;
  readonly input: InputRunPart;
}

export interface InputStudy {
  /** Whether the file asks for runs; when it does not, they differ by their seeds and what the caller draws. */
  readonly isOn: boolean;
  readonly numberOfRuns: number;
  readonly isDry: boolean;
  readonly timeoutSeconds: number | undefined;
  readonly directory: string;
  /** Of the number in a run's directory. */
  readonly digits: number;
  /** At most so many. Throws an Error with one sentence for a value that cannot be drawn. */
  runs(most: number): Iterable<StudiedRun>;
  /** The input file, and what it asks for until the first frame of a run, such as the first one. */
  filesUntil(run: InputRunPart): Promise<readonly SentFile[]>;
}

/** Runs the input file on a simulation of its own. Rejects with the sentence that says where it has failed. */
export async function readStudy(definition: SimulationDefinition, options: StudyOptions): Promise<InputStudy> {
  const { inputFile, inputDirectories, say = () => undefined } = options;
  const tell = (text: string): void => say({ level: 'normal', text, timeSeconds: 0 });
  const readable = new InputFile(inputFile, inputDirectories, tell);
  const files = new NotedFiles(readable);
  const start = {
    files,
    arguments: options.arguments,
    runDirectory: join(tmpdir(), 'varwire-monte-carlo'),
    seed: 0,
    signal: options.signal,
  };
  const here = await InputHere.start(definition, { ...start, say, studyPart: { kind: 'master' } });
  const { study } = here;
  const { isOn, isGenerated, isDry, timeoutSeconds, numberOfRuns, master } = study;
  const lines = new Map<string, readonly string[]>();
  const sources = {
    lines: (file: string): readonly string[] => {
      const known = lines.get(file) ?? linesOf(file, readable);
      lines.set(file, known);
      return known;
    },
    numberAt: (path: string): number | bigint | undefined => {
      const variable = here.running.catalog.find(path);
      const value = variable && readVariable(variable, here.running.state.arena.memory);
      return typeof value === 'number' || typeof value === 'bigint' ? value : undefined;
    },
  };
  await here.close();
  const named =
    isGenerated && master.directory !== '' ? master.directory : `MONTE_${basename(dirname(resolve(inputFile)))}`;
  // Node makes directories of a relative name forever when the working directory is gone.
  const directory = resolve(options.runDirectory ?? named);
  const digits = isGenerated ? Math.max(master.padding, String(Math.max(0, numberOfRuns - 1)).length) : 5;
  return {
    ...{ isOn, isDry, timeoutSeconds, numberOfRuns, directory, digits },
    *runs(most) {
      let count = 0;
      for (const { number, text, shown } of isOn ? study.runs(sources) : plainRuns(most)) {
        if (count++ >= most) return;
        const runDirectory = join(directory, runDirectoryName(number, digits));
        const place = { inputFile, inputDirectories, runDirectory };
        const input = { text, number, isGenerated, isOn, here: place };
        yield { number, shown: Object.fromEntries(shown.map(([name, value]) => [name, shownValue(value)])), input };
      }
    },
    async filesUntil(run) {
      // Why it fails is in the row of the run.
      await begun(definition, { ...start, say: () => undefined }, run).catch(() => undefined);
      return files.all;
    },
  };
}

/** A run until its first frame. Rejects as its input file fails. */
async function begun(
  definition: SimulationDefinition,
  start: Omit<InputHereOptions, 'studyPart'>,
  { isOn, isGenerated, number, text }: InputRunPart,
): Promise<void> {
  const here = await InputHere.start(definition, {
    ...start,
    ...(isOn && { studyPart: { kind: 'run', isGenerated } }),
  });
  try {
    await here.runText(runName(number), text);
  } finally {
    await here.close();
  }
}

/** Throws one sentence. */
function linesOf(file: string, files: InputFile): readonly string[] {
  try {
    return files.read(file).text.split('\n');
  } catch (error) {
    throw new Error(`a Monte Carlo variable is read from a file: ${(error as Error).message}`);
  }
}

function* plainRuns(most: number) {
  for (let number = 0; number < most; number++) yield { number, text: '', shown: [] };
}

/** A number where the text is one, and a text without its quotes. */
function shownValue(text: string): Value {
  const trimmed = text.trim();
  if (/^[+-]?(\d|\.\d)/.test(trimmed) && Number.isFinite(Number(trimmed))) return Number(trimmed);
  const [, quoted] = /^(?:"([^"]*)"|'([^']*)')$/.exec(trimmed)?.filter((part) => part !== undefined) ?? [];
  if (quoted !== undefined) return quoted;
  return trimmed === 'True' ? true : trimmed === 'False' ? false : trimmed;
}

/** A file with which `varwire run --input` repeats a run alone. Trick: monte_input */
export function writeMonteInput({ text, number, isGenerated, isOn, here }: InputRunPart): void {
  if (!here) return;
  const { inputFile, runDirectory } = here;
  mkdirSync(runDirectory, { recursive: true });
  const master = 'monte_carlo.mc_master';
  const before = isGenerated ? `${master}.active = True\n${master}.generate_dispersions = False\n` : '';
  const after = !isGenerated && isOn ? 'trick.mc_set_enabled(0)\n' : '';
  const name = isGenerated ? `monte_${basename(inputFile)}` : 'monte_input.py';
  writeFileSync(
    join(runDirectory, name),
    `# Run ${number} alone: varwire run <simulation> --input with this file\n${before}exec(open(${JSON.stringify(inputFile)}).read())\n${after}${text}`,
  );
}
