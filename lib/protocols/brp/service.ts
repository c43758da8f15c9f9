// Answers the protocol's requests: over HTTP, as streams, and over WebSockets.
import { LIMITS } from '../../model/bounds/limits.js';
import type { ClientSessions } from '../../serving/session/client-sessions.js';
import type { Log } from '../../serving/session/log.js';
import type { SessionRegistry } from '../../serving/session/registry.js';
import { bracketed, hostOf } from '../../serving/transport/address.js';
import type { Admission } from '../../serving/transport/front-end.js';
import { BodyTooLargeError, type HttpExchange } from '../../serving/transport/http-exchange.js';
import { type Caller, callerOfRequest } from '../json-rpc/caller.js';
import type { RpcRequest } from '../json-rpc/envelope.js';
import { RpcCode, RpcError, TOO_MANY_BODIES } from '../json-rpc/rpc-error.js';
import { invalidRequest, methodNotFound } from './brp-error.js';
import type { Watch } from './entity-watch.js';
import { BrpEnvelope } from './envelope.js';
import { type Generation, generationOf } from './generation.js';
import { ComponentFollowers } from './kept-component.js';
import { type BrpDispatcher, brpDispatcher, translated } from './methods.js';
import type { BrpContext } from './operation.js';
import { isProposal } from './own-messages.js';
import { proposalDispatcher } from './proposal.js';
import { beginWatch, findWatch } from './watch-methods.js';
import { SERVER_SENT, WatchOutput } from './watch-output.js';
import { namesOf } from './world.js';

/** A watch keeps its id as long as it runs. */
const LONGEST_WATCH_ID = 256;
const MAX_BODY_BYTES = LIMITS.messageBytes.each;
const JSON_TYPE = { 'content-type': 'application/json', 'cache-control': 'no-store' };
const EVENTS_TYPE = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' };

export interface ServiceParts {
  readonly registry: SessionRegistry;
  readonly clients: ClientSessions;
  readonly version: string;
  readonly preferred: Generation;
  /** Where the server can be reached, for rpc.discover. */
  readonly address: () => string;
  readonly log: Log;
}

/** Who asks: an address over HTTP, or a WebSocket. */
export interface BrpClient extends Pick<BrpContext, 'session' | 'mayChange' | 'endWatch'> {
  readonly caller: Caller;
}

export class BrpService {
  readonly envelope: BrpEnvelope;
  private readonly followers: ComponentFollowers;
  private readonly dispatcher: BrpDispatcher;
  private readonly proposals: BrpDispatcher;

  constructor(private readonly parts: ServiceParts) {
    const { registry, preferred, log } = parts;
    const onFault = (err: unknown, method: string) =>
      log('error', `the method ${method} failed`, { method, err: err as Error });
    const onError = registry.errors.note;
    this.envelope = new BrpEnvelope(preferred, onError);
    this.followers = new ComponentFollowers(registry);
    this.dispatcher = brpDispatcher({ ...parts, onFault, onError });
    this.proposals = proposalDispatcher({ onFault, onError });
    registry.ledger.show('entityNames', namesOf(registry.source).figures);
  }

  close(): void {
    this.followers.close();
  }

  /** Answers any request that comes over HTTP. */
  async exchange(exchange: HttpExchange, admission: Admission): Promise<void> {
    const refuse = (status: number, error: RpcError) =>
      exchange.respond(status, { ...JSON_TYPE, ...admission.headers }, this.envelope.error(null, error));
    try {
      const body = await exchange.readBody(MAX_BODY_BYTES);
      const answer = () => this.answer(exchange, admission, body);
      const isTaken = await this.parts.clients.during(bracketed(hostOf(exchange.peer)), body.length, answer);
      if (!isTaken) refuse(429, TOO_MANY_BODIES);
    } catch (error) {
      if (!(error instanceof BodyTooLargeError)) throw error;
      refuse(413, invalidRequest(error.message));
    }
  }

  /** Answers a request whose body has been read. The status is 200 for errors too. */
  async answer(exchange: HttpExchange, { mayChange, headers, mayAsk }: Admission, body: Uint8Array): Promise<void> {
    const session = this.parts.clients.of(bracketed(hostOf(exchange.peer)));
    const caller = callerOfRequest(session.account, exchange, this.parts.registry.turns, mayAsk);
    const client = { session, caller, mayChange };
    const answer = await this.take(body, client, (request) => this.stream(exchange, headers, request, client));
    if (!answer) return;
    exchange.onClose(() => caller.account.give('unreadBytes', answer.heldBytes));
    if (answer.text) exchange.respond(200, { ...JSON_TYPE, ...headers }, answer.text.pieces);
  }

  /**
   * Answers a message; undefined for one that begins a watch.
   * @param begin does that, which the method's name asks for.
   */
  async take(message: Uint8Array, client: BrpClient, begin: (request: RpcRequest) => Promise<undefined>) {
    const value = await this.looked(message, client.caller);
    const request = this.watchIn(value);
    if (request) return begin(request);
    return (isProposal(value) ? this.proposals : this.dispatcher).answer(message, this.contextOf(client));
  }

  /** What a message says, if that may be another thing than a call; undefined otherwise, and when it cannot be parsed. */
  private async looked(message: Uint8Array, { turn }: Caller): Promise<unknown> {
    const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
    if (!bytes.includes('+watch') && !bytes.includes('"request"')) return undefined;
    try {
      await turn();
      return await this.envelope.parse(message, turn);
    } catch {
      return undefined;
    }
  }

  private watchIn(value: unknown): RpcRequest | undefined {
    const method = (value as { method?: unknown } | null | undefined)?.method;
    if (typeof method !== 'string' || !method.includes('+watch')) return undefined;
    try {
      return this.envelope.read(value);
    } catch {
      // The dispatcher answers what is no request.
      return undefined;
    }
  }

  /** Begins the watch that a request asks for; undefined when it was refused, which the output tells. */
  async begin({ id, method, params }: RpcRequest, client: BrpClient, output: WatchOutput): Promise<Watch | undefined> {
    const generation = generationOf(method, this.parts.preferred);
    try {
      requireShort(id);
      const watch = findWatch(method);
      if (!watch) throw methodNotFound(method);
      return await beginWatch(watch, { ...this.contextOf(client), name: method, generation }, params, output);
    } catch (error) {
      const said = error instanceof RpcError ? error : translated(error);
      if (!said && !client.caller.presence.isOver)
        this.parts.log('error', `the watch ${method} failed`, { err: error as Error });
      output.fail(said ?? new RpcError(RpcCode.internal, 'the server failed to begin this watch'));
      return undefined;
    }
  }

  private async stream(
    exchange: HttpExchange,
    headers: Admission['headers'],
    request: RpcRequest,
    client: BrpClient,
  ): Promise<undefined> {
    const stream = exchange.stream(200, { ...EVENTS_TYPE, ...headers });
    const { registry } = this.parts;
    const session = registry.create({ frontEnd: 'brp', peer: exchange.peer, transport: 'sse' }, stream);
    const output = new WatchOutput(session.outbound, this.envelope, request.id, () => stream.end(), SERVER_SENT);
    let watch: Watch | undefined;
    let isClosed = false;
    stream.listen({
      drain: () => session.outbound.release(),
      close: () => {
        isClosed = true;
        watch?.close();
        session.close();
      },
    });
    watch = await this.begin(request, client, output);
    if (isClosed) watch?.close();
    return undefined;
  }

  private contextOf({ caller, ...client }: BrpClient): BrpContext {
    const { registry, preferred } = this.parts;
    const { source, clock } = registry;
    return { ...caller, ...client, source, registry, clock, followers: this.followers, preferred };
  }
}

/** Throws an RpcError for an id that is too long to be kept. */
function requireShort(id: unknown): void {
  if ((JSON.stringify(id)?.length ?? 0) <= LONGEST_WATCH_ID) return;
  throw invalidRequest(`the id of a watch may have at most ${LONGEST_WATCH_ID} characters as JSON`);
}
