// The methods of the protocol under all their names, and what answers a call.
import { z } from 'zod';
import { AssignmentError } from '../../model/state/assign.js';
import { MisfitError } from '../../model/state/misfit.js';
import { refuseChanges, translateError } from '../json-rpc/call-context.js';
import { Dispatcher } from '../json-rpc/dispatcher.js';
import type { Envelope } from '../json-rpc/envelope.js';
import type { Method } from '../json-rpc/method.js';
import type { RpcError } from '../json-rpc/rpc-error.js';
import { componentError, invalidRequest, methodNotFound } from './brp-error.js';
import * as change from './change-methods.js';
import { agentTools, discovery } from './discovery.js';
import { BrpEnvelope } from './envelope.js';
import { functionMethod, triggerEvent, writeMessage } from './function-methods.js';
import type { Generation } from './generation.js';
import { type BrpContext, methodOf, type Operation, operation } from './operation.js';
import { poll } from './poll.js';
import * as read from './read-methods.js';
import { schema } from './registry-methods.js';
import * as resource from './resource-methods.js';
import { scheduleGraph, scheduleList } from './schedule-methods.js';
import { unwatch } from './watch-methods.js';

export const ping = operation({
  about: 'Answers at once.',
  params: z.object({}),
  result: z.object({ status: z.string() }),
  run: () => ({ status: 'OK' }),
});

/** An operation and its names: those of 0.15 and 0.16, those since 0.17, and those of documents before them. */
const NAMES: readonly (readonly [Operation, ...string[]])[] = [
  [read.get, 'bevy/get', 'world.get_components'],
  [read.getStrict, 'world.get'],
  [read.query, 'bevy/query', 'world.query'],
  [change.spawn, 'bevy/spawn', 'world.spawn_entity'],
  [change.despawn, 'bevy/destroy', 'world.despawn_entity'],
  [change.insert, 'bevy/insert', 'world.insert_components'],
  [change.remove, 'bevy/remove', 'world.remove_components'],
  [change.reparent, 'bevy/reparent', 'world.reparent_entities'],
  [read.list, 'bevy/list', 'world.list_components', 'world.list'],
  [change.mutate, 'bevy/mutate_component', 'world.mutate_components'],
  [resource.getResource, 'bevy/get_resource', 'world.get_resources'],
  [resource.insertResource, 'bevy/insert_resource', 'world.insert_resources'],
  [resource.removeResource, 'bevy/remove_resource', 'world.remove_resources'],
  [resource.mutateResource, 'bevy/mutate_resource', 'world.mutate_resources'],
  [resource.listResources, 'bevy/list_resources', 'world.list_resources'],
  [schema, 'bevy/registry/schema', 'registry.schema'],
  [scheduleList, 'schedule.list'],
  [scheduleGraph, 'schedule.graph'],
  [triggerEvent, 'world.trigger_event'],
  [writeMessage, 'world.write_message'],
  [poll, 'brp.poll', 'bevy/poll', 'world.poll'],
  [ping, 'brp.ping'],
  [unwatch, 'brp.unwatch'],
  [agentTools, 'brp_extras/agent_tools'],
];

const named = NAMES.flatMap(([operation, ...names]) => names.map((name) => methodOf(name, operation)));

export type BrpDispatcher = Dispatcher<BrpContext>;

export interface Reports {
  readonly onFault: (error: unknown, method: string) => void;
  readonly onError: (code: number) => void;
}

/** @param other the method for a name that is not among these. Throws an RpcError. */
export const dispatcherOf = (
  methods: readonly Method<BrpContext>[],
  envelope: Envelope,
  reports: Reports,
  other: (context: BrpContext, name: string) => Method<BrpContext>,
): BrpDispatcher =>
  new Dispatcher(
    methods,
    { ...reports, callerOf: (context) => context, guard: refuseChanges, other, translate: translated },
    envelope,
  );

interface Wishes extends Reports {
  readonly version: string;
  /** Where the server can be reached, for rpc.discover. */
  readonly address: () => string;
  readonly preferred: Generation;
}

export function brpDispatcher({ version, address, preferred, onFault, onError }: Wishes): BrpDispatcher {
  const all = [...named, discovery(named, version, address)];
  return dispatcherOf(all, new BrpEnvelope(preferred), { onFault, onError }, otherMethod);
}

/** A call of a method that is not in the table: a function of the simulation, or nothing. */
function otherMethod(context: BrpContext, name: string): Method<BrpContext> {
  if (name.includes('+watch')) throw invalidRequest('Streaming can not be used in batch requests');
  const found = functionMethod(context, name);
  if (!found) throw methodNotFound(name);
  return found;
}

/** A value or a path that is refused is an error of its component here. */
export function translated(error: unknown): RpcError | undefined {
  if (error instanceof AssignmentError || error instanceof MisfitError) return componentError(error.message);
  return translateError(error);
}
