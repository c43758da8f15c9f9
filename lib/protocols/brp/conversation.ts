// The protocol over one WebSocket: answers and the events of watches, each with the id of its request.
import type { Log } from '../../serving/session/log.js';
import type { SessionRegistry } from '../../serving/session/registry.js';
import type { WebSocketPeer } from '../../serving/transport/connection.js';
import type { Admission } from '../../serving/transport/front-end.js';
import { type Answering, AskingSocket } from '../json-rpc/asking-socket.js';
import type { RpcRequest } from '../json-rpc/envelope.js';
import type { Talk } from '../json-rpc/talk.js';
import { invalidRequest } from './brp-error.js';
import type { Watch } from './entity-watch.js';
import type { BrpClient, BrpService } from './service.js';
import { WatchOutput } from './watch-output.js';

interface OpenWatch {
  readonly output: WatchOutput;
  watch: Watch | undefined;
}

export class BrpConversation {
  /** By the id of their requests, as JSON. */
  private readonly watches = new Map<string, OpenWatch>();
  private isClosed = false;
  private readonly client: BrpClient;

  constructor(
    private readonly service: BrpService,
    private readonly talk: Talk,
  ) {
    const { session, caller, mayChange } = talk;
    this.client = { session, caller, mayChange, endWatch: (id) => this.endWatch(id) };
  }

  /** Takes any message. */
  async take(message: Uint8Array): Promise<void> {
    const answer = await this.service.take(message, this.client, (request) => this.begin(request));
    if (answer) await this.talk.sendAnswer(answer.text, answer.heldBytes);
  }

  close(): void {
    this.isClosed = true;
    for (const { watch } of this.watches.values()) watch?.close();
    this.watches.clear();
  }

  private async begin(request: RpcRequest): Promise<undefined> {
    const { id } = request;
    const key = JSON.stringify(id ?? null);
    const refusal = key === 'null' ? NO_ID : this.watches.has(key) ? REPEATED_ID : undefined;
    if (refusal) {
      this.talk.send(this.service.envelope.error(id, refusal));
      return undefined;
    }
    const { outbound } = this.talk.session;
    const output = new WatchOutput(outbound, this.service.envelope, id, () => void this.watches.delete(key));
    const open: OpenWatch = { output, watch: undefined };
    this.watches.set(key, open);
    open.watch = await this.service.begin(request, this.client, output);
    // The client may have gone, or may have ended the watch, meanwhile.
    if (this.isClosed || this.watches.get(key) !== open) open.watch?.close();
    return undefined;
  }

  private endWatch(id: unknown): boolean {
    const key = JSON.stringify(id ?? null);
    const open = this.watches.get(key);
    if (!open) return false;
    this.watches.delete(key);
    open.watch?.close();
    open.output.withdraw();
    return true;
  }
}

const NO_ID = invalidRequest('a watch over a WebSocket needs an id, with which its events come');
const REPEATED_ID = invalidRequest('a watch with this id is running on this WebSocket');

interface SocketParts {
  readonly registry: SessionRegistry;
  readonly log: Log;
  readonly service: BrpService;
}

/** Opens a WebSocket that speaks only this protocol. */
export function openBrpSocket(
  peer: WebSocketPeer,
  { mayChange, mayAsk }: Admission,
  { registry, log, service }: SocketParts,
): void {
  const session = registry.create({ frontEnd: 'brp', peer: peer.peer, transport: 'websocket' }, peer);
  const asking = new AskingSocket(session, peer, { registry, mayAsk });
  const conversation = new BrpConversation(service, {
    session,
    caller: asking.caller,
    mayChange,
    send: (text) => asking.send(text),
    sendAnswer: (text, heldBytes) => asking.sendAnswer(text, heldBytes),
  });
  const answering: Answering = {
    answer: (message) => conversation.take(message),
    refused: (refusal) => asking.send(service.envelope.error(undefined, refusal)),
    failed: (err) => log('error', 'a message over a WebSocket failed', { err: err as Error }),
  };
  peer.listen({
    data: (message) => void asking.take(message, answering),
    drain: () => asking.drained(),
    close: () => {
      asking.close();
      conversation.close();
      session.close();
    },
  });
}
