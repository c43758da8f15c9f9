// A WebSocket that speaks only this protocol.

import type { Log } from '../../serving/session/log.js';
import type { SessionRegistry } from '../../serving/session/registry.js';
import type { Session } from '../../serving/session/session.js';
import type { WebSocketPeer } from '../../serving/transport/connection.js';
import type { Admission } from '../../serving/transport/front-end.js';
import { AskingSocket } from '../json-rpc/asking-socket.js';
import { BrpConversation } from './conversation.js';
import type { BrpService } from './service.js';

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
  private readonly asking: AskingSocket;
  private readonly conversation: BrpConversation;

  constructor(
    private readonly peer: WebSocketPeer,
    admission: Admission,
    private readonly parts: SocketParts,
  ) {
    const { registry, service } = parts;
    this.session = registry.create({ frontEnd: 'brp', peer: peer.peer, transport: 'websocket' }, peer);
    this.asking = new AskingSocket(this.session, peer, { registry, mayAsk: () => admission.mayAsk() });
    this.conversation = new BrpConversation(service, {
      session: this.session,
      caller: this.asking.caller,
      mayChange: admission.mayChange,
      send: (text) => this.asking.send(text),
      sendAnswer: (text, heldBytes) => this.asking.sendAnswer(text, heldBytes),
    });
  }

  listen(): void {
    this.peer.listen({
      data: (message) => void this.take(message),
      drain: () => this.asking.drained(),
      close: () => this.close(),
    });
  }

  private async take(message: Buffer): Promise<void> {
    const refusal = this.asking.begin(message.length);
    if (refusal) {
      this.asking.send(this.parts.service.envelope.error(undefined, refusal));
      return;
    }
    await this.asking.during(message.length, () => this.answer(message));
  }

  private async answer(message: Buffer): Promise<void> {
    const taking = this.conversation.take(message);
    this.asking.pauseIfBusy();
    await taking.catch((err: unknown) => {
      if (!this.asking.isClosed) this.parts.log('error', 'a message over a WebSocket failed', { err: err as Error });
    });
    this.asking.answered(message.length);
  }

  private close(): void {
    this.asking.close();
    this.conversation.close();
    this.session.close();
  }
}
