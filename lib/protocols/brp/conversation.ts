// The protocol over one WebSocket: answers and the events of watches, each with the id of its request.

import type { Session } from '../../serving/session/session.js';
import type { AnswerText } from '../json-rpc/answer-text.js';
import type { Caller } from '../json-rpc/caller.js';
import type { RpcRequest } from '../json-rpc/envelope.js';
import { invalidRequest } from './brp-error.js';
import type { Watch } from './entity-watch.js';
import type { BrpAsker, BrpService } from './service.js';
import { SocketOutput } from './watch-outputs.js';

/** One WebSocket. */
export interface BrpTalk {
  readonly session: Session;
  readonly caller: Caller;
  readonly mayChange: boolean;
  send(text: string | Uint8Array): void;
  /** Sends a whole answer; so many bytes of it count until the client has taken them. */
  sendAnswer(text: AnswerText | undefined, heldBytes: number): Promise<void>;
}

interface OpenWatch {
  readonly output: SocketOutput;
  watch: Watch | undefined;
}

export class BrpConversation {
  /** By the id of their requests, as JSON. */
  private readonly watches = new Map<string, OpenWatch>();
  private isClosed = false;
  private readonly asker: BrpAsker;

  constructor(
    private readonly service: BrpService,
    private readonly talk: BrpTalk,
  ) {
    const { session, caller, mayChange } = talk;
    this.asker = { session, caller, mayChange, endWatch: (id) => this.endWatch(id) };
  }

  /** Takes any message. */
  async take(message: Uint8Array): Promise<void> {
    const request = await this.service.watchIn(message, this.talk.caller);
    if (request) {
      await this.begin(request);
      return;
    }
    const { text, heldBytes } = await this.service.dispatch(message, this.asker);
    await this.talk.sendAnswer(text, heldBytes);
  }

  close(): void {
    this.isClosed = true;
    for (const { watch } of this.watches.values()) watch?.close();
    this.watches.clear();
  }

  private async begin(request: RpcRequest): Promise<void> {
    const { id } = request;
    const key = JSON.stringify(id ?? null);
    const refusal = key === 'null' ? NO_ID : this.watches.has(key) ? REPEATED_ID : undefined;
    if (refusal) {
      this.talk.send(this.service.envelope.error(id, refusal));
      return;
    }
    const output = new SocketOutput(this.talk.session.outbound, this.service.envelope, id, () => {
      this.watches.delete(key);
    });
    const open: OpenWatch = { output, watch: undefined };
    this.watches.set(key, open);
    open.watch = await this.service.begin(request, this.asker, output);
    // The client may have gone, or may have ended the watch, meanwhile.
    if (this.isClosed || this.watches.get(key) !== open) open.watch?.close();
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
