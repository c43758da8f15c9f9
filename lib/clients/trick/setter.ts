// Sets variables of a server: one, or many at once in a few questions.
import type { Decoded } from './binary-decoder.js';
import { type Channel, intoBlocks } from './channel.js';
import { askSizes } from './containers.js';
import { BadReferenceError } from './errors.js';
import { decodedByName } from './list-assembler.js';
import { MessageIndicator } from './message-indicator.js';
import type { Message } from './message-splitter.js';
import { askBinary, binaryQuestion, type Form } from './questions.js';
import type { Reading } from './reading.js';
import { type SetCommand, setCommand } from './set-command.js';
import { reasonIn, setVariable } from './set-variable.js';
import { isTaken } from './taken.js';
import { TRICK_NONE } from './trick-type.js';
import type { SettableValue, TrickValue } from './value.js';

export interface SetterParts {
  readonly reading: Reading;
  readonly channel: () => Promise<Channel>;
  /** The form in which the session is left between questions. */
  readonly resting: () => Form;
  readonly exists: (name: string) => Promise<boolean>;
  /** Has the server send what it prints. */
  readonly hear: (channel: Channel) => Promise<void>;
  /** Whether a subscription uses the session's list, in which alone values have units. */
  readonly isListTaken: () => boolean;
}

/** A variable and its value. */
export interface OneOfMany {
  readonly name: string;
  readonly value: SettableValue;
}

export class Setter {
  constructor(private readonly parts: SetterParts) {}

  /** As `TrickClient.set`. */
  async one(name: string, value: SettableValue, units?: string): Promise<string> {
    const { parts } = this;
    const channel = await parts.channel();
    const current = await parts.reading.decoded(name);
    const isUnreadable = current === undefined || current.type.code === TRICK_NONE;
    if (isUnreadable && !(await parts.exists(name))) throw new BadReferenceError([name]);
    await parts.hear(channel);
    return setVariable(
      {
        name,
        units,
        current: isUnreadable ? undefined : current,
        ask: (text, options) => channel.ask(text, options),
        read: () => this.readAgain(name, units),
        isContainer: async () => (await askSizes(channel, [name], parts.resting())).has(name),
        dimensions: async () => (await parts.reading.extentsOf([name])).get(name) ?? [],
      },
      value,
    );
  }

  /**
   * Sets each of these variables, of which each is there once. Resolves to why one was not set, in their order; undefined
   * for those that were.
   */
  async many(settings: readonly OneOfMany[]): Promise<readonly (Error | undefined)[]> {
    const { channel: current, hear, resting } = this.parts;
    const channel = await current();
    const names = settings.map(({ name }) => name);
    await hear(channel);
    const before = await askBinary(channel, names, resting());
    const commands = settings.map((one) => commandOf(one, before));
    const textOf = (mayFail: boolean): string =>
      commands.flatMap((command) => (command?.mayFail === mayFail ? [command.text] : [])).join('');
    const replies: Message[] = [];
    // What follows one that fails in its block is seen to be not set.
    for (const block of intoBlocks(textOf(true))) replies.push(...(await channel.ask(block, { mayFail: true })));
    replies.push(...(await channel.ask(textOf(false) + binaryQuestion(names, resting()))));
    const after = decodedByName(replies, MessageIndicator.sendOnce);
    const printed = replies.map((reply) => (reply.kind === 'stdio' ? reply.text : '')).join('');
    const errors: (Error | undefined)[] = [];
    for (const [index, { name, value }] of settings.entries()) {
      const seen = { before: before.get(name)?.value, after: after.get(name)?.value, isConverted: false };
      const isSet = commands[index] && !reasonIn(printed, name) && isTaken(value, seen, before.get(name)?.type);
      errors.push(isSet ? undefined : await this.one(name, value).then(() => undefined, asError));
    }
    return errors;
  }

  /** The value in units; undefined when it cannot be read. */
  private async readAgain(name: string, units: string | undefined): Promise<TrickValue | undefined> {
    const { reading, isListTaken } = this.parts;
    if (units === undefined) return (await reading.decoded(name))?.value;
    if (isListTaken()) return undefined;
    return (await reading.values([name], units))[0]?.value;
  }
}

const asError = (error: unknown): Error => error as Error;

/** Undefined for what has to be set by itself, or does not fit. */
function commandOf({ name, value }: OneOfMany, before: ReadonlyMap<string, Decoded>): SetCommand | undefined {
  const current = before.get(name);
  if (current?.value === undefined) return undefined;
  try {
    return setCommand(name, value, undefined, current);
  } catch {
    return undefined;
  }
}
