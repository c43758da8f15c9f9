// Server-sent events: a subscription's messages as the body of an HTTP answer, resumed from the ring after a cut.
import { lateFrames, MessageReader } from '../session/message-reader.js';
import type { SessionRegistry } from '../session/registry.js';
import type { Session } from '../session/session.js';
import type { Subscription } from '../session/subscription.js';
import type { SubscriptionTable } from '../session/subscription-table.js';
import type { HttpExchange, HttpStream, ResponseHeaders } from '../transport/http-exchange.js';
import { sseDelivery } from './delivery.js';

const HEARTBEAT_SECONDS = 15;
const HEARTBEAT = Buffer.from(': nothing new\n\n');
/** Makes EventSource reconnect in half a second, while the ring still has the frames that it missed. */
const RETRY = Buffer.from('retry: 500\n\n');

export interface EventStreamOptions {
  readonly headers: ResponseHeaders;
  /** True for GET /sse, whose events carry ids and can be resumed; false for the answer to a POST. */
  readonly isResumable: boolean;
}

/** Sends the messages of a subscription as the answer to an exchange, until the client or the subscription ends. */
export function openEventStream(
  exchange: HttpExchange,
  subscription: Subscription,
  registry: SessionRegistry,
  table: SubscriptionTable,
  options: EventStreamOptions,
): void {
  const stream = exchange.stream(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    ...options.headers,
  });
  const session = registry.create({ frontEnd: 'http', peer: exchange.peer, transport: 'sse' }, stream);
  const delivery = sseDelivery(registry, subscription, options.isResumable);
  const reader = new MessageReader(
    session.outbound,
    delivery,
    () => stream.end(),
    lateFrames(subscription, registry.source),
  );
  const stopHeartbeat = startHeartbeat(registry, session, stream);
  stream.listen({
    drain: () => session.outbound.release(),
    close: () => {
      stopHeartbeat();
      table.detach(subscription, reader);
      // No other client knows the id of a stream that answers a POST.
      if (!options.isResumable) table.remove(subscription);
      session.close();
    },
  });
  const lastSeen = options.isResumable ? lastEventId(exchange) : undefined;
  if (options.isResumable && exchange.headers.accept?.includes('text/event-stream')) stream.write(RETRY);
  const isResumed = lastSeen !== undefined && replay(subscription, reader, registry, lastSeen);
  table.attach(subscription, reader, isResumed);
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
function lastEventId({ headers, query }: HttpExchange): number | undefined {
  const text = headers['last-event-id'] ?? query.get('last_event_id');
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/**
 * Sends the messages that were due after a frame and are still in the ring, and counts the others as dropped. Returns
 * false, and does nothing, for a frame of an earlier run.
 */
function replay(
  subscription: Subscription,
  reader: MessageReader,
  { source }: SessionRegistry,
  lastSeen: number,
): boolean {
  const latest = source.frame.header;
  // A number above the latest was given out before the server restarted.
  if (lastSeen > latest.number) return false;
  if (subscription.isPaused) return true;
  const isUsable = (number: number): boolean => source.past(number)?.header.catalogVersion === latest.catalogVersion;
  let first = latest.number;
  while (first - 1 > lastSeen && isUsable(first - 1)) first--;
  const { tick } = source.past(first)?.header ?? latest;
  reader.resumeAfter(lastSeen, dueBetween(tick - (first - lastSeen), tick, subscription.everyTicks));
  for (let number = first; number < latest.number; number++) {
    const frame = source.past(number);
    if (!frame || !subscription.isDue(frame.header)) continue;
    if (frame.showsAll(subscription.references)) reader.offer(frame);
    else reader.miss({ count: 1, lastTick: frame.header.tick, everyTicks: subscription.everyTicks });
  }
  return true;
}

/** How many messages were due at ticks after one and before another. */
const dueBetween = (after: number, before: number, everyTicks: number): number =>
  Math.max(0, Math.floor((before - 1) / everyTicks) - Math.floor(after / everyTicks));
