// The questions that a client asks a session, and their replies as values.
import type { Field } from './ascii-decoder.js';
import type { Decoded } from './binary-decoder.js';
import type { Channel } from './channel.js';
import { ProtocolError } from './errors.js';
import { decodedByName, fieldsOfLine, type ListEntry } from './list-assembler.js';
import { MessageIndicator } from './message-indicator.js';
import type { Message } from './message-splitter.js';
import { quote } from './python-literal.js';

export type Form = 'ascii' | 'binary';

/** The most characters of names in one command, which keeps it well below the size of a datagram. */
const LONGEST_NAMES = 4000;

/** The name without blanks around it. Throws a TypeError for a text that Trick does not take as a name. */
export function checkName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '' || /[\x00-\x1f,]/.test(trimmed))
    throw new TypeError(`expected the name of a variable, such as ball.state.position[0], not ${JSON.stringify(name)}`);
  return trimmed;
}

export const formCommand = (form: Form): string => (form === 'ascii' ? 'trick.var_ascii()\n' : 'trick.var_binary()\n');

/** Types and exact values by name. @param resting the form that the session is left in. */
export async function askBinary(
  channel: Channel,
  names: readonly string[],
  resting: Form,
): Promise<Map<string, Decoded>> {
  return decodedByName(await channel.ask(binaryQuestion(names, resting)), MessageIndicator.sendOnce);
}

export const binaryQuestion = (names: readonly string[], resting: Form): string =>
  formCommand('binary') + sendOnce(names) + formCommand(resting);

/** Values in the order of the names; their types are guessed from the text of the replies. */
export async function askAscii(channel: Channel, names: readonly string[]): Promise<Field[]> {
  const lines = linesOf(await channel.ask(formCommand('ascii') + sendOnce(names)), MessageIndicator.sendOnce);
  return fieldsOf(
    lines.join('\t'),
    names.map((name) => ({ name })),
  );
}

/** Values in units. Trick converts units in lists only, so this uses the session's list and clears it. */
export async function askInUnits(channel: Channel, variables: readonly ListEntry[], resting: Form): Promise<Field[]> {
  const text = [
    'trick.var_clear()\n',
    formCommand('ascii'),
    addCommands(variables),
    'trick.var_send()\ntrick.var_clear()\n',
    formCommand(resting),
  ];
  const replies = await channel.ask(text.join(''), { takesLists: true });
  return fieldsOf(linesOf(replies, MessageIndicator.list).join('\t'), variables);
}

export const addCommands = (variables: readonly ListEntry[]): string =>
  variables
    .map(({ name, units }) => `trick.var_add(${quote(name)}${units === undefined ? '' : `, ${quote(units)}`})\n`)
    .join('');

function sendOnce(names: readonly string[]): string {
  return inGroups(names)
    .map((group) => `trick.var_send_once(${quote(group.join(','))}, ${group.length})\n`)
    .join('');
}

function inGroups(names: readonly string[]): string[][] {
  const groups: string[][] = [];
  let length = LONGEST_NAMES;
  for (const name of names) {
    length += name.length + 1;
    if (length > LONGEST_NAMES) {
      groups.push([]);
      length = name.length;
    }
    groups.at(-1)?.push(name);
  }
  return groups;
}

const linesOf = (replies: readonly Message[], indicator: number): string[] =>
  replies.flatMap((reply) => (reply.kind === 'line' && reply.indicator === indicator ? [reply.text] : []));

function fieldsOf(line: string, variables: readonly ListEntry[]): Field[] {
  const fields = fieldsOfLine(line, variables);
  if (!fields)
    throw new ProtocolError(`expected a reply of ${variables.length} values, not ${line.split('\t').length}`);
  return fields;
}
