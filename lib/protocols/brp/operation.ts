// What a method of the protocol does, and how its parameters are checked: refusals read as Bevy's do.
import type { z } from 'zod';
import type { Clock } from '../../serving/scheduling/clock.js';
import type { SessionRegistry } from '../../serving/session/registry.js';
import type { Session } from '../../serving/session/session.js';
import type { Source } from '../../source/source.js';
import type { Caller } from '../json-rpc/caller.js';
import type { Method, MethodExample } from '../json-rpc/method.js';
import { invalidParams, kindOf } from './brp-error.js';
import { type Dialect, type Generation, generationOf } from './generation.js';
import type { ComponentFollowers } from './kept-component.js';

/** What the methods of the protocol can use. */
export interface BrpContext extends Caller {
  readonly source: Source;
  readonly session: Session;
  readonly registry: SessionRegistry;
  readonly clock: Clock;
  readonly followers: ComponentFollowers;
  /** False for a client whose token allows reading only. */
  readonly mayChange: boolean;
  /** The generation that an ambiguous answer follows. */
  readonly preferred: Generation;
  /** Over a WebSocket: ends the watch that was asked for with an id; false when there is none. */
  readonly endWatch?: (id: unknown) => boolean;
}

/** One call of a method. */
export interface BrpCall extends BrpContext {
  /** The method's name as the client wrote it. */
  readonly name: string;
  readonly generation: Dialect;
}

export interface Operation<Params extends z.ZodObject = z.ZodObject> {
  /** One or two sentences for rpc.discover. */
  readonly about: string;
  readonly params: Params;
  readonly result: z.ZodType;
  readonly examples?: readonly MethodExample[];
  /** The parameters of a call without params. Throws an RpcError. Default: refused when a parameter is required. */
  readonly whenAbsent?: (call: Pick<BrpCall, 'generation'>) => z.output<Params>;
  /** Whether it accepts any params, as Bevy does for methods that need none. */
  readonly ignoresParams?: boolean;
  /** Whether it changes the simulation. */
  readonly isChange?: boolean;
  /** Throws, or rejects with, an RpcError. */
  run(call: BrpCall, params: z.output<Params>): unknown;
}

/** Infers the parameters from their schema. */
export const operation = <Params extends z.ZodObject>(defined: Operation<Params>): Operation =>
  defined as unknown as Operation;

/** An operation under one of its names. */
export function methodOf(name: string, defined: Operation): Method<BrpContext> {
  const { about, params, result, examples = [], isChange = false } = defined;
  return {
    name,
    about,
    params,
    result,
    examples,
    isChange,
    async call(context, given) {
      const call = { ...context, name, generation: generationOf(name, context.preferred) };
      return { result: await begun(call, defined, checkedParams(call, defined, given)) };
    },
  };
}

/** Resolves when the changes that a client has asked for have been answered. */
const changing = new WeakMap<Session, Promise<void>>();

/**
 * Begins a call. A method that reads waits for the changes that the same client has asked for before, over any
 * connection.
 */
function begun(call: BrpCall, defined: Operation, params: unknown): Promise<unknown> {
  const { session } = call;
  const before = changing.get(session);
  const run = async () => defined.run(call, params as never);
  if (!defined.isChange) return before ? before.then(run) : run();
  const outcome = run();
  const answered = (): void => {
    if (changing.get(session) === over) changing.delete(session);
  };
  const over: Promise<void> = Promise.allSettled([before, outcome]).then(answered);
  changing.set(session, over);
  return outcome;
}

/** Throws an RpcError in the words of Bevy's deserializer. */
export function checkedParams<Params extends z.ZodObject>(
  call: Pick<BrpCall, 'generation'>,
  { params: schema, whenAbsent, ignoresParams }: Operation<Params>,
  params: unknown,
): z.output<Params> {
  const given = ignoresParams ? undefined : params;
  if (given === undefined || given === null) {
    if (whenAbsent) return whenAbsent(call);
    const empty = schema.safeParse({});
    if (!empty.success) throw invalidParams('Params not provided');
    return empty.data;
  }
  if (typeof given !== 'object' || Array.isArray(given)) {
    throw invalidParams(`invalid type: ${kindOf(given)}, expected a struct of parameters`);
  }
  const checked = schema.safeParse(given);
  if (checked.success) return checked.data;
  throw invalidParams(sentenceOf(checked.error.issues[0] as z.core.$ZodIssue, given));
}

function sentenceOf(issue: z.core.$ZodIssue, params: object): string {
  let found: unknown = params;
  for (const [depth, step] of issue.path.entries()) {
    const isThere = typeof found === 'object' && found !== null && Object.hasOwn(found, step);
    if (!isThere && depth === issue.path.length - 1) return `missing field \`${String(step)}\``;
    found = isThere ? (found as Record<PropertyKey, unknown>)[step] : undefined;
  }
  const where = issue.path.map(String).join('.').slice(0, 100);
  if (issue.code !== 'invalid_type') return `${where ? `${where}: ` : ''}${issue.message}`;
  return `invalid type: ${kindOf(found)}, expected ${issue.expected}${where ? ` in \`${where}\`` : ''}`;
}
