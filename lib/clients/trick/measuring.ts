// Questions of many names that cannot fail: which variables there are, how many elements containers have, and what they are.
import { ProtocolError } from './errors.js';
import { decodedByName } from './list-assembler.js';
import { MessageIndicator } from './message-indicator.js';
import type { Message } from './message-splitter.js';
import { quote } from './python-literal.js';
import { formCommand } from './questions.js';
import { existsOf } from './shapes.js';
import type { TrickValue } from './value.js';

/**
 * Sends commands to a paused session, and resolves to the answers. Commands that may fail are sent
 * alone: with them all that is sent together fails.
 */
type Send = (text: string, options?: { readonly mayFail: boolean }) => Promise<readonly Message[]>;

/** Trick: var_exists */
export async function existing(send: Send, names: readonly string[]): Promise<boolean[]> {
  if (names.length === 0) return [];
  const replies = await send(names.map((name) => `trick.var_exists(${quote(name)})\n`).join(''));
  const answers = replies.flatMap(existsOf);
  if (answers.length !== names.length)
    throw new ProtocolError(`expected ${names.length} answers, not ${answers.length}`);
  return answers;
}

/** Undefined for what is no container, and for all where Trick is older than the question. Trick: var_get_stl_size */
export async function sizes(send: Send, names: readonly string[]): Promise<(number | undefined)[]> {
  const answers: string[] = [];
  for (let first = 0; first < names.length; first += NAMES_AT_ONCE) {
    const some = names.slice(first, first + NAMES_AT_ONCE);
    const questions = some.map((name) => `trick.var_get_stl_size(${quote(name)})\n`);
    // In binary a name that stands for no container has the size 0.
    const text = [formCommand('ascii'), ...questions, formCommand('binary')].join('');
    for (const reply of await send(text, { mayFail: true }))
      if (reply.kind === 'line' && reply.indicator === MessageIndicator.stlSize) answers.push(reply.text);
  }
  if (answers.length !== names.length) return names.map(() => undefined);
  return answers.map((text) => (/^\d+$/.test(text) ? Number(text) : undefined));
}

/**
 * Each is found anew, copied at once and given up: a list would go on reading memory that a container has left, and for the
 * elements of std::vector<bool> Trick has one place.
 */
export function elements(send: Send, names: readonly string[]): Promise<(TrickValue | undefined)[]> {
  return listed(send, names, (commands) => commands.map((command) => `${command}${SEND}`));
}

/** As a viewer of Trick's reads: a list that is cleared again. Trick does not clear what var_send_once makes. */
export function once(send: Send, names: readonly string[]): Promise<(TrickValue | undefined)[]> {
  return listed(send, names, (commands) => [...commands, SEND]);
}

const SEND = 'trick.var_send()\ntrick.var_clear()\n';
/** A block of commands that may fail is sent whole, and Trick reads no more than 32 KB at once. */
const NAMES_AT_ONCE = 200;

async function listed(
  send: Send,
  names: readonly string[],
  toSend: (commands: readonly string[]) => string[],
): Promise<(TrickValue | undefined)[]> {
  if (names.length === 0) return [];
  const commands = names.map((name) => `trick.var_add(${quote(name)})\n`);
  const text = [formCommand('binary'), ...toSend(commands)].join('');
  const decoded = decodedByName(await send(text), MessageIndicator.list);
  return names.map((name) => decoded.get(name)?.value);
}
