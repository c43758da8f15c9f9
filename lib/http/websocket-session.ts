// One WebSocket: JSON-RPC both ways, answers as they are ready, and the messages of its subscriptions.
import type { CallContext } from '../json-rpc/call-context.js';
import { errorAnswer } from '../json-rpc/envelope.js';
import { RpcCode, RpcError } from '../json-rpc/rpc-error.js';
import type { ValueStream } from '../json-rpc/var-stream-methods.js';
import { MessageReader } from '../session/message-reader.js';
import type { SessionRegistry } from '../session/registry.js';
import type { Session } from '../session/session.js';
import type { Reader, Subscription } from '../session/subscription.js';
import type { SubscriptionTable } from '../session/subscription-table.js';
import type { WebSocketPeer } from '../transport/connection.js';
import { binaryDelivery } from './binary-message.js';
import { notificationDelivery } from './delivery.js';
import type { RpcDispatcher } from './methods.js';

/** Requests of one socket that may be under way; only var/wait takes long. */
const MAX_PENDING = 1000;

export interface WebSocketParts {
  readonly registry: SessionRegistry;
  readonly table: SubscriptionTable;
  /** Nothing is read before it is there. */
  readonly dispatcher: Promise<RpcDispatcher>;
  /** False when the client makes too many requests. */
  mayTake(): boolean;
  context(session: Session): CallContext;
}

export function openWebSocket(peer: WebSocketPeer, parts: WebSocketParts): void {
  new WebSocketSession(peer, parts).listen();
}

class WebSocketSession {
  private readonly session: Session;
  private readonly readers = new Map<Subscription, Reader>();
  private pending = 0;
  private isClosed = false;

  constructor(
    private readonly peer: WebSocketPeer,
    private readonly parts: WebSocketParts,
  ) {
    this.session = parts.registry.create({ frontEnd: 'http', peer: peer.peer, transport: 'websocket' }, peer);
  }

  listen(): void {
    this.peer.listen({
      data: (message) => void this.take(message),
      drain: () => {
        this.session.outbound.release();
        this.peer.resumeReading();
      },
      close: () => this.close(),
    });
    this.peer.pauseReading();
    void this.parts.dispatcher.then(() => this.peer.resumeReading());
  }

  private async take(message: Buffer): Promise<void> {
    const refusal = this.refusal();
    if (refusal) {
      this.reply(errorAnswer(null, refusal));
      return;
    }
    this.pending++;
    const { text, streams } = await (await this.parts.dispatcher).answer(message, this.parts.context(this.session));
    this.pending--;
    if (text !== undefined) this.reply(text);
    for (const stream of streams) this.attach(stream);
  }

  private refusal(): RpcError | undefined {
    if (!this.parts.mayTake()) return new RpcError(RpcCode.tooMany, 'this client makes more requests than allowed');
    if (this.pending < MAX_PENDING) return undefined;
    return new RpcError(RpcCode.tooMany, `${MAX_PENDING} requests of this client are not answered yet`);
  }

  private reply(answer: string): void {
    this.session.outbound.reply(Buffer.from(answer), 'text');
    if (this.session.outbound.isFull) this.peer.pauseReading();
  }

  /** After the answer that told the id. */
  private attach({ subscription, format }: ValueStream): void {
    const { registry, table } = this.parts;
    const { id, references } = subscription;
    if (this.isClosed || !table.has(id)) {
      table.remove(subscription);
      return;
    }
    const delivery =
      format === 'binary'
        ? binaryDelivery(subscription)
        : notificationDelivery(registry.feeds, registry.source, references, id);
    const reader = new MessageReader(
      this.session.outbound,
      delivery,
      () => this.readers.delete(subscription),
      () => subscription.shownIn(registry.source.frame),
    );
    this.readers.set(subscription, reader);
    table.attach(subscription, reader);
  }

  private close(): void {
    this.isClosed = true;
    for (const subscription of [...this.readers.keys()]) this.parts.table.remove(subscription);
    this.session.close();
  }
}
