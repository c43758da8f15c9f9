// Routes the requests of one HTTP port to the front-ends; trust decides before a front-end sees a request.
import type { Log } from '../../serving/session/log.js';
import { SparseLog } from '../../serving/session/sparse-log.js';
import type { WebSocketPeer } from '../../serving/transport/connection.js';
import type {
  Admission,
  HttpEndpoint,
  HttpRoute,
  Refusal,
  RouteHandler,
  WebSocketRoute,
} from '../../serving/transport/front-end.js';
import { BodyTooLargeError, type HttpExchange, type ResponseHeaders } from '../../serving/transport/http-exchange.js';
import { goBelow, type HttpRequest } from '../../serving/transport/http-request.js';
import { TOO_MANY, type Trust } from '../../serving/trust/trust.js';

const TEXT_TYPE = { 'content-type': 'text/plain; charset=utf-8' };

interface Owned<T> {
  readonly route: T;
  readonly endpoint: HttpEndpoint;
}

/** Routes of one path by HTTP method. */
type Methods = Map<string, Owned<HttpRoute>>;

export class HttpRouter {
  private readonly paths = new Map<string, Methods>();
  private readonly webSockets = new Map<string, Owned<WebSocketRoute>>();
  private readonly rest: HttpEndpoint | undefined;
  private readonly refusals: SparseLog;
  private readonly others: { readonly place: string; readonly router: HttpRouter }[] = [];

  /** Throws one sentence when two routes, two WebSockets or two fallbacks have the same place. */
  constructor(
    endpoints: readonly HttpEndpoint[],
    private readonly trust: Trust,
    log: Log,
  ) {
    this.refusals = new SparseLog(trust.clock, log);
    for (const endpoint of endpoints) {
      for (const route of endpoint.routes) this.addRoute(endpoint, route);
      for (const route of endpoint.webSockets ?? []) this.addWebSocket(endpoint, route);
    }
    for (const path of this.webSockets.keys()) this.explainWebSocket(path);
    const [rest, other] = endpoints.filter(({ fallback }) => fallback);
    if (rest && other) throw new Error(`${rest.name} and ${other.name} both answer what nobody else does`);
    this.rest = rest ?? endpoints[0];
  }

  /** Leaves what comes below a path, such as `/alone/ball`, to the router of another server. */
  leave(place: string, router: HttpRouter): void {
    this.others.push({ place, router });
  }

  private otherOf(path: string) {
    return this.others.find(({ place }) => path === place || path.startsWith(`${place}/`));
  }

  /** Answers one request. */
  async handle(exchange: HttpExchange): Promise<void> {
    const { method, path, peer } = exchange;
    const refusal = this.trust.refusalOf(peer);
    if (refusal) {
      this.turnAway(exchange, refusal);
      return;
    }
    const other = this.otherOf(path);
    if (other) return path === other.place ? toPage(exchange) : other.router.handle(goBelow(exchange, other.place));
    const methods = this.paths.get(path);
    const owned = methods?.get(method === 'HEAD' ? 'GET' : method);
    const admission = this.isOpen(method, methods, owned)
      ? this.trust.admitWithoutToken(exchange)
      : this.trust.admit(exchange);
    const owner = (owned ?? [...(methods?.values() ?? [])][0])?.endpoint ?? this.rest;
    if ('status' in admission) this.refuse(exchange, owner, admission);
    else if (!admission.mayAsk()) this.refuse(exchange, owner, TOO_MANY);
    else await this.answer(this.answerOf(method, methods, owned), exchange, admission);
  }

  /** A body that was too long is refused with headers that let a page of an allowed origin read the answer. */
  private async answer(handler: RouteHandler, exchange: HttpExchange, admission: Admission): Promise<void> {
    try {
      await handler(exchange, admission);
    } catch (error) {
      if (!(error instanceof BodyTooLargeError)) throw error;
      say(exchange, 413, error.message, admission.headers);
    }
  }

  /** Refuses a client that may not connect at all, whatever it asks for. */
  turnAway(exchange: HttpExchange, { status, message }: Refusal): void {
    const { peer } = exchange;
    this.refusals.say('informational', `${peer} was refused: ${message}`, { peer, status });
    exchange.respond(status, TEXT_TYPE, `${message}\n`);
  }

  /** Decides whether a WebSocket may be opened. */
  accept(request: HttpRequest): true | Refusal {
    const other = this.otherOf(request.path);
    if (other) return other.router.accept(goBelow({ ...request }, other.place));
    const refusal = this.trust.refusalOf(request.peer);
    if (refusal) return refusal;
    const owned = this.webSockets.get(request.path);
    if (!owned) return { status: 404, message: this.whereWebSocketsAre };
    const admission = this.trust.admit(request);
    const refused = 'status' in admission ? admission : owned.route.refuse?.(request);
    if (!refused) return true;
    this.logRefusal(request, refused);
    return refused;
  }

  subprotocols(path: string): readonly string[] | 'any' {
    const other = this.otherOf(path);
    if (other) return other.router.subprotocols(path.slice(other.place.length));
    return this.webSockets.get(path)?.route.subprotocols ?? [];
  }

  /** Hands an accepted WebSocket to its front-end. */
  open(peer: WebSocketPeer): void {
    const other = this.otherOf(peer.request.path);
    if (other) {
      goBelow(peer.request, other.place);
      other.router.open(peer);
    } else this.openHere(peer);
  }

  private openHere(peer: WebSocketPeer): void {
    const owned = this.webSockets.get(peer.request.path);
    const admission = this.trust.admit(peer.request);
    if (!owned || 'status' in admission) peer.destroy();
    else owned.route.open(peer, admission);
  }

  private addRoute(endpoint: HttpEndpoint, route: HttpRoute): void {
    const { method, path } = route;
    const methods: Methods = this.paths.get(path) ?? new Map();
    const other = methods.get(method)?.endpoint;
    if (other) throw new Error(`${method} ${path} is answered by ${other.name} and by ${endpoint.name}`);
    this.paths.set(path, methods.set(method, { route, endpoint }));
  }

  private addWebSocket(endpoint: HttpEndpoint, route: WebSocketRoute): void {
    const other = this.webSockets.get(route.path)?.endpoint;
    if (other) throw new Error(`WebSockets at ${route.path} are opened by ${other.name} and by ${endpoint.name}`);
    this.webSockets.set(route.path, { route, endpoint });
  }

  /** Makes a plain request to a WebSocket's path get a sentence that explains it. */
  private explainWebSocket(path: string): void {
    const { endpoint } = this.webSockets.get(path) as Owned<WebSocketRoute>;
    const answer: RouteHandler = (exchange) =>
      say(exchange, 426, 'a WebSocket is opened here', { upgrade: 'websocket' });
    if (!this.paths.get(path)?.has('GET')) this.addRoute(endpoint, { method: 'GET', path, answer });
  }

  private get whereWebSocketsAre(): string {
    const paths = [...this.webSockets.keys()];
    return paths.length === 0 ? 'no WebSocket is opened here' : `WebSockets are opened at ${paths.join(', ')}`;
  }

  /** Whether no token is needed: preflights and watchdogs carry none. */
  private isOpen(method: string, methods: Methods | undefined, owned: Owned<HttpRoute> | undefined): boolean {
    if (method === 'OPTIONS') return true;
    const asked = owned ? [owned] : [...(methods?.values() ?? [])];
    return asked.some(({ route }) => route.isOpen);
  }

  private answerOf(method: string, methods: Methods | undefined, owned: Owned<HttpRoute> | undefined): RouteHandler {
    if (method === 'OPTIONS') return owned?.route.answer ?? answerPreflight;
    if (owned) return owned.route.answer;
    if (methods) return (exchange, admission) => refuseMethod(exchange, admission, [...methods.keys()].join(', '));
    return this.rest?.fallback ?? refusePath;
  }

  private refuse(exchange: HttpExchange, owner: HttpEndpoint | undefined, refusal: Refusal): void {
    this.logRefusal(exchange, refusal);
    const headers: Record<string, string> = { ...this.trust.pageHeaders(exchange) };
    if (refusal.status === 401) headers['www-authenticate'] = 'Bearer';
    if (refusal.status === 429) headers['retry-after'] = '1';
    if (owner?.refuse) owner.refuse(exchange, refusal, headers);
    else say(exchange, refusal.status, refusal.message, headers);
  }

  private logRefusal({ peer, method, path }: HttpRequest, { status, message }: Refusal): void {
    this.refusals.say('informational', `${peer} was refused: ${message}`, {
      peer,
      method,
      path: path.slice(0, 100),
      status,
    });
  }
}

/** The page's addresses are relative, so its own must end with a slash; a proxy may have taken a part of the path away. */
function toPage(exchange: HttpExchange): void {
  const { path, query } = exchange;
  const asked = query.size > 0 ? `?${query}` : '';
  exchange.respond(308, { location: `${path.slice(path.lastIndexOf('/') + 1)}/${asked}` });
}

/** Answers with one sentence of text. */
function say(exchange: HttpExchange, status: number, sentence: string, headers: ResponseHeaders = {}): void {
  exchange.respond(status, { ...TEXT_TYPE, 'cache-control': 'no-store', ...headers }, `${sentence}\n`);
}

function refuseMethod(exchange: HttpExchange, { headers }: Admission, allow: string): void {
  say(exchange, 405, `${exchange.path} takes ${allow}, not ${exchange.method}`, { ...headers, allow });
}

const refusePath: RouteHandler = (exchange, { headers }) =>
  say(exchange, 404, `there is nothing at ${exchange.path.slice(0, 100)}`, headers);

function answerPreflight(exchange: HttpExchange, { headers }: Admission): void {
  exchange.respond(204, {
    ...headers,
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': 'content-type, authorization, last-event-id',
    'access-control-max-age': '600',
  });
}
