// The values of a subscription as JSON text: server-sent events, or WebSocket notifications.

import type { Frame } from '../../model/frame/reader.js';
import type { Account } from '../../serving/scheduling/account.js';
import type { Delivery } from '../../serving/session/delivery.js';
import type { SessionRegistry } from '../../serving/session/registry.js';
import type { Subscription } from '../../serving/session/subscription.js';
import { LargeMessages } from './large-messages.js';
import { eventOf, holdChanges, holdEvents, holdValues, idOf } from './values-feed.js';

/** Of a longer list no value's text is shared with other lists: holding thousands of texts takes milliseconds. */
const MOST_SHARED = 1000;

const isLong = (subscription: Subscription): boolean =>
  subscription.isLong || (!subscription.isOfChanges && subscription.references.length > MOST_SHARED);

/** Writes `event: var`, a data line and a blank line, and before them, if asked for, `id:` with the frame's number. */
export function sseDelivery(
  registry: SessionRegistry,
  subscription: Subscription,
  reader: Account,
  hasIds: boolean,
): Delivery {
  const { feeds, source } = registry;
  const withDropped: Delivery['withDropped'] = (event, dropped) => insertDropped(event, '}\n\n', dropped);
  const wrapped = (values: Uint8Array, frame: number): Uint8Array =>
    eventOf(values, hasIds ? idOf(source, frame) : undefined);
  if (isLong(subscription)) return new LargeMessages(registry, subscription, reader, { wrapped, withDropped });
  if (subscription.isOfChanges) {
    const changes = holdChanges(feeds, source, subscription.references);
    const message = (frame: Frame) => wrapped(changes.message(frame), frame.header.number);
    return { kind: 'text', message, release: changes.release, withDropped };
  }
  return { kind: 'text', ...holdEvents(feeds, source, subscription.references, hasIds), withDropped };
}

/** Writes a JSON-RPC notification `var` for each message. */
export function notificationDelivery(registry: SessionRegistry, subscription: Subscription, reader: Account): Delivery {
  const { feeds, source } = registry;
  const id = JSON.stringify(subscription.id);
  const start = Buffer.from(`{"jsonrpc":"2.0","method":"var","params":{"subscription_id":${id},`);
  const wrapped = (values: Uint8Array, frame: number): Uint8Array =>
    Buffer.concat([start, Buffer.from(`"frame":${frame},`), values.subarray(1), Buffer.from('}')]);
  const withDropped: Delivery['withDropped'] = (message, dropped) => insertDropped(message, '}}', dropped);
  if (isLong(subscription)) return new LargeMessages(registry, subscription, reader, { wrapped, withDropped });
  const hold = subscription.isOfChanges ? holdChanges : holdValues;
  const values = hold(feeds, source, subscription.references);
  const message = (frame: Frame): Uint8Array => wrapped(values.message(frame), frame.header.number);
  return { ...values, kind: 'text', message, withDropped };
}

/** Adds the member `dropped` at the end of the object that `ending` closes. */
function insertDropped(message: Uint8Array, ending: string, dropped: number): Uint8Array {
  const open = message.subarray(0, message.length - ending.length);
  return Buffer.concat([open, Buffer.from(`,"dropped":${dropped}${ending}`)]);
}
