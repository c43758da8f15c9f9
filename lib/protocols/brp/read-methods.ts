// Reading: components of an entity, queries, and lists of components.
import { z } from 'zod';
import type { SimObject } from '../../model/state/catalog.js';
import type { AnswerText } from '../json-rpc/answer-text.js';
import { componentNotPresent, entityNotFound, errorObject, invalidParams, unknownComponent } from './brp-error.js';
import { spelled } from './built-in.js';
import { boundedText, type Cell, type Cells, lookUp, readWorld } from './cells.js';
import { readEntity } from './entity.js';
import { type Dialect, isBefore } from './generation.js';
import { type BrpCall, operation } from './operation.js';
import {
  addCells,
  addRows,
  eachMatch,
  queryData,
  queryFilter,
  type Row,
  readQuery,
  rowOf,
  type Strictness,
} from './query.js';
import { entity, entityNumber, typePaths } from './schemas.js';
import type { World } from './world.js';

/** The object that a client has named. Throws an RpcError. */
export function findObject(world: World, given: unknown, generation: Dialect): SimObject {
  const named = readEntity(given, generation);
  if (!named) throw invalidParams(`invalid value: ${JSON.stringify(given)}, expected an entity`);
  const object = world.object(named.objectNumber);
  if (!object) throw entityNotFound(named.text);
  return object;
}

const getParams = z.object({
  entity,
  components: typePaths,
  strict: z.boolean().default(false).describe('Answer with the first error instead of listing errors'),
});

export const get = operation({
  about: 'Values of components of an entity, all of one frame.',
  params: getParams,
  result: z.object({ components: z.record(z.string(), z.unknown()), errors: z.record(z.string(), z.unknown()) }),
  run: (call, params) => getComponents(call, params),
});

/** The name of an unreleased document: strict, and without the wrapper. */
export const getStrict = operation({
  about: 'Values of components of an entity by type path; any that cannot be shown is an error.',
  params: getParams.omit({ strict: true }),
  result: z.record(z.string(), z.unknown()),
  run: (call, params) => getComponents(call, { ...params, strict: true }),
});

const getComponents = (call: BrpCall, params: z.output<typeof getParams>): Promise<AnswerText> =>
  readWorld(call, (world, cells) => componentsText(call, world, cells, params));

async function componentsText(
  { generation }: BrpCall,
  world: World,
  cells: Cells,
  { entity: given, components, strict }: z.output<typeof getParams>,
): Promise<AnswerText | undefined> {
  const object = findObject(world, given, generation);
  const { text: named } = readEntity(given, generation) as { readonly text: string };
  const shown: (readonly [string, Cell])[] = [];
  const errors: (readonly [string, object])[] = [];
  cells.clear();
  for (const asked of new Set(components)) {
    const path = world.resolve(asked);
    const cell = path === undefined ? undefined : cells.add(world, object, path);
    const error = path === undefined ? unknownComponent(asked) : componentNotPresent(asked, named);
    if (cell) shown.push([asked, cell]);
    else if (strict) throw error;
    else errors.push([asked, errorObject(error)]);
  }
  if (!(await cells.take(world))) return undefined;
  const text = boundedText();
  if (!strict) text.add('{"components":');
  await addCells(text, shown, cells);
  if (!strict) text.add(`,"errors":${JSON.stringify(Object.fromEntries(errors))}}`);
  return text;
}

const queryParams = z.object({
  data: queryData,
  filter: queryFilter.nullish().transform((filter) => filter ?? { with: [], without: [] }),
  strict: z.boolean().default(false).describe('Refuse names that the world does not have'),
});

/** All entities, which is what a call without params asks for since 0.17. */
const EVERYTHING = { data: { components: [], option: [], has: [] }, filter: { with: [], without: [] }, strict: false };

export const query = operation({
  about: 'The entities that have some components, with their values, all of one frame.',
  params: queryParams,
  result: z.array(
    z.object({
      entity: entityNumber,
      components: z.record(z.string(), z.unknown()),
      has: z.record(z.string(), z.boolean()).optional(),
    }),
  ),
  whenAbsent: ({ generation }) => {
    if (isBefore(generation, '0.17')) throw invalidParams('Params not provided');
    return EVERYTHING;
  },
  run: (call, params) => readWorld(call, (world, cells) => queryText(call, world, cells, params)),
});

async function queryText(
  { generation, turn }: BrpCall,
  world: World,
  cells: Cells,
  params: z.output<typeof queryParams>,
): Promise<AnswerText | undefined> {
  const wanted = readQuery(world, params, strictnessOf(params.strict, generation));
  const rows: Row[] = [];
  cells.clear();
  if (wanted)
    await eachMatch(turn, world, wanted, (object) => {
      rows.push(rowOf(world, wanted, object, cells, generation));
    });
  if (!(await cells.take(world))) return undefined;
  const text = boundedText();
  text.add('[');
  await addRows(text, rows, cells, generation);
  text.add(']');
  return text;
}

function strictnessOf(isStrict: boolean, generation: Dialect): Strictness {
  if (generation === '0.15' || generation === 'proposal') return 'all names must be known';
  return isStrict ? 'strict' : 'lenient';
}

export const list = operation({
  about: 'The type paths of all components, or of those of an entity, sorted.',
  params: z.object({ entity: entity.nullish() }),
  result: z.array(z.string()),
  run: (call, { entity: given }) =>
    lookUp(call, (world) => {
      const isAll = given === undefined || given === null;
      const paths = isAll ? world.paths : world.pathsOf(findObject(world, given, call.generation));
      return paths.map((path) => spelled(path, call.generation)).sort();
    }),
});
