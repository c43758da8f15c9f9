// The results of a Monte Carlo as a file in its directory, beside the directories of its runs.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

/** What a column of a study holds. */
export const STUDY_KINDS = ['run', 'seed', 'drawn', 'time', 'result', 'requirement', 'error'] as const;
/** One of them: a draw, a result, and so on. */
export type StudyKind = (typeof STUDY_KINDS)[number];

/** `nan`, `inf` and `-inf` are texts, and so are integers that a double does not hold; null is no value. */
export type StudyValue = number | string | boolean | null;

/** One value of every run. */
export interface StudyColumn {
  /** Without units; elements of arrays have columns of their own. */
  readonly name: string;
  readonly kind: StudyKind;
  readonly units?: string | undefined;
  readonly values: readonly StudyValue[];
}

/** How many runs meet a requirement; a run that has failed does not. */
export interface RequirementRate {
  /** As it was asked: `impact.x {ft} < 500`. */
  readonly text: string;
  readonly passed: number;
  readonly runs: number;
  /** From 0 to 1; null without runs. */
  readonly rate: number | null;
  /** Where the true rate lies with 95 % confidence. Wilson's interval. */
  readonly low: number;
  readonly high: number;
}

/** The content of `monte_results.json`. */
export interface Study {
  readonly form: 1;
  /** Of the simulation. */
  readonly name: string;
  readonly seed: number;
  /** How many runs have a value in each column. */
  readonly runs: number;
  /** How many are missing because the study was stopped. */
  readonly missing: number;
  /** The digits of the names of the directories: with 5 run 7 is in RUN_00007. */
  readonly digits: number;
  readonly columns: readonly StudyColumn[];
  readonly requirements: readonly RequirementRate[];
  /** What repeats a run, with `{}` for its seed and what it was given; undefined where no command made the study. */
  readonly repeat?: string | undefined;
}

/** A study whose runs are played, as `run7.ball.position`. */
export interface PlayedStudy {
  /** Undefined for runs whose results nobody has kept. */
  readonly results: Study | undefined;
  /** The runs that are open, by their numbers. */
  readonly open: readonly number[];
}

export const STUDY_FILE = 'monte_results.json';
const LARGEST_FILE_BYTES = 2 ** 29;

export const runDirectoryName = (run: number, digits: number): string => `RUN_${String(run).padStart(digits, '0')}`;

/** The directory of each run, by its number, as far as there are any; undefined for a directory that is no study. */
export function studyRuns(directory: string): ReadonlyMap<number, string> | undefined {
  if (!existsSync(join(directory, STUDY_FILE)) && !basename(directory).startsWith('MONTE_')) return undefined;
  const runs = readdirSync(directory).flatMap((name): [number, string][] => {
    const [, digits] = /^RUN_(\d{1,9})$/.exec(name) ?? [];
    return digits === undefined ? [] : [[Number(digits), join(directory, name)]];
  });
  return new Map(runs.sort(([one], [other]) => one - other));
}

/** Undefined where a directory has no such file, as those of Trick. Throws an Error with one sentence for a damaged one. */
export function readStudy(directory: string): Study | undefined {
  const path = join(directory, STUDY_FILE);
  const status = statSync(path, { throwIfNoEntry: false });
  if (!status) return undefined;
  if (status.size > LARGEST_FILE_BYTES) throw new Error(`${path} has more than ${LARGEST_FILE_BYTES} bytes`);
  let read: unknown;
  try {
    read = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw new Error(`${path} is no JSON: it is damaged`);
  }
  if (!isStudy(read)) throw new Error(`${path} does not hold the results of runs in the form 1`);
  return read;
}

function isStudy(read: unknown): read is Study {
  const { form, name, seed, runs, missing, digits, columns, requirements, repeat } = (read ?? {}) as Partial<Study>;
  const numbers = [seed, runs, missing, digits].every((number) => Number.isSafeInteger(number) && (number ?? -1) >= 0);
  return (
    form === 1 &&
    numbers &&
    (digits ?? 10) < 10 &&
    typeof name === 'string' &&
    (repeat === undefined || typeof repeat === 'string') &&
    Array.isArray(columns) &&
    columns.every((column) => isColumn(column, runs as number)) &&
    Array.isArray(requirements) &&
    requirements.every(isRate)
  );
}

function isColumn(column: StudyColumn | null, runs: number): boolean {
  const { name, kind, units = '', values } = column ?? ({} as Partial<StudyColumn>);
  return (
    typeof name === 'string' &&
    STUDY_KINDS.some((known) => known === kind) &&
    typeof units === 'string' &&
    Array.isArray(values) &&
    values.length === runs &&
    values.every((value) => value === null || ['number', 'string', 'boolean'].includes(typeof value))
  );
}

function isRate(rate: RequirementRate | null): boolean {
  const { text, passed, runs, rate: part, low, high } = rate ?? ({} as Partial<RequirementRate>);
  return (
    typeof text === 'string' &&
    [passed, runs, low, high].every((number) => typeof number === 'number') &&
    (part === null || typeof part === 'number')
  );
}

/** Stands for them in `repeat`. */
export const SEED_AND_VALUES = '{}';

/** A word of a command line, in quotes where a shell needs them. */
export const shellWord = (text: string): string =>
  /^[\w.,:=/[\]{}+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** The command that repeats a run; undefined where none does. @param index of the run among those of the columns. */
export function repeatCommand({ repeat, columns }: Study, index: number): string | undefined {
  if (repeat === undefined) return undefined;
  const seed = columns.find(({ kind }) => kind === 'seed')?.values[index];
  const given = columns.flatMap(({ name, kind, units, values }) => {
    const value = values[index];
    if (kind !== 'drawn' || value === null || value === undefined) return [];
    return ['--set', shellWord(`${name}${units === undefined || units === '--' ? '' : `{${units}}`}=${value}`)];
  });
  return repeat.replace(SEED_AND_VALUES, () => ['--seed', seed, ...given].join(' '));
}
