// Names of variables on a command line: patterns, structures, and units behind a name.
import { isContainer, listVariables, parseSieResource, type TrickClient } from '../client/index.js';
import { UsageError } from './usage.js';

export interface AskedName {
  readonly name: string;
  readonly units: string;
}

const OWN_UNITS = 'xx';

/** `ball.x` or `ball.x{ft}`; `units` for a name without. */
export function askedName(word: string, units = OWN_UNITS): AskedName {
  const [, name, own] = /^([^{}]+)(?:\{([^{}]+)\})?$/.exec(word) ?? [];
  if (name === undefined) throw new UsageError(`expected a name such as ball.x or ball.x{ft}, not ${word}`);
  return { name, units: own ?? units };
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

/** Every variable that the words stand for: patterns give what matches, structures what is below them. */
export async function expandNames(client: TrickClient, asked: readonly AskedName[]): Promise<AskedName[]> {
  const readable = await client.readable(asked.filter(({ name }) => !isPattern(name)).map(({ name }) => name));
  if (asked.every(({ name }) => readable.has(name.trim()))) return [...asked];
  const known = await variablesOf(client);
  return asked.flatMap((one) => {
    const { name, units } = one;
    if (readable.has(name.trim())) return [one];
    const pattern = patternOf(name);
    const isMeant = (candidate: string) =>
      isPattern(name) ? pattern.test(candidate) : candidate.startsWith(`${name}.`) || candidate.startsWith(`${name}[`);
    const found = known.filter(isMeant).map((candidate) => ({ name: candidate, units }));
    if (isPattern(name) && found.length === 0) throw new Error(`no variable has a name like ${name}`);
    // A name that stands for nothing is reported by the question for its value.
    return found.length > 0 ? found : [one];
  });
}

async function variablesOf(client: TrickClient): Promise<string[]> {
  const xml = await client.sieResource();
  const listed = xml === undefined ? [] : [...listVariables(parseSieResource(xml))];
  const names = listed.filter((variable) => !isContainer(variable)).map(({ name }) => name);
  const readable = await client.readable(names);
  return names.filter((name) => readable.has(name));
}
