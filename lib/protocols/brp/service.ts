// Answers the protocol's requests: over HTTP, as streams, and over WebSockets.
import { LIMITS } from '../../model/bounds/limits.js';
import type { ClientSessions } from '../../serving/session/client-sessions.js';
import type { Log } from '../../serving/session/log.js';
import type { SessionRegistry } from '../../serving/session/registry.js';
import type { Session } from '../../serving/session/session.js';
import { bracketed, hostOf } from '../../serving/transport/address.js';
import type { Admission } from '../../serving/transport/front-end.js';
import { BodyTooLargeError, type HttpExchange } from '../../serving/transport/http-exchange.js';
import { type Caller, callerOfRequest } from '../json-rpc/caller.js';
import type { RpcRequest } from '../json-rpc/envelope.js';
import { RpcCode, RpcError, TOO_MANY_BODIES } from '../json-rpc/rpc-error.js';
import { invalidRequest, methodNotFound } from './brp-error.js';
import { ComponentFollowers } from './component-followers.js';
import type { Watch, WatchOutput } from './entity-watch.js';
import { BrpEnvelope } from './envelope.js';
import { type Generation, generationOf } from './generation.js';
import { type BrpDispatcher, brpDispatcher, translated } from './methods.js';
import type { BrpCall, BrpContext } from './operation.js';
import { isProposal } from './own-messages.js';
import { proposalDispatcher } from './proposal.js';
import { beginWatch, findWatch } from './watch-methods.js';
import { SseOutput } from './watch-outputs.js';
import { worldOf } from './world.js';

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
export interface BrpAsker extends Pick<BrpContext, 'mayChange' | 'endWatch'> {
  readonly session: Session;
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
    registry.ledger.show('entityNames', worldOf(registry.source).names.figures);
  }

  close(): void {
    this.followers.close();
  }

  /** Answers any request that comes over HTTP. */
  async exchange(exchange: HttpExchange, admission: Admission): Promise<void> {
    try {
      await this.held(exchange, admission, await exchange.readBody(MAX_BODY_BYTES));
    } catch (error) {
      if (!(error instanceof BodyTooLargeError)) throw error;
      const text = this.envelope.error(null, new RpcError(RpcCode.invalidRequest, error.message));
      exchange.respond(413, { ...JSON_TYPE, ...admission.headers }, text);
    }
  }

  private async held(exchange: HttpExchange, admission: Admission, body: Uint8Array): Promise<void> {
    const answer = () => this.answer(exchange, admission, body);
    if (await this.parts.clients.during(bracketed(hostOf(exchange.peer)), body.length, answer)) return;
    exchange.respond(429, { ...JSON_TYPE, ...admission.headers }, this.envelope.error(null, TOO_MANY_BODIES));
  }

  /** Answers a request whose body has been read. The status is 200 for errors too. */
  async answer(exchange: HttpExchange, { mayChange, headers, mayAsk }: Admission, body: Uint8Array): Promise<void> {
    const session = this.parts.clients.of(bracketed(hostOf(exchange.peer)));
    const caller = callerOfRequest(session.account, exchange, this.parts.registry.turns, mayAsk);
    const asker = { session, caller, mayChange };
    const watch = await this.watchIn(body, caller);
    if (watch) return this.stream(exchange, headers, watch, asker);
    const { text, heldBytes } = await this.dispatch(body, asker);
    exchange.onClose(() => caller.account.give('unreadBytes', heldBytes));
    if (text) exchange.respond(200, { ...JSON_TYPE, ...headers }, text.pieces);
  }

  /** Answers a message that begins no watch. */
  async dispatch(message: Uint8Array, asker: BrpAsker) {
    const { caller } = asker;
    const isProposed = holds(message, '"request"') && isProposal(await this.tryParse(message, caller));
    return (isProposed ? this.proposals : this.dispatcher).answer(message, this.contextOf(asker));
  }

  /** The request of a message that is to be answered with a stream: its method's name tells. */
  async watchIn(message: Uint8Array, caller: Caller): Promise<RpcRequest | undefined> {
    if (!holds(message, '+watch')) return undefined;
    const value = await this.tryParse(message, caller);
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
    const { method } = value as { method?: unknown };
    if (typeof method !== 'string' || !method.includes('+watch')) return undefined;
    try {
      return this.envelope.read(value);
    } catch {
      // The dispatcher answers what is no request.
      return undefined;
    }
  }

  /** Begins the watch that a request asks for; undefined when it was refused, which the output tells. */
  async begin(request: RpcRequest, asker: BrpAsker, output: WatchOutput): Promise<Watch | undefined> {
    const { id, method, params } = request;
    const call: BrpCall = {
      ...this.contextOf(asker),
      name: method,
      generation: generationOf(method, this.parts.preferred),
    };
    try {
      requireShort(id);
      const watch = findWatch(method);
      if (!watch) throw methodNotFound(method);
      return await beginWatch(watch, call, params, output);
    } catch (error) {
      const said = error instanceof RpcError ? error : translated(error);
      if (!said && !asker.caller.presence.isOver)
        this.parts.log('error', `the watch ${method} failed`, { err: error as Error });
      output.fail(said ?? new RpcError(RpcCode.internal, 'the server failed to begin this watch'));
      return undefined;
    }
  }

  private async stream(
    exchange: HttpExchange,
    headers: Admission['headers'],
    request: RpcRequest,
    asker: BrpAsker,
  ): Promise<void> {
    const stream = exchange.stream(200, { ...EVENTS_TYPE, ...headers });
    const { registry } = this.parts;
    const session = registry.create({ frontEnd: 'brp', peer: exchange.peer, transport: 'sse' }, stream);
    const output = new SseOutput(session.outbound, this.envelope, request.id, () => stream.end());
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
    watch = await this.begin(request, asker, output);
    if (isClosed) watch?.close();
  }

  private contextOf({ session, caller, mayChange, endWatch }: BrpAsker): BrpContext {
    const { registry, preferred } = this.parts;
    const { source, clock } = registry;
    const { followers } = this;
    return {
      ...caller,
      source,
      session,
      registry,
      clock,
      followers,
      mayChange,
      preferred,
      ...(endWatch && { endWatch }),
    };
  }

  /** What a message says; undefined for one that is no JSON, and for one whose client has gone. */
  private async tryParse(message: Uint8Array, { turn }: Caller): Promise<unknown> {
    try {
      await turn();
      return await this.envelope.parse(message, turn);
    } catch {
      return undefined;
    }
  }
}

const holds = (message: Uint8Array, text: string): boolean =>
  Buffer.from(message.buffer, message.byteOffset, message.byteLength).includes(text);

/** Throws an RpcError for an id that is too long to be kept. */
function requireShort(id: unknown): void {
  if ((JSON.stringify(id)?.length ?? 0) <= LONGEST_WATCH_ID) return;
  throw invalidRequest(`the id of a watch may have at most ${LONGEST_WATCH_ID} characters as JSON`);
}
