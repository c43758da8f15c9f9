// What the commands that read recordings have in common.
import { existsSync } from 'node:fs';
import type { Column } from '../../simulation/recording/row.js';
import type { Chosen, WrittenAs } from '../../source/recording/convert.js';
import { loadLibrariesFor } from '../../source/recording/libraries.js';
import { MergedRecording, type Part } from '../../source/recording/merged.js';
import { type OpenOptions, openRecording } from '../../source/recording/open.js';
import type { Recording } from '../../source/recording/recording.js';
import { CONNECTION_OPTIONS } from './client-options.js';
import type { CommandLine, GivenLine } from './command-line.js';
import { textOf } from './command-line.js';
import { isMeantBy } from './names.js';
import { nearest } from './nearest.js';
import { isServer } from './server-name.js';
import { pastOfServer } from './server-past.js';
import { UsageError } from './usage.js';
import { printable } from './value-text.js';

export const TIME_OPTION: CommandLine['options'][number] = [
  '--time <name>',
  'the column of times in a table (guessed)',
];

/** The options of commands that write a .mcap file. */
export const MCAP_OPTIONS: CommandLine['options'] = [
  [
    '--encoding <form>',
    'of the messages of .mcap: protobuf, which is exact, or json, which more programs read (protobuf)',
  ],
  ['--compression <form>', 'of the chunks of .mcap: zstd or none (zstd)'],
];

/** How a .mcap file is written. Throws a UsageError. */
export const mcapFrom = (given: GivenLine): Required<Pick<WrittenAs, 'encoding' | 'compression'>> => ({
  encoding: oneOf(given, 'encoding', ['protobuf', 'json']),
  compression: oneOf(given, 'compression', ['zstd', 'none']),
});

/** The word of an option, the first of some when it is not given. Throws a UsageError for another word. */
function oneOf<Word extends string>(given: GivenLine, option: string, words: readonly [Word, ...Word[]]): Word {
  const text = textOf(given, option) ?? words[0];
  const found = words.find((word) => word === text);
  if (found === undefined) throw new UsageError(`--${option} takes ${words.join(' or ')}, not ${text}`);
  return found;
}

/** The options of commands that take a server in the place of a recording. */
export const RECORDING_OPTIONS: CommandLine['options'] = [TIME_OPTION, ...CONNECTION_OPTIONS];

/** Whether a word is no file but a server, whose past is taken. */
export const isPastOf = (word: string): boolean => isServer(word) && !existsSync(word);

/**
 * A recording, or what a server has kept of the past. Rejects with an Error with one sentence.
 * @param wanted names and patterns, of a server; none for all. Of a recording all is there.
 */
export const openedPast = async (
  word: string,
  given: GivenLine,
  wanted: readonly string[] = [],
  isLenient = false,
): Promise<Recording> => (isPastOf(word) ? pastOfServer(word, wanted, given, isLenient) : opened(word, given));

/** Before all rows are read: a recording ends before what is damaged, and what is wrong with it is said. */
export function check(recording: Recording): void {
  recording.check();
  sayFaults(recording);
}

/** A fault of one file of several names it itself. */
export function sayFaults({ file, faults }: Recording): void {
  for (const fault of faults)
    console.error(printable(`varwire: ${fault.startsWith(file) ? fault : `${file}: ${fault}`}`));
}

/** A name without that of its run, with which all but the time begin where there are several runs. */
export const nameInRun = ({ runs, time }: Recording, name: string): string =>
  runs.length === 0 || name === time.name ? name : name.slice(name.indexOf('.') + 1);

/**
 * The variables of a recording that a word stands for; a name without a run stands for that of all runs. Throws an Error with
 * one sentence when there are none.
 */
export function columnsMeant(recording: Recording, word: string): readonly Column[] {
  const { columns, file } = recording;
  const found = columns.filter(({ name }) => isMeantBy(word, name) || isMeantBy(word, nameInRun(recording, name)));
  if (found.length > 0) return found;
  const known = new Set(columns.flatMap(({ name }) => [name, name.replace(/(\[\d+\])+$/, '')]));
  const near = nearest(word, [...known]);
  throw new Error(`${file} has no variable ${word}${near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`}`);
}

export const PART_OPTIONS: CommandLine['options'] = [
  ['--from <seconds>', 'the first time'],
  ['--to <seconds>', 'the last time'],
  ['--every <seconds>', 'of rows that are closer together only the first'],
];

/** The rows that these options choose. Throws a UsageError. */
export function partOf(given: GivenLine): Omit<Chosen, 'isWanted'> {
  const from = numberFrom(given, 'from', Number.NEGATIVE_INFINITY);
  const to = numberFrom(given, 'to', Number.NEGATIVE_INFINITY);
  if (from !== undefined && to !== undefined && from > to)
    throw new UsageError(`there is nothing from ${from} to ${to} s: --from is after --to`);
  return {
    ...present('fromSeconds', from),
    ...present('toSeconds', to),
    ...present('everySeconds', numberFrom(given, 'every', 0)),
  };
}

const present = (name: string, number: number | undefined): object => (number === undefined ? {} : { [name]: number });

/** Throws an Error with one sentence for a file that is there. */
export function requireFree(file: string, { values }: GivenLine): void {
  if (!values.force && existsSync(file)) throw new Error(`${file} is there already; --force replaces it`);
}

/** Recordings and servers come first, then names; what is first is a recording. */
export function recordingsAndNames(words: readonly string[]): {
  readonly sources: readonly string[];
  readonly names: readonly string[];
} {
  const end = words.findIndex((word, index) => index > 0 && !isServer(word) && !existsSync(word));
  return end < 0 ? { sources: words, names: [] } : { sources: words.slice(0, end), names: words.slice(end) };
}

/** A number of an option, from `least` up. Throws a UsageError. */
export function numberFrom(given: GivenLine, option: string, least: number): number | undefined {
  const text = textOf(given, option);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (text.trim() !== '' && number >= least) return number;
  const bound = least === Number.NEGATIVE_INFINITY ? '' : ` from ${least} up`;
  throw new UsageError(`--${option} takes a number${bound}, not ${text.trim()}`);
}

export async function opened(file: string, given: GivenLine): Promise<Recording> {
  const time = textOf(given, 'time');
  return openedOf(file, time === undefined ? {} : { time });
}

/**
 * Several recordings on one time, each with its own names below `run1` and so on; of one as `openedPast`.
 * @param wanted as of `openedPast`.
 */
export async function openedTogether(
  sources: readonly string[],
  given: GivenLine,
  wanted: readonly string[],
  isLenient: boolean,
): Promise<Recording> {
  const [first = '', ...others] = sources;
  if (others.length === 0) return openedPast(first, given, wanted, isLenient);
  const parts: Part[] = [];
  for (const [index, source] of sources.entries())
    parts.push({ name: `run${index + 1}`, recording: await openedPast(source, given, wanted, isLenient) });
  return new MergedRecording(`${first} and ${others.length} more`, parts, true);
}

/** A file that is opened faster than this needs no line. */
const PATIENCE_MILLIS = 500;

/** Opens recordings; on a terminal a line tells how much of a large one has been read, as long as it has no index. */
export async function openedOf(
  files: string | readonly string[],
  options: Omit<OpenOptions, 'progress'>,
): Promise<Recording> {
  await loadLibrariesFor(typeof files === 'string' ? [files] : files);
  const began = performance.now();
  const { stderr } = process;
  let isShown = false;
  const progress = (part: number): void => {
    if (!stderr.isTTY || performance.now() - began < PATIENCE_MILLIS) return;
    isShown = true;
    stderr.write(`\r${Math.floor(100 * part)} % read\x1b[K`);
  };
  try {
    return openRecording(files, { ...options, progress });
  } finally {
    if (isShown) stderr.write('\r\x1b[K');
  }
}
