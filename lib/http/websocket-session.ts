// One WebSocket: JSON-RPC both ways, answers as they are ready, and the messages of its subscriptions.
import type { CallContext } from '../json-rpc/call-context.js';
import { type Dispatcher, errorAnswer } from '../json-rpc/dispatcher.js';
import { RpcCode, RpcError } from '../json-rpc/rpc-error.js';
import type { SessionRegistry } from '../session/registry.js';
import type { Session } from '../session/session.js';
import { Reader, type Subscription } from '../session/subscription.js';
import type { SubscriptionTable } from '../session/subscription-table.js';
import type { WebSocketPeer } from '../transport/connection.js';
import { binaryDelivery } from './binary-layout.js';
import { notificationDelivery } from './delivery.js';

/** Requests of one socket that may be under way; only var/wait takes long. */
const MAX_PENDING = 1000;

export interface WebSocketParts {
  readonly registry: SessionRegistry;
  readonly table: SubscriptionTable;
  readonly dispatcher: Dispatcher<CallContext>;
  /** False when the client makes too many requests. */
  mayTake(): boolean;
  context(session: Session): CallContext;
}

export function openWebSocket(peer: WebSocketPeer, parts: WebSocketParts): void {
  new WebSocketSession(peer, parts).listen();
}

const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;

class WebSocketSession {
  private readonly session: Session;
  private readonly readers = new Map<Subscription, Reader>();
  private pending = 0;
  private isClosed = false;

  constructor(
    private readonly peer: WebSocketPeer,
    private readonly parts: WebSocketParts,
  ) {
    const sink = {
      // JSON is text; packed values start with their version.
      write: (message: Uint8Array) =>
        message[0] === OPEN_BRACE || message[0] === OPEN_BRACKET ? peer.write(message) : peer.writeBinary(message),
      get pendingBytes() {
        return peer.pendingBytes;
      },
    };
    this.session = parts.registry.create({ frontEnd: 'http', peer: peer.peer, transport: 'websocket' }, sink);
  }

  listen(): void {
    this.peer.listen({
      data: (message) => void this.take(message),
      drain: () => this.peer.resumeReading(),
      close: () => this.close(),
    });
  }

  private async take(message: Buffer): Promise<void> {
    const refusal = this.refusal();
    if (refusal) {
      this.reply(errorAnswer(null, refusal));
      return;
    }
    const opened: Subscription[] = [];
    const onSubscribed = (subscription: Subscription) => void opened.push(subscription);
    this.pending++;
    const context = { ...this.parts.context(this.session), onSubscribed };
    const answer = await this.parts.dispatcher.answer(message, context);
    this.pending--;
    if (answer !== undefined) this.reply(answer);
    for (const subscription of opened) this.attach(subscription);
  }

  private refusal(): RpcError | undefined {
    if (!this.parts.mayTake()) return new RpcError(RpcCode.tooMany, 'this client makes more requests than allowed');
    if (this.pending < MAX_PENDING) return undefined;
    return new RpcError(RpcCode.tooMany, `${MAX_PENDING} requests of this client are not answered yet`);
  }

  private reply(answer: string): void {
    this.session.outbound.reply(Buffer.from(answer));
    if (this.session.outbound.isFull) this.peer.pauseReading();
  }

  /** After the answer that told the id. */
  private attach(subscription: Subscription): void {
    const { registry, table } = this.parts;
    const { id, references, format } = subscription;
    if (this.isClosed || !table.has(id)) {
      table.remove(subscription);
      return;
    }
    const delivery =
      format === 'binary'
        ? binaryDelivery(references, id)
        : notificationDelivery(registry.feeds, registry.source, references, id);
    const reader = new Reader(this.session.outbound, delivery, () => this.readers.delete(subscription));
    this.readers.set(subscription, reader);
    table.attach(subscription, reader);
  }

  private close(): void {
    this.isClosed = true;
    for (const subscription of [...this.readers.keys()]) this.parts.table.remove(subscription);
    this.session.close();
  }
}
