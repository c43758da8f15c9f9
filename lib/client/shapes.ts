// Which variables are arrays of one element: a reply shows those like single values.
import type { Channel } from './channel.js';
import { MessageIndicator } from './message-indicator.js';
import type { Message } from './message-splitter.js';
import { quote } from './python-literal.js';
import type { Measured, TrickValue } from './value.js';

/** A single number or truth value, which may be all that an array has. */
const isSingle = (value: TrickValue | undefined): value is number | bigint | boolean =>
  value !== undefined && typeof value !== 'object' && typeof value !== 'string';

export class Shapes {
  private readonly arrays = new Map<string, boolean>();

  /** Asks for the first elements of the variables that it does not know yet: only an array has one. */
  async learn(channel: Channel, names: readonly string[]): Promise<void> {
    const unknown = [...new Set(names)].filter((name) => !this.arrays.has(name));
    if (unknown.length === 0) return;
    const commands = unknown.map((name) => `trick.var_exists(${quote(`${name}[0]`)})\n`);
    const answers = (await channel.ask(commands.join(''))).flatMap(existsOf);
    if (answers.length !== unknown.length) return;
    for (const [index, name] of unknown.entries()) this.arrays.set(name, answers[index] as boolean);
  }

  /** Values in the shapes of their variables: a single value of an array becomes a list. */
  async of(channel: Channel, names: readonly string[], values: readonly Measured[]): Promise<Measured[]> {
    await this.learn(
      channel,
      names.filter((_, index) => isSingle(values[index]?.value)),
    );
    return values.map((measured, index) => {
      const value = this.shaped(names[index] as string, measured.value) as TrickValue;
      return value === measured.value ? measured : { ...measured, value };
    });
  }

  /** A single value as a list where the variable is an array. */
  shaped(name: string, value: TrickValue | undefined): TrickValue | undefined {
    return isSingle(value) && this.arrays.get(name) ? ([value] as readonly number[]) : value;
  }
}

/** The answer to var_exists; none for other messages. */
export function existsOf(reply: Message): boolean[] {
  if (reply.indicator !== MessageIndicator.exists) return [];
  if (reply.kind === 'line') return [reply.text === '1'];
  return reply.kind === 'binary' ? [reply.bytes[4] === 1] : [];
}
