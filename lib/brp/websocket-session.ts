// A WebSocket that speaks only this protocol.
import { type Caller, whileThere } from '../json-rpc/caller.js';
import { RpcCode, RpcError } from '../json-rpc/rpc-error.js';
import { Lane } from '../session/lane.js';
import type { Log } from '../session/log.js';
import type { SessionRegistry } from '../session/registry.js';
import type { Session } from '../session/session.js';
import { Unread } from '../session/unread.js';
import type { WebSocketPeer } from '../transport/connection.js';
import type { Admission } from '../transport/front-end.js';
import { Conversation } from './conversation.js';
import type { BrpService } from './service.js';

/** The most unanswered requests of one socket; only polls take long. */
const MAX_PENDING = 1000;
/** The most pieces of work that may wait for their turn before the socket is paused. */
const MAX_WORK = 32;

export interface SocketParts {
  readonly registry: SessionRegistry;
  readonly log: Log;
  readonly service: BrpService;
}

export function openBrpSocket(peer: WebSocketPeer, admission: Admission, parts: SocketParts): void {
  new BrpSocket(peer, admission, parts).listen();
}

class BrpSocket {
  private readonly session: Session;
  private readonly gone = new AbortController();
  private readonly lane: Lane;
  private readonly unread: Unread;
  private readonly conversation: Conversation;
  private pending = 0;
  private isClosed = false;

  constructor(
    private readonly peer: WebSocketPeer,
    private readonly admission: Admission,
    private readonly parts: SocketParts,
  ) {
    const { registry } = parts;
    this.session = registry.create({ frontEnd: 'brp', peer: peer.peer, transport: 'websocket' }, peer);
    const { account } = this.session;
    this.lane = new Lane(registry.turns, account, () => this.readOn());
    this.unread = new Unread(account, peer, registry.clock, (sentence) => this.letGo(sentence));
    this.conversation = new Conversation(parts.service, {
      session: this.session,
      caller: this.caller(),
      mayChange: admission.mayChange,
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
  }

  private caller(): Caller {
    const { signal } = this.gone;
    const inTurns = whileThere((start) => this.lane.run(start), signal);
    return { account: this.session.account, signal, inTurns, mayAsk: () => this.admission.mayAsk() };
  }

  private async take(message: Buffer): Promise<void> {
    const refusal = this.refusal();
    if (refusal) {
      this.send(this.parts.service.envelope.error(undefined, refusal));
      return;
    }
    this.pending++;
    const taking = this.conversation.take(message);
    if (this.isBusy) this.peer.pauseReading();
    await taking.catch((err: unknown) => {
      if (!this.isClosed) this.parts.log('error', 'a message over a WebSocket failed', { err });
    });
    this.pending--;
  }

  private refusal(): RpcError | undefined {
    if (!this.admission.mayAsk()) return new RpcError(RpcCode.tooMany, 'this client makes more requests than allowed');
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

  private send(text: string | Uint8Array): void {
    this.session.outbound.reply(typeof text === 'string' ? Buffer.from(text) : text, 'text');
    if (this.isBusy) this.peer.pauseReading();
  }

  private letGo(reason: string): void {
    const { peer } = this.session.facts;
    this.parts.log('warning', `${peer} was let go: ${reason}`, { peer, session: this.session.id });
    this.peer.destroy();
  }

  private close(): void {
    this.isClosed = true;
    this.gone.abort();
    this.unread.close();
    this.conversation.close();
    this.session.close();
  }
}
