// Values that are read by their elements: containers (std::vector and its kin), and arrays too large for a message.
import type { Channel } from './channel.js';
import { ValueTooLargeError } from './errors.js';
import { MessageIndicator } from './message-indicator.js';
import { quote } from './python-literal.js';
import { type Form, formCommand } from './questions.js';

/** A value of more elements is not read by them. */
const MOST_ELEMENTS = 10_000;

/** The extents of what is read by its elements, by name. */
export type Extents = ReadonlyMap<string, readonly number[]>;

/** How many elements each container has; names that stand for no container have no entry. Trick: var_get_stl_size */
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
  return counted;
}

/** Throws a ValueTooLargeError for what has too many elements to be read one by one. */
export function requireFewElements(extents: Extents): void {
  const tooLarge = [...extents].filter(([, own]) => !isFew(own)).map(([name]) => name);
  if (tooLarge.length > 0) throw new ValueTooLargeError(tooLarge);
}

export const elementsIn = (extents: readonly number[]): number =>
  extents.reduce((product, extent) => product * extent, 1);

/** Whether so many elements are read one by one. */
export const isFew = (extents: readonly number[]): boolean => elementsIn(extents) <= MOST_ELEMENTS;

/** `a[0][0]`, `a[0][1]` ..., row by row. */
const elementsOf = (name: string, [extent, ...inner]: readonly number[]): string[] =>
  extent === undefined
    ? [name]
    : Array.from({ length: extent }, (_, index) => elementsOf(`${name}[${index}]`, inner)).flat();

/** Entries in which each of what is read by its elements is replaced by them. */
export interface Elementwise<E, V> {
  readonly entries: readonly E[];
  /** The same, those of each given entry apart. */
  readonly elements: readonly (readonly E[])[];
  /** The values of the given entries, made of those of their elements. */
  readonly joined: (values: readonly V[]) => V[];
}

/** @param join makes the value of one entry of its elements' values. */
export function elementwise<E extends { readonly name: string }, V>(
  given: readonly E[],
  extents: Extents,
  join: (values: readonly V[]) => V,
): Elementwise<E, V> {
  const elements = given.map((entry) => {
    const own = extents.get(entry.name);
    return own ? elementsOf(entry.name, own).map((name) => ({ ...entry, name })) : [entry];
  });
  const joined = (values: readonly V[]): V[] => {
    let next = 0;
    return given.map(({ name }, index) => {
      const start = next;
      next += elements[index]?.length ?? 0;
      return extents.has(name) ? join(values.slice(start, next)) : (values[start] as V);
    });
  };
  return { entries: elements.flat(), elements, joined };
}
