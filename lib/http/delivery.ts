// The values of a subscription as JSON text: server-sent events, or WebSocket notifications.

import type { Delivery } from '../session/delivery.js';
import type { FeedTable } from '../session/feed.js';
import type { Reference } from '../session/reference.js';
import type { Source } from '../source/source.js';
import { holdEvents, holdValues } from './values-feed.js';

/** Writes `event: var`, a data line and a blank line, and before them, if asked for, `id:` with the frame's number. */
export function sseDelivery(
  feeds: FeedTable,
  source: Source,
  references: readonly Reference[],
  hasIds: boolean,
): Delivery {
  const { message, release } = holdEvents(feeds, source, references, hasIds);
  return { kind: 'text', message, release, withDropped: (event, dropped) => insertDropped(event, '}\n\n', dropped) };
}

/** Writes a JSON-RPC notification `var` for each message. */
export function notificationDelivery(
  feeds: FeedTable,
  source: Source,
  references: readonly Reference[],
  subscriptionId: string,
): Delivery {
  const values = holdValues(feeds, source, references);
  const id = JSON.stringify(subscriptionId);
  const start = Buffer.from(`{"jsonrpc":"2.0","method":"var","params":{"subscription_id":${id},`);
  return {
    kind: 'text',
    message: (frame) => Buffer.concat([start, values.message(frame).subarray(1), Buffer.from('}')]),
    release: values.release,
    withDropped: (message, dropped) => insertDropped(message, '}}', dropped),
  };
}

/** Adds the member `dropped` at the end of the object that `ending` closes. */
function insertDropped(message: Uint8Array, ending: string, dropped: number): Uint8Array {
  const open = message.subarray(0, message.length - ending.length);
  return Buffer.concat([open, Buffer.from(`,"dropped":${dropped}${ending}`)]);
}
