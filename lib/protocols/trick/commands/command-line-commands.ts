// Commands that tell how the run was started. Trick: command_line_protos.h
import { readValue } from '../../../model/state/read.js';
import { locate } from '../../../model/state/variable.js';
import { ListValue, toInteger } from '../../python/index.js';
import type { TrickSession } from '../session/trick-session.js';
import { type Command, command } from './command.js';

const pathOf = (name: string): string => `trick_cmd_args.cmd_args.${name}`;

/** A text of `trick_cmd_args`. */
function textAt({ catalog, frame }: TrickSession, name: string): string {
  const variable = catalog.find(pathOf(name));
  return variable ? String(readValue(variable.type, frame.memory, locate(variable, frame.memory))) : '';
}

const told = (name: string, about: string): Command =>
  command(`command_line_args_get_${name}`, [], about, ({ session }) => textAt(session, name), {
    reads: () => ({ paths: [pathOf(name)] }),
  });

const PROGRAM = 'cmdline_name';
const INPUT = 'input_file';

/** The program and, if there is one, its input file: what a Trick simulation is started with. */
const wordsOf = (session: TrickSession): readonly string[] => {
  const [program, input] = [textAt(session, PROGRAM), textAt(session, INPUT)];
  return input === '' || input === program ? [program] : [program, input];
};
const words = { reads: () => ({ paths: [PROGRAM, INPUT].map(pathOf) }) };

export const commandLineCommands: readonly Command[] = [
  command(
    'command_line_args_get_argc',
    [],
    'How many words started the run: the program and, if there is one, the input file.',
    ({ session }) => BigInt(wordsOf(session).length),
    words,
  ),
  command(
    'command_line_args_get_argv',
    [{ name: 'index', type: 'value', standard: null }],
    'Those words, as a list; with a number one of them, from 0, or empty text for any other number.',
    ({ session }, [index = null]) =>
      index === null ? new ListValue([...wordsOf(session)]) : (wordsOf(session)[Number(toInteger(index))] ?? ''),
    words,
  ),
  told('output_dir', 'Where the run writes.'),
  told('default_dir', 'The working directory.'),
  told('cmdline_name', 'The program.'),
  told('input_file', 'The input file, as it was given.'),
];
