// Which objects a query matches, and its rows.
import { z } from 'zod';
import type { SimObject } from '../../model/state/catalog.js';
import { eachInTurns, RANGE } from '../../serving/scheduling/ranges.js';
import type { AnswerText } from '../json-rpc/answer-text.js';
import { unusedComponent } from './brp-error.js';
import { spelled } from './built-in.js';
import type { Cell, Cells } from './cells.js';
import { entityOf } from './entity.js';
import type { Dialect } from './generation.js';
import { typePaths } from './schemas.js';
import type { World } from './world.js';

export const queryData = z.object({
  components: typePaths.default([]).describe('Needed, and shown'),
  option: z
    .union([typePaths, z.literal('all')], { error: 'expected type paths, or "all"' })
    .default([])
    .describe('Shown where they are there'),
  has: typePaths.default([]).describe('Whether they are there'),
});
export const queryFilter = z.object({ with: typePaths.default([]), without: typePaths.default([]) });

export interface QueryParams {
  readonly data: z.output<typeof queryData>;
  readonly filter: z.output<typeof queryFilter>;
}

/** A name as the client wrote it, and the type path that it means. */
interface Named {
  readonly asked: string;
  readonly path: string;
}

export interface Query {
  readonly components: readonly Named[];
  readonly option: readonly Named[] | 'all';
  /** For the answer `has`; the path is undefined for a type that the world does not have. */
  readonly has: readonly { readonly asked: string; readonly path: string | undefined }[];
  readonly with: readonly string[];
  readonly without: readonly string[];
}

/** How unknown names are taken: each generation has its own rules. */
export type Strictness = 'lenient' | 'strict' | 'all names must be known';

/**
 * The query in a world; undefined when it names a type that the world does not have, so that nothing can match. Throws
 * an RpcError.
 */
export function readQuery(world: World, { data, filter }: QueryParams, strictness: Strictness): Query | undefined {
  const find = (asked: string): Named[] => {
    const path = world.resolve(asked);
    if (path !== undefined) return [{ asked, path }];
    if (strictness === 'all names must be known') throw unusedComponent(asked);
    return [];
  };
  const known = (names: readonly string[]): Named[] => names.flatMap(find);
  const needed = (names: readonly string[]): Named[] | undefined => {
    const found = known(names);
    if (found.length === names.length) return found;
    const missing = names.find((name) => world.resolve(name) === undefined) as string;
    if (strictness === 'strict') throw unusedComponent(missing);
    return undefined;
  };
  const [components, withNames] = [needed(data.components), needed(filter.with)];
  const query = {
    option: data.option === 'all' ? ('all' as const) : known(data.option),
    has: data.has.map((asked) => ({ asked, path: find(asked)[0]?.path })),
    without: known(filter.without).map(({ path }) => path),
  };
  return components && withNames && { ...query, components, with: withNames.map(({ path }) => path) };
}

/** Calls `act` for each object that a query matches, in turns of its client. */
export function eachMatch(
  turn: () => Promise<void>,
  world: World,
  query: Query,
  act: (object: SimObject) => void,
): Promise<void> {
  const needed = [...query.components.map(({ path }) => path), ...query.with];
  return eachInTurns(turn, candidates(world, needed), (object) => {
    const has = (path: string): boolean => world.has(object, path);
    if (needed.every(has) && !query.without.some(has)) act(object);
  });
}

/** The shortest list that holds all objects which have the components; without one, all objects one by one. */
function candidates(world: World, needed: readonly string[]): Iterable<SimObject> {
  let shortest: readonly SimObject[] | undefined;
  for (const path of needed) {
    const owners = world.ownersOf(path);
    if (owners && !(shortest && shortest.length <= owners.length)) shortest = owners;
  }
  return shortest ?? world.catalog.eachObject();
}

export interface Row {
  readonly object: SimObject;
  readonly cells: readonly (readonly [asked: string, cell: Cell])[];
  readonly has: readonly (readonly [asked: string, isThere: boolean])[];
}

export function rowOf(world: World, query: Query, object: SimObject, cells: Cells, generation: Dialect): Row {
  const optional = query.option === 'all' ? allOf(world, object, generation) : query.option;
  const shown = [...query.components, ...optional].flatMap(({ asked, path }) => {
    const cell = cells.add(world, object, path);
    return cell ? [[asked, cell] as const] : [];
  });
  const has = query.has.map(({ asked, path }) => [asked, path !== undefined && world.has(object, path)] as const);
  return { object, cells: shown, has };
}

const allOf = (world: World, object: SimObject, generation: Dialect): Named[] =>
  world.pathsOf(object).map((path) => ({ asked: spelled(path, generation), path }));

/** Adds rows with commas between. */
export async function addRows(
  text: AnswerText,
  rows: readonly Row[],
  cells: Cells,
  generation: Dialect,
): Promise<void> {
  for (const [index, row] of rows.entries()) {
    if (index % RANGE === 0) await cells.turn();
    if (index > 0) text.add(',');
    await addRow(text, row, cells, generation);
  }
}

async function addRow(
  text: AnswerText,
  { object, cells: shown, has }: Row,
  cells: Cells,
  generation: Dialect,
): Promise<void> {
  text.add(`{"entity":${JSON.stringify(entityOf(object.number, generation))},"components":`);
  await addCells(text, shown, cells);
  if (has.length > 0) text.add(`,"has":${JSON.stringify(Object.fromEntries(has))}`);
  text.add('}');
}

/** Adds values by the names that were asked for; a name that was asked for twice stands once. */
export async function addCells(
  text: AnswerText,
  shown: readonly (readonly [asked: string, cell: Cell])[],
  cells: Cells,
): Promise<void> {
  text.add('{');
  let count = 0;
  for (const [asked, cell] of new Map(shown)) {
    if (count > 0 && count % RANGE === 0) await cells.turn();
    text.add(`${count++ > 0 ? ',' : ''}${JSON.stringify(asked)}:`);
    const later = cells.addText(text, cell);
    if (later) await later;
  }
  text.add('}');
}
