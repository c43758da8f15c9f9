// var/subscribe and the other methods for subscriptions.
import { z } from 'zod';
import { haveDeadBands, MOST_COMPARED } from '../../serving/session/change-gate.js';
import type { Reference } from '../../serving/session/reference.js';
import type { Subscription } from '../../serving/session/subscription.js';
import { valuesShownIn } from '../../serving/session/value-count.js';
import { BINARY_FORMATS, binaryLayout } from './binary-layout.js';
import { type CallContext, settledFrame } from './call-context.js';
import { defineMethod, type Method } from './method.js';
import { readOnce } from './reading.js';
import { createFound, type FoundReferences } from './requested-units.js';
import { quoted, RpcCode, RpcError } from './rpc-error.js';
import { alias, aliases, byAlias, cycleMillis, lenient, missing, nothing, subscriptionId, units } from './schemas.js';
import { Streamed } from './streamed.js';

const DEFAULT_CYCLE_MILLIS = 100;

const layoutRow = z.object({
  alias,
  format: z.enum(BINARY_FORMATS),
  count: z.int().describe('Values side by side; arrays are flattened, the last index running fastest'),
  offset: z.int().describe('Bytes from the start of the message'),
});

/** The stream that var/subscribe begins: the messages of a subscription. */
export interface ValueStream {
  readonly subscription: Subscription;
  readonly format: 'json' | 'binary';
}

const subscribe = defineMethod({
  name: 'var/subscribe',
  about:
    'Sends values on a cycle of simulation time, the latest frame right away. Over HTTP they stream at GET sse_url, or, with `Accept: text/event-stream` on the request, in its answer; over a WebSocket they come as notifications `var`.',
  params: z.strictObject({
    aliases,
    cycle_ms: cycleMillis
      .optional()
      .describe(
        `Milliseconds of simulation time between messages, rounded up to whole ticks; 0 is every tick. When left out, what the server has as its default, which is ${DEFAULT_CYCLE_MILLIS} if its options do not say otherwise`,
      ),
    units,
    on: z
      .enum(['cycle', 'change'])
      .default('cycle')
      .describe('change: on the cycle, but only when a value has changed'),
    dead_band: z
      .union([z.number().min(0), byAlias(z.number().min(0))], {
        error: 'expected a number from 0 up, or an object of alias to number',
      })
      .optional()
      .describe(
        'With on change: how far a number may move unnoticed, for all aliases or by alias, in the units asked for',
      ),
    changes_only: z
      .boolean()
      .optional()
      .describe('With on change: each message after the first has only the values that have changed'),
    format: z.enum(['json', 'binary']).default('json').describe('binary: packed values, over a WebSocket only'),
    lenient,
    paused: z.boolean().default(false).describe('true: sends nothing before var/pause lets it go on'),
    history: z.boolean().default(false).describe('true: the server keeps the past of these values for var/history'),
  }),
  result: z.object({
    subscription_id: subscriptionId,
    effective_cycle_ms: z.number(),
    sse_url: z.string().optional().describe('Over HTTP: where the values stream'),
    missing,
    layout: z.array(layoutRow).optional().describe('With format binary: where each value lies in a message'),
  }),
  examples: [
    {
      name: '33 ms of a 100 Hz simulation',
      params: { aliases: ['ball.position', 'ball.velocity'], cycle_ms: 33 },
      result: { subscription_id: 'subscription-1', effective_cycle_ms: 40, sse_url: '/sse?sub=subscription-1' },
    },
  ],
  run: async (context: CallContext, params) => {
    requireFit(params, context.channel);
    requireAsked(params);
    // The first message must show the changes that this client has asked for.
    await settledFrame(context);
    const found = await createFound(context.source, params, context.turn);
    const { references, missing } = found;
    if (references.length === 0) throw noneOf(missing);
    if (params.on === 'change' && references.some(({ isComputed }) => isComputed))
      throw new RpcError(
        RpcCode.invalidParams,
        'var/subscribe: an expression, or what is in a recording beside the simulation, is sent on each cycle, not on change',
      );
    const layout = params.format === 'binary' ? binaryLayout(references) : undefined;
    const subscription = await begun(context, params, references);
    const { id, follower } = subscription;
    const result = {
      subscription_id: id,
      effective_cycle_ms: follower.effectiveCycleMillis,
      ...(context.channel === 'http' && { sse_url: `${context.pathPrefix ?? ''}/sse?sub=${encodeURIComponent(id)}` }),
      ...(Object.keys(missing).length > 0 && { missing }),
      ...(layout && { layout: [...layout.rows] }),
    };
    return new Streamed(result, { subscription, format: params.format });
  },
});

interface Wishes {
  readonly aliases: readonly string[];
  readonly on: 'cycle' | 'change';
  readonly format: 'json' | 'binary';
  readonly cycle_ms?: number | undefined;
  readonly dead_band?: number | Record<string, number> | undefined;
  readonly changes_only?: boolean | undefined;
  readonly paused: boolean;
  readonly history: boolean;
}

/** Throws an RpcError for wishes that do not go together. */
function requireFit({ on, format, dead_band, changes_only }: Wishes, channel: CallContext['channel']): void {
  const refuse = (sentence: string): never => {
    throw new RpcError(RpcCode.invalidParams, `var/subscribe: ${sentence}`);
  };
  if (dead_band !== undefined && on !== 'change') refuse('dead_band goes with "on":"change"');
  if (changes_only && on !== 'change') refuse('changes_only goes with "on":"change"');
  if (changes_only && format === 'binary') refuse('changes_only is for format "json"');
  if (format === 'binary' && channel !== 'websocket') refuse('format "binary" is for a WebSocket at /ws');
}

/** Throws an RpcError for a dead band of an alias that is not asked for. */
function requireAsked({ aliases, dead_band }: Pick<Wishes, 'aliases' | 'dead_band'>): void {
  if (typeof dead_band !== 'object') return;
  const asked = new Set(aliases);
  const stray = Object.keys(dead_band).find((alias) => !asked.has(alias));
  if (stray === undefined) return;
  throw new RpcError(
    RpcCode.invalidParams,
    `var/subscribe: a dead band is given for ${quoted(stray)}, which is not asked for`,
  );
}

function noneOf(missing: FoundReferences['missing']): RpcError {
  const [[, sentence] = ['', 'none of the variables exists']] = Object.entries(missing);
  return new RpcError(RpcCode.unknownVariable, sentence, { missing });
}

/** Begins in a turn of the client: many may have waited for the same frame, and thousands of variables take some milliseconds. */
async function begun(context: CallContext, wishes: Wishes, references: readonly Reference[]): Promise<Subscription> {
  return readOnce(context, references, async (_, read) => {
    await context.turn();
    return read.ask(references) ? begin(context, wishes, references) : undefined;
  });
}

function begin(context: CallContext, wishes: Wishes, references: readonly Reference[]): Subscription {
  const { subscriptions, session, defaultCycleMillis = DEFAULT_CYCLE_MILLIS } = context;
  const cycleMillis = wishes.cycle_ms ?? defaultCycleMillis;
  requireFew(wishes, valuesShownIn(context.source.frame, references));
  const keepPast = wishes.history
    ? () => keptHistory(context).keep(session.account, references, cycleMillis)
    : undefined;
  const subscription = subscriptions.create({
    account: session.account,
    references,
    cycleMillis,
    deadBands: wishes.on === 'change' ? (wishes.dead_band ?? 0) : undefined,
    isOfChanges: wishes.changes_only ?? false,
  });
  subscription.isPaused = wishes.paused;
  try {
    if (keepPast) subscription.onEnd(keepPast());
  } catch (error) {
    subscriptions.remove(subscription);
    throw error;
  }
  return subscription;
}

/** Throws an RpcError for many values that would have to be compared one by one. */
function requireFew({ changes_only, dead_band = 0 }: Wishes, valueCount: number): void {
  const wish = changes_only ? 'changes_only' : haveDeadBands(dead_band) ? 'dead_band' : undefined;
  if (wish === undefined || valueCount <= MOST_COMPARED) return;
  throw new RpcError(RpcCode.invalidParams, `var/subscribe: ${wish} is for at most ${MOST_COMPARED} values`);
}

function keptHistory({ history }: CallContext): NonNullable<CallContext['history']> {
  if (history) return history;
  throw new RpcError(RpcCode.requestRefused, 'var/subscribe: this server keeps no history');
}

const unsubscribe = defineMethod({
  name: 'var/unsubscribe',
  about: 'Ends a subscription and its streams.',
  params: z.strictObject({ subscription_id: subscriptionId }),
  result: nothing,
  examples: [{ name: 'stop', params: { subscription_id: 'subscription-1' }, result: null }],
  run: ({ subscriptions }: CallContext, params) => {
    subscriptions.remove(subscriptions.find(params.subscription_id));
    return null;
  },
});

const pause = defineMethod({
  name: 'var/pause',
  about: 'Stops the messages of a subscription, or lets them go on.',
  params: z.strictObject({ subscription_id: subscriptionId, paused: z.boolean() }),
  result: nothing,
  examples: [{ name: 'pause', params: { subscription_id: 'subscription-1', paused: true }, result: null }],
  run: ({ subscriptions }: CallContext, params) => {
    subscriptions.find(params.subscription_id).isPaused = params.paused;
    return null;
  },
});

const cycle = defineMethod({
  name: 'var/cycle',
  about: 'Gives a subscription another cycle.',
  params: z.strictObject({ subscription_id: subscriptionId, cycle_ms: cycleMillis }),
  result: z.object({ effective_cycle_ms: z.number() }),
  examples: [
    {
      name: 'twice a second',
      params: { subscription_id: 'subscription-1', cycle_ms: 500 },
      result: { effective_cycle_ms: 500 },
    },
  ],
  run: ({ subscriptions }: CallContext, params) => {
    const subscription = subscriptions.find(params.subscription_id);
    subscription.setCycle(params.cycle_ms);
    return { effective_cycle_ms: subscription.follower.effectiveCycleMillis };
  },
});

export const varStreamMethods: readonly Method<CallContext, ValueStream>[] = [subscribe, unsubscribe, pause, cycle];
