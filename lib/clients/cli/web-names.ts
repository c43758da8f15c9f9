// The names of a server of the web.
import type { Labels } from '../trick/index.js';
import type { JsonClient } from './json-client.js';
import type { Names } from './names.js';

/** A variable as `var/list` shows it. */
export interface WebVariable {
  readonly alias: string;
  readonly type_path: string;
  readonly unit: string;
  readonly dim: readonly number[];
}

/** All variables that a request to `var/list`, such as one with a prefix, answers. */
export async function listWeb(client: JsonClient, wish: object): Promise<WebVariable[]> {
  const listed: WebVariable[] = [];
  for (let after: string | undefined; ; after = listed.at(-1)?.alias) {
    const page = (await client.call('var/list', { ...wish, ...(after && { after }) })) as WebVariable[];
    listed.push(...page);
    if (page.length === 0) return listed;
  }
}

export type LabelsByName = ReadonlyMap<string, Labels>;

/** What `var/describe` says of a variable. */
export interface WebFacts {
  readonly unit?: string;
  readonly labels?: Readonly<Record<string, number>>;
}

export const factsOfWeb = (client: JsonClient, names: readonly string[]): Promise<WebFacts[]> =>
  Promise.all(names.map((alias) => client.call('var/describe', { alias }) as Promise<WebFacts>));

/** The labels of an enumeration by number. */
export const labelsIn = (facts: WebFacts | undefined): Labels | undefined =>
  facts?.labels && new Map(Object.entries(facts.labels).map(([label, number]) => [number, label]));

/** The units of values, where they have any. */
export const unitText = (unit: string | undefined): string | undefined => (unit === '1' ? undefined : unit);

/** A structure is listed by its members; JSON would show it as a whole. */
export const namesOfWeb = (client: JsonClient): Names => ({
  readable: async (names) => {
    const described = await Promise.all(names.map((alias) => client.call('var/describe', { alias })));
    return new Set(names.filter((_, index) => (described[index] as { kind?: string }).kind !== 'struct'));
  },
  all: async () => (await listWeb(client, {})).map(({ alias }) => alias),
});
