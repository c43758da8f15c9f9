// Which variables are arrays of one element: a reply shows those like single values.
import type { Channel } from './channel.js';
import { askSizes } from './containers.js';
import { MessageIndicator } from './message-indicator.js';
import type { Message } from './message-splitter.js';
import { quote } from './python-literal.js';
import type { Form } from './questions.js';
import type { Measured, TrickValue } from './value.js';

/** A single number or truth value, which may be all that an array has. */
const isSingle = (value: TrickValue | undefined): value is number | bigint | boolean =>
  value !== undefined && typeof value !== 'object' && typeof value !== 'string';

/** What is indexed in a name, from the outside: `a.b` and `a.b[1].c` of `a.b[1].c[2]`. */
const indexedIn = (name: string): string[] => [...name.matchAll(/\[/g)].map(({ index }) => name.slice(0, index));

export class Shapes {
  private readonly arrays = new Map<string, boolean>();
  private readonly containers = new Map<string, boolean>();

  /**
   * Asks for the first elements of the variables that it does not know yet: only an array has one. An element of a
   * container is none, and asking for one of its own ends a Trick simulation.
   */
  async learn(channel: Channel, names: readonly string[], resting: Form): Promise<void> {
    const unknown = [...new Set(names)].filter((name) => !this.arrays.has(name));
    const outside = await this.outsideContainers(channel, unknown, resting);
    for (const name of unknown) if (!outside.includes(name)) this.arrays.set(name, false);
    if (outside.length === 0) return;
    const commands = outside.map((name) => `trick.var_exists(${quote(`${name}[0]`)})\n`);
    const answers = (await channel.ask(commands.join(''))).flatMap(existsOf);
    if (answers.length !== outside.length) return;
    for (const [index, name] of outside.entries()) this.arrays.set(name, answers[index] as boolean);
  }

  /** The names that lead through no container. What is inside one is not asked about. */
  private async outsideContainers(channel: Channel, names: readonly string[], resting: Form): Promise<string[]> {
    const { containers } = this;
    const isInside = (name: string): boolean => indexedIn(name).some((indexed) => containers.get(indexed));
    for (;;) {
      const next = names
        .filter((name) => !isInside(name))
        .flatMap((name) => indexedIn(name).find((indexed) => !containers.has(indexed)) ?? []);
      if (next.length === 0) return names.filter((name) => !isInside(name));
      const asked = [...new Set(next)];
      const sizes = await askSizes(channel, asked, resting);
      for (const indexed of asked) containers.set(indexed, sizes.has(indexed));
    }
  }

  /** Values in the shapes of their variables: a single value of an array becomes a list. */
  async of(
    channel: Channel,
    names: readonly string[],
    values: readonly Measured[],
    resting: Form,
  ): Promise<Measured[]> {
    const singles = names.filter((_, index) => isSingle(values[index]?.value));
    await this.learn(channel, singles, resting);
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
