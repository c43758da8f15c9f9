// One WebSocket: JSON-RPC in both directions, answers in the order in which they are ready, and subscriptions'
// messages.

import type { Delivery } from '../../serving/session/delivery.js';
import type { Log } from '../../serving/session/log.js';
import { lateFrames, MessageReader } from '../../serving/session/message-reader.js';
import type { Reader } from '../../serving/session/reader.js';
import type { SessionRegistry } from '../../serving/session/registry.js';
import type { Session } from '../../serving/session/session.js';
import type { Subscription } from '../../serving/session/subscription.js';
import type { SubscriptionTable } from '../../serving/session/subscription-table.js';
import type { WebSocketPeer } from '../../serving/transport/connection.js';
import { type Answering, AskingSocket } from '../json-rpc/asking-socket.js';
import type { CallContext } from '../json-rpc/call-context.js';
import type { Caller } from '../json-rpc/caller.js';
import { errorAnswer } from '../json-rpc/envelope.js';
import { RpcError } from '../json-rpc/rpc-error.js';
import type { Conversation, Talk } from '../json-rpc/talk.js';
import type { ValueStream } from '../json-rpc/var-stream-methods.js';
import { binaryDelivery } from './binary-message.js';
import { notificationDelivery } from './delivery.js';
import type { RpcDispatcher } from './methods.js';

export interface WebSocketParts {
  readonly registry: SessionRegistry;
  readonly table: SubscriptionTable;
  readonly log: Log;
  /** Nothing is read from the socket before the dispatcher is there. */
  readonly dispatcher: Promise<RpcDispatcher>;
  /** False when the client makes too many requests. */
  mayTake(): boolean;
  /** A protocol whose messages come over the same socket. */
  neighbour(talk: Omit<Talk, 'mayChange'>): Conversation | undefined;
  /** @param onRefused tells the client of a refusal after the answer. */
  context(session: Session, caller: Caller, onRefused: CallContext['onRefused']): CallContext;
}

export function openWebSocket(peer: WebSocketPeer, parts: WebSocketParts): void {
  new WebSocketSession(peer, parts).listen();
}

class WebSocketSession implements Answering {
  private readonly session: Session;
  private readonly context: CallContext;
  private readonly readers = new Map<Subscription, Reader>();
  private readonly asking: AskingSocket;
  private readonly neighbour: Conversation | undefined;
  private dispatcher: RpcDispatcher | undefined;

  constructor(
    private readonly peer: WebSocketPeer,
    private readonly parts: WebSocketParts,
  ) {
    const { registry } = parts;
    this.session = registry.create({ frontEnd: 'http', peer: peer.peer, transport: 'websocket' }, peer);
    this.asking = new AskingSocket(this.session, peer, { registry, mayAsk: () => parts.mayTake() });
    const { caller } = this.asking;
    this.session.reading = () => parts.table.aliasesOf(this.session.account);
    this.context = parts.context(this.session, caller, (...refusal) => this.tellRefused(...refusal));
    this.neighbour = parts.neighbour({
      session: this.session,
      caller,
      send: (text) => this.asking.send(text),
      sendAnswer: (text, heldBytes) => this.asking.sendAnswer(text, heldBytes),
    });
  }

  listen(): void {
    this.peer.listen({
      data: (message) => void this.asking.take(message, this),
      drain: () => this.asking.drained(),
      close: () => this.close(),
    });
    this.peer.pauseReading();
    void this.parts.dispatcher.then((dispatcher) => {
      this.dispatcher = dispatcher;
      this.asking.readOn();
    });
  }

  refused(refusal: RpcError): void {
    this.parts.registry.errors.note(refusal.code);
    this.asking.send(errorAnswer(null, refusal));
  }

  async answer(message: Buffer): Promise<void> {
    const taken = this.neighbour?.take(message);
    if (taken && (await taken)) return;
    const answering = (this.dispatcher ?? (await this.parts.dispatcher)).answer(message, this.context);
    this.asking.pauseIfBusy();
    const { text, heldBytes, streams } = await answering;
    await this.asking.sendAnswer(text, heldBytes);
    for (const stream of streams) await this.attach(stream);
  }

  /** Nobody but the log knows of it. */
  failed(err: unknown): void {
    this.parts.log('error', 'a message over a WebSocket failed', { err: err as Error });
  }

  private tellRefused(sequence: number, { message }: Error): void {
    const params = { sequence, reason: message };
    this.asking.send(JSON.stringify({ jsonrpc: '2.0', method: 'var/refused', params }));
  }

  /**
   * Starts the messages, after the answer that has told the client the id. Of thousands of variables, what makes the
   * messages takes some milliseconds, and the first message as many.
   */
  private async attach(stream: ValueStream): Promise<void> {
    const { registry, table } = this.parts;
    const { account } = this.session;
    let reader: MessageReader | undefined;
    await registry.turns.due(account, () => {
      reader = this.readerOf(stream);
    });
    if (!reader) return table.remove(stream.subscription);
    const made = reader;
    await registry.turns.due(account, () => table.attach(stream.subscription, made));
  }

  /** Undefined when the subscription or its client has gone, or when no messages can be made. */
  private readerOf({ subscription, format }: ValueStream): MessageReader | undefined {
    const { registry, table } = this.parts;
    if (this.asking.isClosed || !table.has(subscription.id)) return undefined;
    const delivery = this.deliveryOf(subscription, format);
    if (!delivery) return undefined;
    const reader = new MessageReader(
      this.session.outbound,
      delivery,
      () => this.readers.delete(subscription),
      lateFrames(subscription, registry),
    );
    this.readers.set(subscription, reader);
    if (delivery.bytes !== undefined) this.session.outbound.expect(reader, delivery.bytes);
    return reader;
  }

  /** Undefined when a variable has come to be another one since, of which no such messages can be made. */
  private deliveryOf(subscription: Subscription, format: ValueStream['format']): Delivery | undefined {
    const make = format === 'binary' ? binaryDelivery : notificationDelivery;
    try {
      return make(this.parts.registry, subscription, this.session.account);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      this.parts.log('informational', `a subscription has ended: ${error.message}`, { peer: this.peer.peer });
      return undefined;
    }
  }

  private close(): void {
    this.asking.close();
    this.neighbour?.close();
    for (const subscription of [...this.readers.keys()]) this.parts.table.remove(subscription);
    this.session.close();
  }
}
