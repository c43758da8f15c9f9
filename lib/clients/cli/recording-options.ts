// What the commands that read recordings have in common.
import { type OpenOptions, openRecording } from '../../index.js';
import type { CommandLine, GivenLine } from './command-line.js';
import { textOf } from './command-line.js';

export const TIME_OPTION: CommandLine['options'][number] = [
  '--time <name>',
  'the column of times in a table (guessed)',
];

export function opened(file: string, given: GivenLine): ReturnType<typeof openRecording> {
  const time = textOf(given, 'time');
  return openedOf(file, time === undefined ? {} : { time });
}

/** A file that is opened faster than this needs no line. */
const PATIENCE_MILLIS = 500;

/** Opens recordings; on a terminal a line tells how much of a large one has been read, as long as it has no index. */
export function openedOf(
  files: string | readonly string[],
  options: Omit<OpenOptions, 'progress'>,
): ReturnType<typeof openRecording> {
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
