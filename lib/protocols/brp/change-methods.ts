// Changing: spawn, despawn, insert, remove, reparent and mutate. Each is seen by all protocols in the next frame.
import { z } from 'zod';
import type { SimObject } from '../../model/state/catalog.js';
import type { Variable } from '../../model/state/variable.js';
import { requireFewBytes } from '../../serving/session/written-bytes.js';
import type { Request, Write } from '../../source/source.js';
import type { JsonValue } from '../json-rpc/json-value.js';
import { componentError, componentNotPresent, invalidValue, selfReparent } from './brp-error.js';
import { CHILD_OF, CHILDREN, isBuiltIn, NAME } from './built-in.js';
import { lookUp } from './cells.js';
import { type Component, variableOf } from './component.js';
import { entityOf, readEntity } from './entity.js';
import { knownPath, planned, prepare, requireRoom, spawnPlanned, type Values } from './new-components.js';
import { type BrpCall, operation } from './operation.js';
import { findObject } from './read-methods.js';
import { parseReflectPath, suffixOf } from './reflect-path.js';
import {
  anyValue,
  entities,
  entity,
  entityNumber,
  nothing,
  reflectPath,
  typePath,
  typePaths,
  valuesByPath,
} from './schemas.js';
import { namesOf, type World } from './world.js';

export const spawn = operation({
  about:
    'Makes an entity with components, and answers when a frame shows it. Name names the object, ChildOf its parent.',
  params: z.object({ components: valuesByPath }),
  result: z.object({ entity: entityNumber }),
  isChange: true,
  run: async (call, { components }) => {
    const plan = await lookUp(call, (world) => planned(call, world, components as Values));
    const object = await spawnPlanned(call, plan);
    giveName(call, object, plan.name ?? object.name);
    return { entity: entityOf(object.number, call.generation) };
  },
});

function giveName({ source, session }: BrpCall, object: Pick<SimObject, 'number' | 'name'>, name: string): void {
  if (session.client !== 'operator') namesOf(source).give(object, name, session.client);
}

export const despawn = operation({
  about: 'Removes an entity and all below it.',
  params: z.object({ entity }),
  result: nothing,
  isChange: true,
  run: async (call, params) => {
    const { name } = await lookUp(call, (world) => findObject(world, params.entity, call.generation));
    return submitAll(call, [{ kind: 'despawn', object: name, isRecursive: true }]);
  },
});

export const insert = operation({
  about: 'Adds components to an entity; one that is there gets the new value.',
  params: z.object({ entity, components: valuesByPath }),
  result: nothing,
  isChange: true,
  run: async (call, { entity: given, components }) => {
    const { object, plan, requests } = await lookUp(call, (world) =>
      planInsert(call, world, given, components as Values),
    );
    const frame = await submitted(call, requests);
    if (plan.name !== undefined) giveName(call, object, plan.name);
    call.followers.written(object.number, plan.written, frame);
    return null;
  },
});

function planInsert(call: BrpCall, world: World, given: unknown, components: Values) {
  // Types are checked before the entity, as Bevy does.
  for (const asked of Object.keys(components)) knownPath(world, asked);
  const object = findObject(world, given, call.generation);
  const plan = planned(call, world, components, object);
  const { writes, added, parent, name } = plan;
  if (name !== undefined) requireRoom(call, name, object.name);
  const requests: Request[] = [];
  if (writes.length > 0) requests.push({ kind: 'write', writes });
  if (parent !== undefined) requests.push({ kind: 'reparent', object: object.name, parent });
  if (added.length > 0) requests.push({ kind: 'insert', object: object.name, components: added });
  return { object, plan, requests };
}

export const remove = operation({
  about: 'Removes components from an entity; those that it does not have are ignored.',
  params: z.object({ entity, components: typePaths }),
  result: nothing,
  isChange: true,
  run: async (call, { entity: given, components }) =>
    submitAll(call, await lookUp(call, (world) => planRemove(call, world, given, components))),
});

function planRemove(call: BrpCall, world: World, given: unknown, components: readonly string[]): Request[] {
  const paths = new Set(components.map((asked) => knownPath(world, asked)));
  const object = findObject(world, given, call.generation);
  if (paths.has(NAME)) throw invalidValue(NAME, 'an object has a name');
  const requests: Request[] = [];
  if (paths.has(CHILD_OF)) requests.push({ kind: 'reparent', object: object.name, parent: null });
  if (paths.has(CHILDREN)) {
    for (const { name } of world.children(object)) requests.push({ kind: 'reparent', object: name, parent: null });
  }
  const parts = world.componentsOf(object);
  const aliases = [...paths].flatMap((path) => parts.get(path)?.member.name ?? []);
  if (aliases.length > 0) requests.push({ kind: 'remove', object: object.name, aliases });
  return requests;
}

export const reparent = operation({
  about: 'Puts entities below another one, in order; without parent they are put at the top.',
  params: z.object({ entities, parent: entity.nullish() }),
  result: nothing,
  isChange: true,
  run: async (call, { entities: given, parent }) => {
    const above = await lookUp(call, (world) =>
      parent === undefined || parent === null ? null : findObject(world, parent, call.generation),
    );
    // Carried out one after another: when one is refused, those before it have been moved.
    for (const one of given) {
      const { name } = await lookUp(call, (world) => findObject(world, one, call.generation));
      if (name === above?.name) throw selfReparent(readEntity(one, call.generation)?.text ?? '');
      await call.session.submit({ kind: 'reparent', object: name, parent: above?.name ?? null });
    }
    return null;
  },
});

export const mutate = operation({
  about: 'Sets a part of a component, named by a path inside it.',
  params: z.object({ entity, component: typePath, path: reflectPath, value: anyValue }),
  result: nothing,
  isChange: true,
  run: async (call, { entity: given, component: asked, path, value }) => {
    const found = await lookUp(call, (world) => {
      const type = knownPath(world, asked);
      const object = findObject(world, given, call.generation);
      if (isBuiltIn(type)) throw componentError(`${asked} is not mutated: reparent moves an entity, insert names it`);
      const component = world.componentsOf(object).get(type);
      const { text } = readEntity(given, call.generation) as { readonly text: string };
      if (!component) throw componentNotPresent(asked, text);
      return { component, write: planMutation(call, variableOf(component), path, value as JsonValue) };
    });
    return submitWrite(call, found);
  },
});

/** The write that sets a part of a component. Throws an RpcError. */
export function planMutation(call: BrpCall, whole: Variable, path: string, value: JsonValue): Write {
  const place = whole.path + suffixOf(whole.type, parseReflectPath(path));
  const variable = call.source.catalog.find(place);
  if (!variable) throw componentError(call.source.catalog.explain(place));
  return prepare(call, place, variable, value);
}

/** Writes a component, which its watches tell whatever the value. */
export async function submitWrite(
  call: BrpCall,
  { component: { object, path }, write }: { readonly component: Component; readonly write: Write },
): Promise<null> {
  const frame = await submitted(call, [{ kind: 'write', writes: [write] }]);
  call.followers.written(object.number, [path], frame);
  return null;
}

/** Sends requests in order, and answers when all are done. Rejects with what refused the first. */
export async function submitAll(call: BrpCall, requests: readonly Request[]): Promise<null> {
  await submitted(call, requests);
  return null;
}

/** As `submitAll`, for the number of the frame that shows the first. */
async function submitted({ session, source }: BrpCall, requests: readonly Request[]): Promise<number> {
  for (const request of requests) if (request.kind === 'write') requireFewBytes(source.catalog, request.writes);
  const frames: number[] = [];
  for (const request of requests) frames.push((await session.submit(request)).frame);
  return frames[0] ?? source.frame.header.number;
}
