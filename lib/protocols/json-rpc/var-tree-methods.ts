// var/search and var/children: variables for people who look for them, by words and level by level.

import { z } from 'zod';
import { type Catalog, LONGEST_PATH } from '../../model/state/catalog.js';
import {
  LONGEST_SEARCH,
  RANKS,
  type SearchMatch,
  type SearchResult,
  type SearchRoot,
  type SearchWish,
  searchVariables,
} from '../../model/state/search.js';
import { isCharacters, NULL_OFFSET } from '../../model/state/type.js';
import { childrenOf, locate, type Variable } from '../../model/state/variable.js';
import { shownPart } from '../../serving/session/read.js';
import { catalogOf, findBeside } from '../../serving/session/reference.js';
import type { Source } from '../../source/source.js';
import type { CallContext } from './call-context.js';
import { defineMethod, type Method } from './method.js';
import { FILTERED_AT_ONCE, leavingOut, without } from './path-filter.js';
import { whenShown } from './reading.js';
import { alias } from './schemas.js';
import { treeRow, treeRowOf } from './variable-description.js';

/** The most rows of one answer. */
const MOST_ROWS = 1000;
const DEFAULT_ROWS = 200;
const DEFAULT_MATCHES = 50;

const POSITION = {
  alias: 'ball.position',
  name: 'position',
  kind: 'number',
  type_path: 'double',
  unit: 'm',
  dim: [2],
  about: 'centre of the ball',
  access: 'read-write',
  has_children: true,
} as const;

const treePage = z.object({
  path: z.string(),
  total: z.int().describe('How many there are, with a filter how many fit it'),
  offset: z.int(),
  children: z.array(treeRow),
  catalog_version: z.int().describe('Goes up when variables come or go'),
});

const children = defineMethod({
  name: 'var/children',
  about:
    'One level of the tree of variables, in pages: all objects for an empty path, the members of a structure, the elements of an array; of a sequence or pointer those that it holds now.',
  params: z.strictObject({
    path: z.string().max(LONGEST_PATH).default('').describe('Of an object, a structure or an array'),
    offset: z.int().min(0).default(0).describe('How many are left out before the first one'),
    count: z.int().min(1).max(MOST_ROWS).default(DEFAULT_ROWS).describe('At most this many'),
    filter: z.string().max(LONGEST_SEARCH).optional().describe('Only those whose name has this text, in any case'),
    without,
  }),
  result: treePage,
  examples: [
    {
      name: 'the first member of the ball',
      params: { path: 'ball', count: 1 },
      result: { path: 'ball', total: 2, offset: 0, children: [POSITION], catalog_version: 4 },
    },
  ],
  run: async (context: CallContext, params) => {
    const { source } = context;
    const parent = params.path === '' ? undefined : findBeside(source, params.path);
    if (parent && hasCount(parent)) await shown(context, parent);
    return page(context, parent, params);
  },
});

interface PageParams {
  readonly offset: number;
  readonly count: number;
  readonly filter?: string | undefined;
  readonly without?: string | string[] | undefined;
}

async function page(
  { source, turn }: CallContext,
  parent: Variable | undefined,
  params: PageParams,
): Promise<z.input<typeof treePage>> {
  await turn();
  const { catalog, frame } = source;
  const { offset, count, filter = '' } = params;
  const isLeftOut = leavingOut(params.without);
  const wanted = filter.toLowerCase();
  const rows: z.input<typeof treeRow>[] = [];
  let [looked, total] = [0, 0];
  for (const child of parent ? named(catalog, parent, countIn(parent, frame.memory)) : topsOf(source)) {
    if (++looked % FILTERED_AT_ONCE === 0) await turn();
    if (wanted !== '' && !child.name.toLowerCase().includes(wanted)) continue;
    if (isLeftOut(child.path)) continue;
    if (total >= offset && rows.length < count) {
      const variable = child.variable();
      if (variable) rows.push(treeRowOf(variable, child.name));
    }
    total++;
  }
  return { path: parent?.path ?? '', total, offset, children: rows, catalog_version: catalog.version };
}

/** A child whose variable is made only if it is asked for. */
interface Child {
  readonly name: string;
  readonly path: string;
  variable(): Variable | undefined;
}

function* topsOf(source: Source): Generator<Child> {
  for (const variable of allTops(source)) yield { name: variable.path, path: variable.path, variable: () => variable };
}

/** Also of the recordings beside a simulation. */
function* allTops({ catalog, references }: Source): Generator<Variable> {
  yield* catalog.tops();
  if (references) yield* references.catalog.tops();
}

function* named(catalog: Catalog, parent: Variable, count: number): Generator<Child> {
  const { path, type } = parent;
  for (let index = 0; index < count; index++) {
    const name = type.kind === 'struct' ? (type.members[index]?.name as string) : `[${index}]`;
    const childPath = type.kind === 'struct' ? `${path}.${name}` : path + name;
    const variable = (): Variable | undefined =>
      hasCount(parent) ? catalog.find(childPath) : childrenOf(parent, index).next().value;
    yield { name, path: childPath, variable };
  }
}

/** Whether only a frame tells how many children a variable has. */
const hasCount = ({ type }: Variable): boolean => type.kind === 'sequence' || type.kind === 'pointer';

function countIn(parent: Variable, memory: Parameters<typeof locate>[1]): number {
  const { type } = parent;
  if (type.kind === 'struct') return type.members.length;
  if (type.kind === 'array') return isCharacters(type) ? 0 : type.length;
  if (!hasCount(parent)) return 0;
  const at = locate(parent, memory);
  if (at < 0) return 0;
  if (type.kind === 'sequence') return memory.view.getUint32(at, true);
  return memory.view.getUint32(at, true) === NULL_OFFSET ? 0 : memory.view.getUint32(at + 4, true);
}

/** Waits until the latest frame tells how many elements a variable has. */
const shown = (context: CallContext, variable: Variable): Promise<true> =>
  whenShown(context, [shownPart(variable, 'head')]);

const foundRow = treeRow.extend({ rank: z.enum(RANKS).describe('How it fits') });

const search = defineMethod({
  name: 'var/search',
  about:
    "Finds variables by words: every word must occur in the path, the description, the units or a structure's or enumeration's name, in any case; w[3-7] is five elements. Best first: exact names, beginnings of words, parts of words, descriptions; when nothing fits, names that are spelled alike.",
  params: z.strictObject({
    text: z
      .string()
      .min(1)
      .max(LONGEST_SEARCH, { error: `expected at most ${LONGEST_SEARCH} characters` })
      .describe('Words with blanks between: vehicle pos'),
    limit: z.int().min(1).max(MOST_ROWS).default(DEFAULT_MATCHES).describe('At most this many'),
    under: alias.optional().describe('Only what lies below this path'),
    without,
    kind: z
      .enum(['any', 'value'])
      .default('any')
      .describe('value: only variables with values of their own, no structures'),
  }),
  result: z.object({
    matches: z.array(foundRow),
    is_complete: z.boolean().describe('False when the search has stopped because it looked at too many'),
  }),
  examples: [
    {
      name: 'a word',
      params: { text: 'posit' },
      result: { matches: [{ ...POSITION, rank: 'prefix' }], is_complete: true },
    },
  ],
  async run({ source, turn }: CallContext, params) {
    const under = params.under === undefined ? undefined : findBeside(source, params.under);
    const roots = () => (under ? [{ path: under.path, member: under }] : rootsOf(source));
    const { texts, isAll } = withoutRanges(params.text.trim());
    const rows: z.input<typeof foundRow>[] = [];
    let isComplete = isAll;
    for (const [text, indices] of groupedByWords(texts)) {
      const wish = {
        text,
        limit: params.limit,
        hasStructures: params.kind === 'any',
        isLeftOut: leavingOut(params.without),
      };
      const { matches, isComplete: isAllOfOne } = await found(roots, wish, turn);
      isComplete &&= isAllOfOne;
      rows.push(...matches.flatMap((match) => indices.flatMap((each) => rowOf(source, match, each))));
      if (rows.length >= params.limit) break;
    }
    return { matches: rows.slice(0, params.limit), is_complete: isComplete };
  },
});

/** What is found, with a turn after every few names. */
async function found(
  roots: () => Iterable<SearchRoot>,
  wish: SearchWish,
  turn: () => Promise<void>,
): Promise<SearchResult> {
  let looked = 0;
  const searching = searchVariables(roots, wish, () => ++looked % FILTERED_AT_ONCE === 0);
  for (;;) {
    const step = searching.next();
    if (step.done) return step.value;
    await turn();
  }
}

/** Texts that one text with ranges of indices stands for. */
const MOST_TEXTS = 64;

/** `w[3-5]` is w[3], w[4] and w[5]; `w[3`, as it is typed, is w[3] and w[30] to w[39]. */
function withoutRanges(written: string): { texts: readonly string[]; isAll: boolean } {
  const text = written.replace(/(\[\d+-\d+)$/, '$1]');
  const [, begun, typed] = /^(.*)\[(\d*)-?$/s.exec(text) ?? [];
  if (typed === '') return withoutRanges(begun as string);
  const closed = typed === undefined ? [text] : ['', ...'0123456789'].map((digit) => `${begun}[${typed}${digit}]`);
  let [texts, isAll] = [closed, true];
  for (const [range, first, last] of text.matchAll(/\[(\d{1,9})-(\d{1,9})\]/g)) {
    const [from, count] = [Number(first), Math.max(Number(last) - Number(first) + 1, 0)];
    const room = Math.max(Math.floor(MOST_TEXTS / Math.max(texts.length, 1)), 1);
    isAll &&= count <= room;
    const indices = Array.from({ length: Math.min(count, room) }, (_, k) => `[${from + k}]`);
    texts = texts.flatMap((each) => indices.map((index) => each.replace(range, index)));
  }
  return { texts, isAll };
}

/** The indices at the end of texts, by the words before them: they name elements of the variable that fits the words. */
function groupedByWords(texts: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const text of texts) {
    const [, words = text, indices = ''] = /^(.*?)((?:\[\d+\])*)$/s.exec(text) ?? [];
    groups.set(words, [...(groups.get(words) ?? []), indices]);
  }
  return groups;
}

function* rootsOf(source: Source): Generator<SearchRoot> {
  for (const variable of allTops(source)) yield { path: variable.path, member: variable };
}

/** A row of the answer, if there is such an element. */
function rowOf(source: Source, { path, rank }: SearchMatch, indices: string) {
  const variable = catalogOf(source, path).find(path + indices);
  return variable ? [{ ...treeRowOf(variable), rank }] : [];
}

export const varTreeMethods: readonly Method<CallContext>[] = [children, search];
