// The methods that stream, whose names contain +watch: each begins a watch.
import { z } from 'zod';
import { errorObject, invalidParams, resourceError, unknownComponent } from './brp-error.js';
import { spelled } from './built-in.js';
import { lookUp } from './cells.js';
import type { Watch } from './entity-watch.js';
import { type BrpCall, checkedParams, type Operation, operation } from './operation.js';
import { findObject } from './read-methods.js';
import { entity, nothing, typePath, typePaths } from './schemas.js';
import { ComponentWatch, ListWatch, MESSAGE_EVENT, MessageWatch } from './watch.js';
import type { WatchOutput } from './watch-output.js';

/** A method that begins a watch. */
interface WatchOperation<Params extends z.ZodObject = z.ZodObject> extends Omit<Operation<Params>, 'run'> {
  /** Rejects with an RpcError or an OverBoundError. */
  begin(call: BrpCall, params: z.output<Params>, output: WatchOutput): Promise<Watch>;
  run(): never;
}

const watching = <Params extends z.ZodObject>(defined: Omit<WatchOperation<Params>, 'run'>): WatchOperation =>
  ({
    ...defined,
    run: () => {
      throw invalidParams('a watch is a stream');
    },
  }) as unknown as WatchOperation;

const initial = z.boolean().default(false).describe('Whether the first event has everything, changed or not');

const getWatch = watching({
  about: 'Components of an entity whenever they have changed, come or gone: at most one event a frame.',
  params: z.object({ entity, components: typePaths, strict: z.boolean().default(false), initial }),
  result: z.object({ components: z.record(z.string(), z.unknown()), removed: z.array(z.string()) }),
  begin: (call, { entity: given, components, strict, initial: isInitial }, output) =>
    lookUp(call, (world) => {
      const object = findObject(world, given, call.generation);
      const names = [...new Set(components)].map((asked) => ({ asked, path: world.resolve(asked) }));
      const unknown = names.filter(({ path }) => path === undefined).map(({ asked }) => asked);
      if (strict && unknown[0] !== undefined) throw unknownComponent(unknown[0]);
      const errors = Object.fromEntries(unknown.map((asked) => [asked, errorObject(unknownComponent(asked))]));
      const known = names.flatMap(({ asked, path }) => (path === undefined ? [] : [{ asked, path }]));
      const wishes = { names: known, errors: strict ? undefined : errors, isInitial };
      return new ComponentWatch(call, object, wishes, output).start();
    }),
});

const listWatch = watching({
  about:
    'Which components an entity gets and loses; without an entity, which types there are: the first event has them all.',
  params: z.object({ entity: entity.nullish(), initial }),
  result: z.object({ added: z.array(z.string()), removed: z.array(z.string()) }),
  begin: (call, { entity: given, initial: isInitial }, output) =>
    lookUp(call, (world) => {
      const isAll = given === undefined || given === null;
      const object = isAll ? undefined : findObject(world, given, call.generation);
      const spell = (path: string): string => spelled(path, call.generation);
      return new ListWatch(call, object, spell, isInitial || isAll, output).start();
    }),
});

const observe = watching({
  about: `Events as they happen. There is one: ${MESSAGE_EVENT}, a message of the simulation.`,
  params: z.object({ event: typePath, entity: entity.nullish() }),
  result: z.array(z.object({ level: z.string(), text: z.string(), time_seconds: z.number() })),
  begin: async (call, { event }, output) => {
    if (event !== MESSAGE_EVENT) throw resourceError(`Unknown event type: \`${event.slice(0, 200)}\``);
    return new MessageWatch(call, output).start();
  },
});

export const WATCHES: readonly (readonly [name: string, operation: WatchOperation])[] = [
  ['bevy/get+watch', getWatch],
  ['world.get_components+watch', getWatch],
  ['bevy/list+watch', listWatch],
  ['world.list_components+watch', listWatch],
  ['world.observe+watch', observe],
];

const byName = new Map(WATCHES);

export const findWatch = (name: string): WatchOperation | undefined => byName.get(name);

/** Begins a watch. Rejects with an RpcError or an OverBoundError. */
export const beginWatch = (
  watch: WatchOperation,
  call: BrpCall,
  params: unknown,
  output: WatchOutput,
): Promise<Watch> => watch.begin(call, checkedParams(call, watch, params), output);

export const unwatch = operation({
  about: 'Over a WebSocket: ends the watch that was asked for with an id.',
  params: z.object({ watch: z.unknown().describe('The id of the request that began the watch') }),
  result: nothing,
  run: ({ endWatch }, { watch }) => {
    if (!endWatch) throw invalidParams('over HTTP a watch ends when its stream is closed');
    if (!endWatch(watch)) throw invalidParams('this WebSocket has no watch with that id');
    return null;
  },
});
