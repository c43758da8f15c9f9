// Containers (std::vector and its kin): Trick reads their elements, but not the whole.
import type { Channel } from './channel.js';
import { ValueTooLargeError } from './errors.js';
import { MessageIndicator } from './message-indicator.js';
import { quote } from './python-literal.js';
import { type Form, formCommand } from './questions.js';
import type { Measured, TrickValue } from './value.js';

/** A value of more elements is asked for element by element. */
const MOST_ELEMENTS = 10_000;

/**
 * How many elements each container has; names that stand for no container have no entry. Rejects with a
 * ValueTooLargeError for a container of more than 10,000 elements. Trick: var_get_stl_size
 */
export async function askSizes(
  channel: Channel,
  names: readonly string[],
  resting: Form,
): Promise<ReadonlyMap<string, number>> {
  const commands = names.map((name) => `trick.var_get_stl_size(${quote(name)})\n`);
  const replies = await channel.ask(formCommand('ascii') + commands.join('') + formCommand(resting));
  const sizes = replies.flatMap((reply) =>
    reply.kind === 'line' && reply.indicator === MessageIndicator.stlSize ? [reply.text] : [],
  );
  const counted = new Map<string, number>();
  for (const [index, name] of names.entries()) {
    const size = sizes[index] ?? '';
    if (/^\d+$/.test(size)) counted.set(name, Number(size));
  }
  const tooLarge = [...counted].filter(([, size]) => size > MOST_ELEMENTS).map(([name]) => name);
  if (tooLarge.length > 0) throw new ValueTooLargeError(tooLarge);
  return counted;
}

/**
 * Names in which each container is replaced by its elements; `joined` makes the values of the given names from theirs.
 */
export function elementwise(
  names: readonly string[],
  sizes: ReadonlyMap<string, number>,
): { readonly names: readonly string[]; readonly joined: (values: readonly Measured[]) => Measured[] } {
  const elements = (name: string, size: number) => Array.from({ length: size }, (_, index) => `${name}[${index}]`);
  const joined = (values: readonly Measured[]): Measured[] => {
    let next = 0;
    return names.map((name) => {
      const size = sizes.get(name);
      if (size === undefined) return values[next++] as Measured;
      const own = values.slice(next, next + size);
      next += size;
      return { value: own.flatMap(({ value }) => value) as TrickValue, units: own[0]?.units };
    });
  };
  return { names: names.flatMap((name) => (sizes.has(name) ? elements(name, sizes.get(name) ?? 0) : [name])), joined };
}
