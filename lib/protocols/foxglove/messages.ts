// The JSON messages of a client of Foxglove's protocol, checked.
import { z } from 'zod';

const id = z.int().min(0).max(0xffff_ffff);
const name = z.string().max(4096);
const names = z.array(name).max(10_000);
const requestId = z.string().max(1000).optional();

/** No variable is bytes. */
const parameter = z.object({
  name,
  value: z.unknown().optional(),
  type: z.enum(['float64', 'float64_array']).optional(),
});

const clientMessage = z.discriminatedUnion('op', [
  z.object({ op: z.literal('subscribe'), subscriptions: z.array(z.object({ id, channelId: id })).max(10_000) }),
  z.object({ op: z.literal('unsubscribe'), subscriptionIds: z.array(id).max(10_000) }),
  z.object({ op: z.literal('getParameters'), parameterNames: names, id: requestId }),
  z.object({ op: z.literal('setParameters'), parameters: z.array(parameter).max(10_000), id: requestId }),
  z.object({ op: z.literal('subscribeParameterUpdates'), parameterNames: names }),
  z.object({ op: z.literal('unsubscribeParameterUpdates'), parameterNames: names }),
  z.object({ op: z.literal('fetchAsset'), uri: name, requestId: id }),
  z.object({ op: z.literal('subscribeConnectionGraph') }),
  z.object({ op: z.literal('unsubscribeConnectionGraph') }),
]);

export type ClientText = z.output<typeof clientMessage>;
export type SetParameter = z.output<typeof parameter>;

/** Throws an Error with one sentence for what is no message of a client. */
export function checkedMessage(json: unknown): ClientText {
  const checked = clientMessage.safeParse(json);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const op = (json as { op?: unknown } | null)?.op;
  const isKnown = clientMessage.options.some(({ shape }) => shape.op.value === op);
  if (!isKnown) throw new Error(`there is no message ${JSON.stringify(op ?? null).slice(0, 100)}`);
  throw new Error(`${op}: ${issue?.path.join('.')}: ${issue?.message.replace(/^Invalid input: /, '')}`);
}
