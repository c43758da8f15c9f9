// What the commands that read recordings have in common.
import { openRecording } from '../../index.js';
import type { CommandLine, GivenLine } from './command-line.js';
import { textOf } from './command-line.js';

export const TIME_OPTION: CommandLine['options'][number] = [
  '--time <name>',
  'the column of times in a table (guessed)',
];

export function opened(file: string, given: GivenLine): ReturnType<typeof openRecording> {
  const time = textOf(given, 'time');
  return openRecording(file, time === undefined ? {} : { time });
}
