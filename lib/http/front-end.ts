// The HTTP front-end: routes of a request, and the methods behind POST /jsonrpc and WebSocket /ws.

import type { CallContext } from '../json-rpc/call-context.js';
import { errorAnswer } from '../json-rpc/envelope.js';
import type { Method } from '../json-rpc/method.js';
import { RpcCode, RpcError } from '../json-rpc/rpc-error.js';
import type { SessionRegistry } from '../session/registry.js';
import type { Subscription } from '../session/subscription.js';
import { randomId, SubscriptionTable } from '../session/subscription-table.js';
import type { WebSocketPeer } from '../transport/connection.js';
import { BodyTooLarge, type HttpExchange, type ResponseHeaders } from '../transport/http-exchange.js';
import type { HttpRequest } from '../transport/http-request.js';
import { RateLimit } from '../trust/rate-limit.js';
import { type Admission, type PolicyOptions, type Refusal, RequestPolicy } from '../trust/request-policy.js';
import { addressOf, ClientSessions } from './client-sessions.js';
import { openEventStream } from './event-stream.js';
import { LANDING_PAGE_HEADERS, landingPage } from './landing-page.js';
import type { RpcDispatcher } from './methods.js';
import { metricsText } from './metrics.js';
import { openWebSocket } from './websocket-session.js';

const MAX_BODY_BYTES = 1_000_000;
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
const TEXT_TYPE = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };

export interface HttpFrontEndOptions extends PolicyOptions {
  readonly registry: SessionRegistry;
  readonly version: string;
  /** Methods of other front-ends that are answered here too. */
  readonly moreMethods?: readonly Method<CallContext>[];
  /** Where Trick text is spoken, for the page to show. */
  readonly trickPort?: () => number;
  /** Requests that one address may make in a second. Default: no limit. */
  readonly requestsPerSecond?: number;
  /** Hears what went wrong inside, who was refused, and which changes were refused after they had been answered. */
  readonly log?: HttpLog;
  /** Makes subscription ids; tests give their own. At most 20 ASCII characters. */
  readonly newId?: () => string;
}

/** `facts` by name, for programs; `err` is what was thrown. */
export type HttpLog = (
  level: 'error' | 'warning' | 'informational',
  sentence: string,
  facts: Readonly<Record<string, unknown>>,
) => void;

export interface HttpFrontEnd {
  /** Answers one request, whatever it is. */
  handle(exchange: HttpExchange): Promise<void>;
  /** Whether a WebSocket may be opened. */
  accept(request: HttpRequest): true | { readonly status: number; readonly message: string };
  /** Resolves when calls can be answered at once; the first one waits for it if nobody else has. */
  prepare(): Promise<void>;
  /** Takes an accepted WebSocket. */
  open(peer: WebSocketPeer): void;
  close(): void;
}

export function httpFrontEnd(options: HttpFrontEndOptions): HttpFrontEnd {
  return new FrontEnd(options);
}

type Route = (exchange: HttpExchange, admission: Admission) => void | Promise<void>;
/** By path, then by HTTP method. */
type Routes = ReadonlyMap<string, ReadonlyMap<string, Route>>;

class FrontEnd implements HttpFrontEnd {
  private readonly registry: SessionRegistry;
  private readonly policy: RequestPolicy;
  private readonly limit: RateLimit;
  private readonly table: SubscriptionTable;
  private readonly clients: ClientSessions;
  private dispatcher: Promise<RpcDispatcher> | undefined;
  private requests = 0;
  private readonly log: HttpLog;
  private readonly routes: Routes;
  private sequence = 0;

  constructor(private readonly options: HttpFrontEndOptions) {
    const { registry } = options;
    this.registry = registry;
    this.log = options.log ?? (() => {});
    this.policy = new RequestPolicy(options);
    this.limit = new RateLimit(options.requestsPerSecond ?? Number.POSITIVE_INFINITY, registry.clock);
    this.table = new SubscriptionTable(registry, options.newId ?? randomId);
    this.clients = new ClientSessions(registry);
    this.routes = this.createRoutes();
  }

  async handle(exchange: HttpExchange): Promise<void> {
    const { method, path, peer } = exchange;
    const isOpen = method === 'OPTIONS' || path === '/healthz';
    // Neither a preflight nor a watchdog carries a token.
    const admission = isOpen ? this.policy.admitOrigin(exchange) : this.policy.admit(exchange);
    if ('status' in admission) this.refuse(exchange, admission);
    else if (!this.limit.take(addressOf(peer))) this.refuse(exchange, TOO_MANY);
    else await this.route(exchange, { mayChange: false, ...admission });
  }

  private async route(exchange: HttpExchange, admission: Admission): Promise<void> {
    const { method, path } = exchange;
    const route = this.routes.get(path);
    const call = method === 'OPTIONS' ? answerPreflight : route?.get(method === 'HEAD' ? 'GET' : method);
    if (call) await call(exchange, admission);
    else if (route) {
      const allow = [...route.keys()].join(', ');
      say(exchange, 405, `${path} takes ${allow}, not ${method}`, { allow });
    } else say(exchange, 404, `there is nothing at ${path.slice(0, 100)}; GET / shows what is served`);
  }

  accept(request: HttpRequest): true | { readonly status: number; readonly message: string } {
    if (request.path !== '/ws') return { status: 404, message: 'WebSockets are opened at /ws' };
    const admission = this.policy.admit(request);
    if (!('status' in admission)) return true;
    this.logRefusal(request, admission);
    return admission;
  }

  open(peer: WebSocketPeer): void {
    const admission = this.policy.admit(peer.request);
    if ('status' in admission) {
      peer.destroy();
      return;
    }
    openWebSocket(peer, {
      registry: this.registry,
      table: this.table,
      dispatcher: this.methods(),
      mayTake: () => this.limit.take(addressOf(peer.peer)),
      context: (session) => this.contextOf(session, admission.mayChange, 'websocket'),
    });
  }

  async prepare(): Promise<void> {
    await this.methods();
  }

  close(): void {
    this.table.close();
    this.clients.close();
  }

  private createRoutes(): Routes {
    const rpc: Route = (exchange, admission) => this.rpc(exchange, admission);
    const { version, trickPort = () => undefined } = this.options;
    const page: Route = (exchange) =>
      void exchange.respond(200, LANDING_PAGE_HEADERS, landingPage(version, trickPort()));
    const get = (call: Route): ReadonlyMap<string, Route> => new Map([['GET', call]]);
    return new Map([
      ['/', new Map([...get(page), ['POST', rpc]])],
      ['/jsonrpc', new Map([['POST', rpc]])],
      ['/sse', get((exchange, admission) => this.events(exchange, admission))],
      ['/ws', get((exchange) => say(exchange, 426, 'a WebSocket is opened here', { upgrade: 'websocket' }))],
      ['/openrpc.json', get((exchange, admission) => this.discover(exchange, admission))],
      ['/metrics', get((exchange, admission) => this.metrics(exchange, admission))],
      ['/healthz', get((exchange) => say(exchange, 200, 'ok'))],
    ]);
  }

  /** Loaded apart: the schemas and zod are a quarter of what a start would load. */
  private methods(): Promise<RpcDispatcher> {
    this.dispatcher ??= import('./methods.js').then(({ rpcDispatcher }) => {
      const { version, moreMethods = [] } = this.options;
      const onFault = (err: unknown, method: string) =>
        this.log('error', `the method ${method} failed`, { method, err });
      return rpcDispatcher({ version, moreMethods, onFault });
    });
    return this.dispatcher;
  }

  private contextOf(session: CallContext['session'], mayChange: boolean, channel: CallContext['channel']): CallContext {
    const { source, clock } = this.registry;
    return {
      source,
      session,
      clock,
      mayChange,
      channel,
      subscriptions: this.table,
      nextSequence: () => ++this.sequence,
      onRefused: (sequence, { message }) => {
        const { peer } = session.facts;
        this.log('warning', `the change ${sequence} of ${peer} was refused: ${message}`, { peer, sequence });
      },
    };
  }

  private async rpc(exchange: HttpExchange, { mayChange, headers }: Admission): Promise<void> {
    const body = await readBody(exchange);
    if (body instanceof RpcError) {
      exchange.respond(413, { ...JSON_TYPE, ...headers }, errorAnswer(null, body));
      return;
    }
    this.requests++;
    const context = this.contextOf(this.clients.of(exchange.peer), mayChange, 'http');
    const { text, onlyStream } = await (await this.methods()).answer(body, context);
    if (onlyStream && wantsEvents(exchange)) this.stream(exchange, onlyStream.subscription, headers, false);
    else if (text === undefined) exchange.respond(204, headers);
    else exchange.respond(200, { ...JSON_TYPE, ...headers }, text);
  }

  private events(exchange: HttpExchange, { headers }: Admission): void {
    const id = exchange.query.get('sub');
    if (id === null) {
      say(exchange, 400, 'GET /sse needs ?sub= and the id that var/subscribe answered', headers);
    } else if (this.table.has(id)) {
      this.stream(exchange, this.table.find(id), headers, true);
    } else {
      const sentence = `there is no subscription ${JSON.stringify(id.slice(0, 100))}; ask var/subscribe for a new one`;
      say(exchange, 404, sentence, headers);
    }
  }

  private stream(
    exchange: HttpExchange,
    subscription: Subscription,
    cors: ResponseHeaders,
    isResumable: boolean,
  ): void {
    const headers = {
      ...cors,
      'varwire-subscription-id': subscription.id,
      'varwire-effective-cycle-ms': String(subscription.effectiveCycleMillis),
    };
    openEventStream(exchange, subscription, this.registry, this.table, { headers, isResumable });
  }

  private async discover(exchange: HttpExchange, { mayChange, headers }: Admission): Promise<void> {
    const context = this.contextOf(this.clients.of(exchange.peer), mayChange, 'http');
    const { methods } = await this.methods();
    const discovered = await methods.get('rpc.discover')?.call(context, {});
    exchange.respond(200, { ...JSON_TYPE, ...headers }, JSON.stringify(discovered?.result, null, 2));
  }

  private metrics(exchange: HttpExchange, { headers }: Admission): void {
    const text = metricsText(this.registry, this.table, this.requests);
    exchange.respond(200, { ...headers, 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }, text);
  }

  /** A JSON-RPC client gets its error as JSON, everybody else as text. */
  private refuse(exchange: HttpExchange, refusal: Refusal): void {
    const { status, message } = refusal;
    this.logRefusal(exchange, refusal);
    const headers: Record<string, string> = {};
    if (status === 401) headers['www-authenticate'] = 'Bearer';
    if (status === 429) headers['retry-after'] = '1';
    const code = status === 429 ? RpcCode.tooMany : RpcCode.notAllowed;
    if (exchange.method !== 'POST') say(exchange, status, message, headers);
    else exchange.respond(status, { ...JSON_TYPE, ...headers }, errorAnswer(null, new RpcError(code, message)));
  }

  private logRefusal({ peer, method, path }: HttpRequest, { status, message }: Refusal): void {
    this.log('informational', `${peer} was refused: ${message}`, { peer, method, path: path.slice(0, 100), status });
  }
}

const TOO_MANY: Refusal = {
  status: 429,
  message: 'this client makes more requests in a second than this server allows',
};

/** Answers with one sentence for people. */
function say(exchange: HttpExchange, status: number, sentence: string, headers: ResponseHeaders = {}): void {
  exchange.respond(status, { ...TEXT_TYPE, ...headers }, `${sentence}\n`);
}

function answerPreflight(exchange: HttpExchange, { headers }: Admission): void {
  exchange.respond(204, {
    ...headers,
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': 'content-type, authorization, last-event-id',
    'access-control-max-age': '600',
  });
}

async function readBody(exchange: HttpExchange): Promise<Uint8Array | RpcError> {
  try {
    return await exchange.readBody(MAX_BODY_BYTES);
  } catch (error) {
    if (!(error instanceof BodyTooLarge)) throw error;
    return new RpcError(RpcCode.invalidRequest, error.message);
  }
}

const wantsEvents = ({ headers }: HttpExchange): boolean => headers.accept?.includes('text/event-stream') ?? false;
