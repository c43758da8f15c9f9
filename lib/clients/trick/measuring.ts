// Questions of many names that cannot fail: which variables there are, how many elements containers have, and what they are.
import { ProtocolError } from './errors.js';
import { decodedByName } from './list-assembler.js';
import { MessageIndicator } from './message-indicator.js';
import type { Message } from './message-splitter.js';
import { quote } from './python-literal.js';
import { formCommand } from './questions.js';
import { existsOf } from './shapes.js';
import type { TrickValue } from './value.js';

/** Sends commands to a paused session that answers in binary, and resolves to the answers. */
type Send = (text: string) => Promise<readonly Message[]>;

/** In characters: Trick reads no more at once. */
const LONGEST_BLOCK = 30_000;

/** Trick: var_exists */
export async function existing(send: Send, names: readonly string[]): Promise<boolean[]> {
  const replies = await inBlocks(
    send,
    names.map((name) => `trick.var_exists(${quote(name)})\n`),
  );
  return inNumber(replies.flatMap(existsOf), names.length);
}

/** Undefined for what is no container. Trick: var_get_stl_size */
export async function sizes(send: Send, names: readonly string[]): Promise<(number | undefined)[]> {
  const commands = names.map((name) => `trick.var_get_stl_size(${quote(name)})\n`);
  // In binary a name that stands for no container has the size 0.
  const inText: Send = (text) => send(formCommand('ascii') + text + formCommand('binary'));
  const answers = (await inBlocks(inText, commands)).flatMap((reply) =>
    reply.kind === 'line' && reply.indicator === MessageIndicator.stlSize ? [reply.text] : [],
  );
  return inNumber(answers, names.length).map((text) => (/^\d+$/.test(text) ? Number(text) : undefined));
}

/**
 * Each is found anew, copied at once and given up: a list would go on reading memory that a container has left, and for the
 * elements of std::vector<bool> Trick has one place.
 */
export async function elements(send: Send, names: readonly string[]): Promise<(TrickValue | undefined)[]> {
  const commands = names.map((name) => `trick.var_add(${quote(name)})\ntrick.var_send()\ntrick.var_clear()\n`);
  const decoded = decodedByName(await inBlocks(send, commands), MessageIndicator.list);
  return names.map((name) => decoded.get(name)?.value);
}

/** As a viewer of Trick's reads: a list that is cleared again, of one moment where it fits in a block. */
export async function once(send: Send, names: readonly string[]): Promise<(TrickValue | undefined)[]> {
  const commands = names.map((name) => `trick.var_add(${quote(name)})\n`);
  const inList: Send = (text) => send(`${text}trick.var_send()\ntrick.var_clear()\n`);
  const decoded = decodedByName(await inBlocks(inList, commands), MessageIndicator.list);
  return names.map((name) => decoded.get(name)?.value);
}

async function inBlocks(send: Send, commands: readonly string[]): Promise<Message[]> {
  const blocks: string[] = [];
  for (const command of commands) {
    const last = blocks.at(-1);
    if (last === undefined || last.length + command.length > LONGEST_BLOCK) blocks.push(command);
    else blocks[blocks.length - 1] = last + command;
  }
  const replies: Message[] = [];
  for (const block of blocks) replies.push(...(await send(block)));
  return replies;
}

function inNumber<T>(answers: T[], count: number): T[] {
  if (answers.length !== count) throw new ProtocolError(`expected ${count} answers, not ${answers.length}`);
  return answers;
}
