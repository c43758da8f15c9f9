// Names of variables on a command line: patterns, structures, and units behind a name.
import type { TrickClient } from '../trick/index.js';
import { nearest } from './nearest.js';
import { UsageError } from './usage.js';

export interface AskedName {
  readonly name: string;
  readonly units: string;
}

/** Stands for the units that a variable has. */
export const OWN_UNITS = 'xx';

/** Parses `ball.x` or `ball.x{ft}`; a name without units gets `units`. */
export function askedName(word: string, units = OWN_UNITS): AskedName {
  const [, name, own] = /^([^{}]+)(?:\{([^{}]+)\})?$/.exec(word) ?? [];
  if (name === undefined) throw new UsageError(`expected a name such as ball.x or ball.x{ft}, not ${word}`);
  return { name, units: own ?? units };
}

/** The units of names that do not have their own, by name. Throws a UsageError for a name in two: there is one of each. */
export function unitsByName(names: readonly AskedName[]): Readonly<Record<string, string>> {
  const known = new Map<string, string>();
  for (const { name, units } of names) {
    const before = known.get(name) ?? units;
    if (before !== units) throw new UsageError(`${name} is asked for in two units; ask for one of them at a time`);
    known.set(name, units);
  }
  return Object.fromEntries([...known].filter(([, units]) => units !== OWN_UNITS));
}

/** Whether a name stands for several: `*` for anything but a dot, `?` for one character. */
export const isPattern = (name: string): boolean => /[*?]/.test(name);

export function patternOf(name: string): RegExp {
  const parts = name.split(/([*?])/).map((part) => {
    if (part === '*') return '[^.]*';
    return part === '?' ? '[^.]' : part.replace(/[.[\]()+^$|\\{}]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`);
}

/** Whether a word stands for a variable: by its name, a pattern, or a structure or an array that it is in. */
export const isMeantBy = (word: string, name: string): boolean =>
  isPattern(word)
    ? patternOf(word).test(name)
    : name === word || name.startsWith(`${word}.`) || name.startsWith(`${word}[`);

/** What a server tells about its names. */
export interface Names {
  /** The names that have a value now, and the structures that are shown whole. */
  readable(names: readonly string[]): Promise<ReadonlySet<string>>;
  /** All variables that a pattern or structure may stand for. */
  all(): Promise<readonly string[]>;
}

export const namesOfTrick = (client: TrickClient): Names => ({
  readable: (names) => client.readable(names),
  all: () => variablesOf(client),
});

/** Every variable that the words stand for: patterns give what matches, structures what is below them. */
export async function expandNames(names: Names, asked: readonly AskedName[]): Promise<AskedName[]> {
  const readable = await names.readable(asked.filter(({ name }) => !isPattern(name)).map(({ name }) => name));
  if (asked.every(({ name }) => readable.has(name.trim()))) return [...asked];
  const known = await names.all();
  return asked.flatMap((one) => {
    const { name, units } = one;
    if (readable.has(name.trim())) return [one];
    const found = known.filter((each) => isMeantBy(name, each)).map((each) => ({ name: each, units }));
    if (isPattern(name) && found.length === 0) throw new Error(`no variable has a name like ${name}`);
    // A name that stands for nothing is kept: the request for its value reports it.
    return found.length > 0 ? found : [one];
  });
}

async function variablesOf(client: TrickClient): Promise<string[]> {
  const names = await describedNames(client);
  const readable = await client.readable(names);
  return names.filter((name) => readable.has(name));
}

async function describedNames(client: TrickClient): Promise<string[]> {
  const xml = await client.sieResource();
  const { isContainer, listVariables, parseSieResource } = await import('../trick/index.js');
  const listed = xml === undefined ? [] : [...listVariables(parseSieResource(xml))];
  return listed.filter((variable) => !isContainer(variable)).map(({ name }) => name);
}

/** Throws what an action throws; for names that do not exist, adds the nearest names. */
export async function suggesting<T>(client: TrickClient, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    const { BadReferenceError } = await import('../trick/index.js');
    if (!(error instanceof BadReferenceError)) throw error;
    const [name = ''] = error.names;
    const depth = name.split('.').length;
    const known = (await describedNames(client)).flatMap((one) => [one, one.split('.').slice(0, depth).join('.')]);
    const near = nearest(name, known);
    throw near.length === 0 ? error : new Error(`${error.message}; did you mean ${near.join(' or ')}?`);
  }
}
