// One WebSocket: JSON-RPC in both directions, answers in the order in which they are ready, and subscriptions'
// messages.
import type { CallContext } from '../json-rpc/call-context.js';
import { type Caller, GONE, whileThere } from '../json-rpc/caller.js';
import { errorAnswer } from '../json-rpc/envelope.js';
import { RpcCode, RpcError } from '../json-rpc/rpc-error.js';
import type { ValueStream } from '../json-rpc/var-stream-methods.js';
import { Lane } from '../session/lane.js';
import type { Log } from '../session/log.js';
import { MessageReader } from '../session/message-reader.js';
import type { SessionRegistry } from '../session/registry.js';
import type { Session } from '../session/session.js';
import type { Reader, Subscription } from '../session/subscription.js';
import type { SubscriptionTable } from '../session/subscription-table.js';
import { Unread } from '../session/unread.js';
import type { WebSocketPeer } from '../transport/connection.js';
import { binaryDelivery } from './binary-message.js';
import { notificationDelivery } from './delivery.js';
import type { RpcDispatcher } from './methods.js';
import type { Conversation, Talk } from './neighbour.js';

/** The most unanswered requests of one socket; only var/wait takes long. */
const MAX_PENDING = 1000;
/** The most pieces of work that may wait for their turn before the socket is paused. */
const MAX_WORK = 32;

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
  /** @param onRefused called when a change was refused after it had been answered. */
  context(session: Session, caller: Caller, onRefused: CallContext['onRefused']): CallContext;
}

export function openWebSocket(peer: WebSocketPeer, parts: WebSocketParts): void {
  new WebSocketSession(peer, parts).listen();
}

class WebSocketSession {
  private readonly session: Session;
  private readonly context: CallContext;
  private readonly readers = new Map<Subscription, Reader>();
  private readonly gone = new AbortController();
  private readonly lane: Lane;
  private readonly unread: Unread;
  private readonly neighbour: Conversation | undefined;
  private dispatcher: RpcDispatcher | undefined;
  private pending = 0;
  private isClosed = false;

  constructor(
    private readonly peer: WebSocketPeer,
    private readonly parts: WebSocketParts,
  ) {
    const { registry } = parts;
    this.session = registry.create({ frontEnd: 'http', peer: peer.peer, transport: 'websocket' }, peer);
    const { account } = this.session;
    const { signal } = this.gone;
    this.lane = new Lane(registry.turns, account, () => this.readOn());
    this.unread = new Unread(account, peer, registry.clock, (sentence) => this.letGo(sentence));
    const inTurns = whileThere((start) => this.lane.run(start), signal);
    const caller: Caller = { account, signal, inTurns, mayAsk: () => parts.mayTake() };
    this.context = parts.context(this.session, caller, (...refusal) => this.tellRefused(...refusal));
    this.neighbour = parts.neighbour({
      session: this.session,
      caller,
      send: (text) => this.send(text),
      hold: (bytes) => this.unread.add(bytes),
    });
  }

  listen(): void {
    this.peer.listen({
      data: (message) => void this.take(message),
      drain: () => {
        this.session.outbound.release();
        this.unread.settle();
        this.readOn();
      },
      close: () => this.close(),
    });
    this.peer.pauseReading();
    void this.parts.dispatcher.then((dispatcher) => {
      this.dispatcher = dispatcher;
      this.readOn();
    });
  }

  private async take(message: Buffer): Promise<void> {
    const refusal = this.refusal();
    if (refusal) {
      this.send(errorAnswer(null, refusal));
      return;
    }
    this.pending++;
    const taken = this.neighbour?.take(message);
    if (taken && (await taken.catch(() => true))) {
      this.pending--;
      return;
    }
    const answering = (this.dispatcher ?? (await this.parts.dispatcher)).answer(message, this.context);
    if (this.isBusy) this.peer.pauseReading();
    const { text, heldBytes, streams } = await answering;
    this.pending--;
    if (text !== undefined) this.send(text.bytes);
    this.unread.add(heldBytes);
    for (const stream of streams) this.attach(stream);
  }

  private refusal(): RpcError | undefined {
    if (!this.parts.mayTake()) return new RpcError(RpcCode.tooMany, 'this client makes more requests than allowed');
    if (this.pending < MAX_PENDING) return undefined;
    return new RpcError(RpcCode.tooMany, `${MAX_PENDING} requests of this client are not answered yet`);
  }

  /** Whether reading should stop: the client does not take its answers, or they are not made yet. */
  private get isBusy(): boolean {
    return this.session.outbound.isFull || this.lane.length >= MAX_WORK;
  }

  private readOn(): void {
    if (!this.isClosed && !this.isBusy) this.peer.resumeReading();
  }

  private send(message: string | Uint8Array): void {
    this.session.outbound.reply(typeof message === 'string' ? Buffer.from(message) : message, 'text');
    if (this.isBusy) this.peer.pauseReading();
  }

  private tellRefused(sequence: number, { message }: Error): void {
    const params = { sequence, reason: message };
    this.send(JSON.stringify({ jsonrpc: '2.0', method: 'var/refused', params }));
  }

  private letGo(reason: string): void {
    const { peer } = this.session.facts;
    this.parts.log('warning', `${peer} was let go: ${reason}`, { peer, session: this.session.id });
    this.peer.destroy();
  }

  /** Starts the messages, after the answer that has told the client the id. */
  private attach({ subscription, format }: ValueStream): void {
    const { registry, table } = this.parts;
    const { id } = subscription;
    if (this.isClosed || !table.has(id)) {
      table.remove(subscription);
      return;
    }
    const delivery = format === 'binary' ? binaryDelivery(subscription) : notificationDelivery(registry, subscription);
    const reader = new MessageReader(
      this.session.outbound,
      delivery,
      () => this.readers.delete(subscription),
      (number) => subscription.shownIn(registry.source.past(number) ?? registry.source.frame),
    );
    this.readers.set(subscription, reader);
    table.attach(subscription, reader);
  }

  private close(): void {
    this.isClosed = true;
    this.gone.abort(GONE);
    this.neighbour?.close();
    this.unread.close();
    for (const subscription of [...this.readers.keys()]) this.parts.table.remove(subscription);
    this.session.close();
  }
}
