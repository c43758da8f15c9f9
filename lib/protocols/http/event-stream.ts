// Server-sent events: a subscription's messages as the body of an HTTP answer, resumed from the ring after a cut.
// By hand: the format takes three lines, and what was cut goes on from the ring.
import { MOST_SLOTS } from '../../model/frame/ring.js';
import type { Account } from '../../serving/scheduling/account.js';
import { lateFrames, MessageReader } from '../../serving/session/message-reader.js';
import type { SessionRegistry } from '../../serving/session/registry.js';
import type { Session } from '../../serving/session/session.js';
import type { Subscription } from '../../serving/session/subscription.js';
import type { SubscriptionTable } from '../../serving/session/subscription-table.js';
import type { HttpExchange, HttpStream, ResponseHeaders } from '../../serving/transport/http-exchange.js';
import type { Source } from '../../source/source.js';
import { sseDelivery } from './delivery.js';
import { Replay } from './replay.js';

const HEARTBEAT_SECONDS = 15;
const HEARTBEAT = Buffer.from(': nothing new\n\n');
/** Makes EventSource reconnect in half a second, while the ring still has the frames that it missed. */
const RETRY = Buffer.from('retry: 500\n\n');

export interface EventStreamOptions {
  readonly headers: ResponseHeaders;
  /** True for GET /sse, whose events carry ids and can be resumed; false for the answer to a POST. */
  readonly isResumable: boolean;
  /** Of the client who asks: messages that it has missed are made in its turns. */
  readonly account: Account;
}

/**
 * Sends the messages of a subscription as the answer to an exchange, until the client or the subscription ends. Resolves
 * when the client has what it missed.
 */
export function openEventStream(
  exchange: HttpExchange,
  subscription: Subscription,
  registry: SessionRegistry,
  table: SubscriptionTable,
  options: EventStreamOptions,
): Promise<void> | undefined {
  const stream = exchange.stream(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'varwire-subscription-id': subscription.id,
    'varwire-effective-cycle-ms': String(subscription.follower.effectiveCycleMillis),
    ...options.headers,
  });
  // The stream of a HEAD is over before it begins.
  if (exchange.method === 'HEAD') return undefined;
  const session = registry.create({ frontEnd: 'http', peer: exchange.peer, transport: 'sse' }, stream);
  const delivery = sseDelivery(registry, subscription, session.account, options.isResumable);
  const reader = new MessageReader(session.outbound, delivery, () => stream.end(), lateFrames(subscription, registry));
  const stopHeartbeat = startHeartbeat(registry, session, stream);
  let isOpen = true;
  stream.listen({
    drain: () => session.outbound.release(),
    close: () => {
      isOpen = false;
      stopHeartbeat();
      if (subscription.readers.has(reader)) table.detach(subscription, reader);
      else reader.release();
      // No other client knows the id of a stream that answers a POST.
      if (!options.isResumable) table.remove(subscription);
      session.close();
    },
  });
  if (options.isResumable && exchange.headers.accept?.includes('text/event-stream')) stream.write(RETRY);
  const replay = options.isResumable ? replayFor(exchange, subscription, reader, registry) : undefined;
  if (!replay) {
    table.attach(subscription, reader);
    return undefined;
  }
  return registry.turns.dueSteps(options.account, () => {
    if (!isOpen) return false;
    if (!table.has(subscription.id)) stream.end();
    else if (replay.step()) return true;
    // Other streams may have been opened meanwhile; this client comes again, and is told why there is no room.
    else if (subscription.refusalOfReader() !== undefined) stream.end();
    else table.attach(subscription, reader, true);
    return false;
  });
}

/** The messages after the frame that the client names; undefined, to begin anew, for none and for one of an earlier run. */
function replayFor(
  exchange: HttpExchange,
  subscription: Subscription,
  reader: MessageReader,
  { source }: SessionRegistry,
): Replay | undefined {
  const lastSeen = lastEventId(exchange, source);
  // A number above the latest was given out before the server restarted, or by another edge that is ahead of this one.
  if (lastSeen === undefined || lastSeen > source.frame.header.number + (source.frameIds ? MOST_SLOTS : 0))
    return undefined;
  return new Replay(source, subscription, reader, lastSeen);
}

/** Sends a comment when nothing else was sent for a while, so that no proxy takes the connection for dead. */
function startHeartbeat({ timetable }: SessionRegistry, { outbound }: Session, stream: HttpStream): () => void {
  let sentBefore = -1;
  return timetable.every(HEARTBEAT_SECONDS, () => {
    if (outbound.sentMessages === sentBefore && stream.pendingBytes === 0) stream.write(HEARTBEAT);
    sentBefore = outbound.sentMessages;
  });
}

/** Number of the last frame that the client has seen, from EventSource's header or from the query. */
function lastEventId({ headers, query }: HttpExchange, { frameIds }: Source): number | undefined {
  const text = headers['last-event-id'] ?? query.get('last_event_id');
  if (typeof text !== 'string' || !/^\d{1,15}(-\w{1,15})?$/.test(text)) return undefined;
  if (frameIds) return frameIds.numberOf(text);
  return text.includes('-') ? undefined : Number(text);
}
