// var/subscribe and the other methods for subscriptions.
import { z } from 'zod';
import type { Subscription } from '../session/subscription.js';
import { BINARY_FORMATS, binaryLayout } from './binary-layout.js';
import { type CallContext, settledFrame } from './call-context.js';
import { defineMethod, type Method } from './method.js';
import { createReferences } from './requested-units.js';
import { RpcCode, RpcError } from './rpc-error.js';
import { alias, aliases, byAlias, cycleMillis, nothing, subscriptionId, units } from './schemas.js';
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
    cycle_ms: cycleMillis.default(DEFAULT_CYCLE_MILLIS),
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
    format: z.enum(['json', 'binary']).default('json').describe('binary: packed values, over a WebSocket only'),
  }),
  result: z.object({
    subscription_id: subscriptionId,
    effective_cycle_ms: z.number(),
    sse_url: z.string().optional().describe('Over HTTP: where the values stream'),
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
    // The first message must show the changes that this client has asked for.
    await settledFrame(context);
    const references = await context.inTurns((slice) =>
      createReferences(context.source, params.aliases, params.units, slice),
    );
    await settledFrame(context, references);
    if (params.dead_band !== undefined && params.on !== 'change') {
      throw new RpcError(RpcCode.invalidParams, 'var/subscribe: dead_band goes with "on":"change"');
    }
    if (params.format === 'binary' && context.channel !== 'websocket') {
      throw new RpcError(RpcCode.invalidParams, 'var/subscribe: format "binary" is for a WebSocket at /ws');
    }
    const layout = params.format === 'binary' ? binaryLayout(references) : undefined;
    const subscription = context.subscriptions.create({
      account: context.session.account,
      references,
      cycleMillis: params.cycle_ms,
      deadBands: params.on === 'change' ? (params.dead_band ?? 0) : undefined,
    });
    const { id, effectiveCycleMillis } = subscription;
    const result = {
      subscription_id: id,
      effective_cycle_ms: effectiveCycleMillis,
      ...(context.channel === 'http' && { sse_url: `/sse?sub=${encodeURIComponent(id)}` }),
      ...(layout && { layout: [...layout.rows] }),
    };
    return new Streamed(result, { subscription, format: params.format });
  },
});

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
    return { effective_cycle_ms: subscription.effectiveCycleMillis };
  },
});

export const varStreamMethods: readonly Method<CallContext, ValueStream>[] = [subscribe, unsubscribe, pause, cycle];
