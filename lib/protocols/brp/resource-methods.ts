// Resources: components of which the world has exactly one.
import { z } from 'zod';
import type { Request } from '../../source/source.js';
import type { AnswerText } from '../json-rpc/answer-text.js';
import type { JsonValue } from '../json-rpc/json-value.js';
import { RpcError } from '../json-rpc/rpc-error.js';
import { BrpCode, resourceError, resourceNotPresent, unknownResource } from './brp-error.js';
import { isBuiltIn } from './built-in.js';
import { boundedText, type Cells, lookUp, readWorld } from './cells.js';
import { planMutation, submitAll, submitWrite } from './change-methods.js';
import { type Component, variableOf } from './component.js';
import { newComponent, prepare, snakeOf } from './new-components.js';
import { operation } from './operation.js';
import { anyValue, nothing, reflectPath, typePath } from './schemas.js';
import type { World } from './world.js';

const resource = typePath;

/** Throws an RpcError. */
function pathOf(world: World, asked: string): string {
  const path = world.resolve(asked);
  if (path === undefined || isBuiltIn(path)) throw unknownResource(asked);
  return path;
}

/** The one component of a type; undefined when there is none. Throws an RpcError. */
function findResource(world: World, asked: string): Component | undefined {
  const path = pathOf(world, asked);
  const owners = world.ownersOf(path) ?? [];
  if (owners.length > 1) throw resourceError(`\`${asked}\` is no resource: ${owners.length} entities have it`);
  return owners[0] && world.componentsOf(owners[0]).get(path);
}

function needResource(world: World, asked: string): Component {
  const component = findResource(world, asked);
  if (!component) throw resourceNotPresent(asked);
  return component;
}

export const getResource = operation({
  about: 'The value of a resource: of a component that only one entity has.',
  params: z.object({ resource }),
  result: z.object({ value: z.unknown() }),
  run: (call, { resource: asked }) => readWorld(call, (world, cells) => resourceText(world, cells, asked)),
});

async function resourceText(world: World, cells: Cells, asked: string): Promise<AnswerText | undefined> {
  const { object, path } = needResource(world, asked);
  cells.clear();
  const cell = cells.add(world, object, path);
  if (!cell || !(await cells.take(world))) return undefined;
  const text = boundedText();
  text.add('{"value":');
  await cells.addText(text, cell);
  text.add('}');
  return text;
}

/** Errors of a value or a path have the code of resources here. */
function asResource<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    const isComponents = error instanceof RpcError && error.code === BrpCode.componentError;
    throw isComponents ? resourceError(error.message) : error;
  }
}

export const insertResource = operation({
  about: 'Sets a resource; one of a registered type is made when there is none.',
  params: z.object({ resource, value: anyValue }),
  result: nothing,
  isChange: true,
  run: async (call, { resource: asked, value }) => {
    const { component, write, request } = await lookUp(call, (world) => {
      const component = findResource(world, asked);
      if (!component) return { request: planResource(world, asked, value as JsonValue) };
      return { component, write: asResource(() => prepare(call, asked, variableOf(component), value as JsonValue)) };
    });
    return request ? submitAll(call, [request]) : submitWrite(call, { component, write });
  },
});

function planResource(world: World, asked: string, value: JsonValue): Request {
  const path = pathOf(world, asked);
  const object = snakeOf(path);
  const added = asResource(() => newComponent(world, asked, path, value, new Set()));
  const isThere = world.catalog.object(object) !== undefined;
  return { kind: isThere ? 'insert' : 'spawn', object, components: [added] };
}

export const removeResource = operation({
  about: 'Removes a resource from its entity.',
  params: z.object({ resource }),
  result: nothing,
  isChange: true,
  run: async (call, { resource: asked }) => {
    const { object, member } = await lookUp(call, (world) => needResource(world, asked));
    return submitAll(call, [{ kind: 'remove', object: object.name, aliases: [member.name] }]);
  },
});

export const mutateResource = operation({
  about: 'Sets a part of a resource, named by a path inside it.',
  params: z.object({ resource, path: reflectPath, value: anyValue }),
  result: nothing,
  isChange: true,
  run: async (call, { resource: asked, path, value }) => {
    const found = await lookUp(call, (world) => {
      const component = needResource(world, asked);
      const plan = () => planMutation(call, variableOf(component), path, value as JsonValue);
      return { component, write: asResource(plan) };
    });
    return submitWrite(call, found);
  },
});

export const listResources = operation({
  about: 'The type paths of all resources, sorted.',
  params: z.object({}),
  ignoresParams: true,
  result: z.array(z.string()),
  run: (call) => lookUp(call, (world) => world.paths.filter((path) => world.ownersOf(path)?.length === 1)),
});
