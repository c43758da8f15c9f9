// The open ports of a server: opens the endpoints of its front-ends, and asks trust about every client that connects.
import { SparseLog } from '../../serving/session/sparse-log.js';
import { UnreadAnswers } from '../../serving/session/unread-answers.js';
import { type Address, formatAddress, isLoopback } from '../../serving/transport/address.js';
import type { WatchAnswers } from '../../serving/transport/answer-queue.js';
import type { Connection, Listener } from '../../serving/transport/connection.js';
import type { ConnectionLimits } from '../../serving/transport/connection-limits.js';
import type {
  DatagramEndpoint,
  Endpoint,
  HttpEndpoint,
  MulticastEndpoint,
  OpenPort,
  StreamEndpoint,
} from '../../serving/transport/front-end.js';
import type { HeldBack } from '../../serving/transport/held-back.js';
import {
  createHttp,
  type HttpHandler,
  type HttpService,
  listenHttp,
  UNFINISHED_BODY_BYTES,
} from '../../serving/transport/http.js';
import type { HttpExchange } from '../../serving/transport/http-exchange.js';
import type { HttpRequest } from '../../serving/transport/http-request.js';
import { ListenError } from '../../serving/transport/listen-error.js';
import type { Mounted } from '../../serving/transport/mounted.js';
import { MountedHttp } from '../../serving/transport/mounted-http.js';
import { joinMulticast } from '../../serving/transport/multicast.js';
import { listenSharedPort } from '../../serving/transport/shared-port.js';
import { listenTcp } from '../../serving/transport/tcp.js';
import { listenUdp } from '../../serving/transport/udp.js';
import { acceptWebSockets, type WebSocketOptions } from '../../serving/transport/websocket.js';
import type { Every } from '../../serving/transport/websocket-connection.js';
import type { Trust } from '../../serving/trust/trust.js';
import { HttpRouter } from './http-router.js';
import type { SourceOptions } from './options.js';
import { type ExampleFacts, type RunningEndpoint, runningEndpoint } from './running-endpoint.js';
import type { ServerLog } from './server-log.js';

export interface PortSettings {
  /** The main address. */
  readonly host: string;
  readonly tls: SourceOptions['tls'];
  readonly http: SourceOptions['http'];
  readonly maxConnections: number;
  readonly limits: ConnectionLimits;
  readonly heldBack: HeldBack;
  /** Timer for the pings of WebSockets. */
  readonly every: Every;
  readonly trust: Trust;
  readonly log: ServerLog;
  readonly examples: () => ExampleFacts;
}

/** HTTP endpoints with the same address, and the service that answers for them. */
interface HttpPort {
  readonly router: HttpRouter;
  readonly service: HttpService;
  listener?: Listener;
}

export class PortSet {
  private readonly listeners = new Set<Listener>();
  /** Ports that are about to open, which the end waits for. */
  private readonly opening = new Set<Promise<Listener>>();
  private isClosed = false;
  private readonly httpPorts = new Map<string, HttpPort>();
  private readonly running = new Map<Endpoint, RunningEndpoint>();
  private readonly mounted: MountedHttp[] = [];
  private readonly refusals: SparseLog;
  private readonly unread: UnreadAnswers;
  private main: Listener | undefined;

  constructor(private readonly settings: PortSettings) {
    const { log, trust, heldBack } = settings;
    this.refusals = new SparseLog(trust.clock, (...line) => log.say(...line));
    this.unread = new UnreadAnswers(trust.clock, (sentence) => heldBack.note('unread', sentence));
  }

  /** Number of the main port; 0 before it is open. */
  get mainPort(): number {
    return this.main?.port ?? 0;
  }

  /** The open endpoints, in the order in which they were given. */
  get endpoints(): readonly RunningEndpoint[] {
    return [...this.running.values()];
  }

  /**
   * Opens all endpoints. Rejects with one sentence for the first that cannot be opened. When two endpoints want the
   * same place it rejects before it opens any.
   */
  async open(endpoints: readonly Endpoint[], port: number): Promise<void> {
    const streams = endpoints.filter((endpoint) => endpoint.kind === 'stream' && endpoint.at === 'main');
    if (streams.length > 1) throw new Error(`${streams.map(({ name }) => name).join(' and ')} both want the main port`);
    this.createHttpPorts(endpoints);
    await this.openMain(streams[0] as StreamEndpoint | undefined, port);
    for (const endpoint of endpoints) await (endpoint.givesWay ? this.addIfFree(endpoint) : this.add(endpoint));
  }

  /** Opens an endpoint that nobody has asked for; when its port is taken, a line in the log says so. */
  private async addIfFree(endpoint: Endpoint): Promise<void> {
    try {
      await this.add(endpoint);
    } catch (error) {
      if (!(error instanceof ListenError) || error.code !== 'EADDRINUSE') throw error;
      const spoken = endpoint.speaks.join(', ');
      this.settings.log.say('warning', `${error.message}, so ${spoken} is spoken on the main port alone`);
    }
  }

  /** Opens one more endpoint; rejects with one sentence. The result is undefined when the options switch it off. */
  async add(endpoint: Endpoint): Promise<OpenPort | undefined> {
    const listener = await this.listenFor(endpoint);
    if (!listener) return undefined;
    const { host } = endpoint.at === 'main' ? this.settings : endpoint.at;
    const at = { host, port: listener.port };
    this.running.set(endpoint, runningEndpoint(endpoint, at, this.settings.examples()));
    endpoint.opened?.(at);
    const close = (): Promise<void> => {
      this.running.delete(endpoint);
      this.listeners.delete(listener);
      return listener.close();
    };
    return { port: listener.port, wasUsed: () => listener.wasUsed?.() ?? true, close };
  }

  /** Answers below a path of the main address what the main address of another server answers, which opens no port. */
  leave(place: string, other: PortSet): void {
    const [own, its] = [this.httpPorts.get(MAIN), other.httpPorts.get(MAIN)];
    if (own && its) own.router.leave(place, its.router);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    for (const { service } of this.httpPorts.values()) service.close();
    for (const mounted of this.mounted) mounted.close();
    await Promise.all([...this.listeners].map((listener) => listener.close()));
    await Promise.allSettled(this.opening);
  }

  /** Makes one HTTP port per address; `main` is the address where the options want HTTP. */
  private createHttpPorts(endpoints: readonly Endpoint[]): void {
    const groups = new Map<string, HttpEndpoint[]>();
    for (const endpoint of endpoints) {
      if (endpoint.kind !== 'http') continue;
      const key = keyOf(endpoint);
      groups.set(key, [...(groups.get(key) ?? []), endpoint]);
    }
    const { trust, log } = this.settings;
    for (const [key, group] of groups) {
      const router = new HttpRouter(group, trust, log.operator);
      this.httpPorts.set(key, { router, service: this.createService(router) });
    }
  }

  private createService(router: HttpRouter): HttpService {
    const { maxConnections, heldBack } = this.settings;
    const { onHandlerError, watchAnswers } = this;
    const options = { maxConnections, heldBack, onHandlerError, watchAnswers };
    const service = createHttp(options, (exchange) => router.handle(exchange));
    acceptWebSockets(service, this.webSocketsOf(router), (peer) => router.open(peer));
    return service;
  }

  private webSocketsOf(router: HttpRouter): WebSocketOptions {
    const { every, heldBack } = this.settings;
    return {
      accept: (request) => router.accept(request),
      subprotocols: (path) => router.subprotocols(path),
      every,
      heldBack,
    };
  }

  private readonly watchAnswers: WatchAnswers = (connection) => this.unread.watch(connection);

  private readonly onHandlerError = (err: unknown, { method, path }: HttpExchange): void =>
    this.settings.log.say('error', `${method} ${path.slice(0, 100)} failed`, { err: err as Error });

  /**
   * Makes handlers that answer, below a path of another program's server, what the main address answers. Throws a
   * RangeError.
   */
  mount(path: string): Mounted {
    const { router } = this.httpPorts.get(MAIN) as HttpPort;
    const { trust, heldBack } = this.settings;
    const { onHandlerError, watchAnswers } = this;
    const handler: HttpHandler = (exchange) => {
      const refusal = trust.refusalOfStranger(exchange.peer);
      return refusal ? router.turnAway(exchange, refusal) : router.handle(exchange);
    };
    const mounted = new MountedHttp({
      path,
      handler,
      onHandlerError,
      unfinishedBodyBytes: UNFINISHED_BODY_BYTES,
      heldBack,
      watchAnswers,
    });
    const options = this.webSocketsOf(router);
    const accept = (request: HttpRequest) => trust.refusalOfStranger(request.peer) ?? options.accept(request);
    acceptWebSockets(mounted, { ...options, accept }, (peer) => router.open(peer));
    this.mounted.push(mounted);
    return mounted;
  }

  private async openMain(stream: StreamEndpoint | undefined, port: number): Promise<void> {
    const at = this.at({ host: this.settings.host, port });
    const http = this.httpPorts.get(MAIN);
    const shared = this.settings.http === undefined ? http : undefined;
    if (shared) {
      const sides = { http: shared.service, ...(stream && { stream: this.guarded(stream) }) };
      this.main = await this.keep(listenSharedPort(at, sides));
    } else if (stream) this.main = await this.keep(listenTcp(at, this.guarded(stream)));
    if (shared && this.main) shared.listener = this.main;
  }

  private async listenFor(endpoint: Endpoint): Promise<Listener | undefined> {
    switch (endpoint.kind) {
      case 'stream':
        return endpoint.at === 'main' ? this.main : this.openStream(endpoint, endpoint.at);
      case 'datagram':
        return this.openDatagrams(endpoint);
      case 'multicast':
        return this.openGroup(endpoint);
      case 'http':
        return this.openHttp(endpoint);
    }
  }

  /** Shares the port with the HTTP endpoints of the same address, if there are some. */
  private async openStream(endpoint: StreamEndpoint, at: Address): Promise<Listener> {
    const stream = this.guarded(endpoint);
    const http = this.httpPorts.get(keyOf(endpoint));
    if (!http) return this.keep(listenTcp(this.at(at), stream));
    http.listener = await this.keep(listenSharedPort(this.at(at), { http: http.service, stream }));
    return http.listener;
  }

  private async openDatagrams(endpoint: DatagramEndpoint): Promise<Listener> {
    const main = { host: this.settings.host, port: this.mainPort };
    const { host, port } = endpoint.at === 'main' ? main : endpoint.at;
    const { heldBack, trust } = this.settings;
    const isAllowed = (peer: string): boolean => trust.admitsAddress(peer, endpoint.trust);
    return this.keep(listenUdp({ host, port, isAllowed, heldBack }, (connection) => endpoint.accept(connection)));
  }

  private async openGroup(endpoint: MulticastEndpoint): Promise<Listener> {
    const { group, at } = endpoint;
    const ttl = isLoopback(at.host) ? 0 : 1;
    const { heldBack, trust, log } = this.settings;
    const isAllowed = (peer: string): boolean => trust.admitsAddress(peer, endpoint.trust);
    const say = (sentence: string): void => log.say('warning', sentence);
    return this.keep(
      joinMulticast({ group, ...at, ttl, isAllowed, heldBack, say }, (connection) => endpoint.accept(connection)),
    );
  }

  private async openHttp(endpoint: HttpEndpoint): Promise<Listener | undefined> {
    const place = this.placeOf(endpoint);
    // One that is opened while the server runs.
    if (!this.httpPorts.has(keyOf(endpoint))) this.createHttpPorts([endpoint]);
    const port = this.httpPorts.get(keyOf(endpoint));
    if (!place || !port) return undefined;
    port.listener ??= await this.keep(listenHttp(this.at(place), port.service));
    return port.listener;
  }

  /** The address of an endpoint; undefined when the options switch HTTP off. */
  private placeOf({ at }: HttpEndpoint): Address | undefined {
    const { http, host } = this.settings;
    if (at !== 'main') return at;
    return http === 'off' ? undefined : { host, port: http ?? this.mainPort };
  }

  /** Passes on only the connections that trust admits. */
  private guarded(endpoint: StreamEndpoint): (connection: Connection) => void {
    const { trust } = this.settings;
    return (connection) => {
      if (trust.admitsAddress(connection.peer, endpoint.trust)) return endpoint.accept(connection);
      this.refusals.say('warning', `${connection.peer} was refused`);
      connection.destroy();
    };
  }

  private at({ host, port }: Address) {
    const { tls, limits } = this.settings;
    const turnedAway = (sentence: string): void => this.refusals.say('warning', sentence);
    return { host, port, limits, turnedAway, ...(tls ? { tls } : {}) };
  }

  /** Keeps what is opened until the end. What opens after that is closed, and the promise rejects. */
  private keep(opening: Promise<Listener>): Promise<Listener> {
    const kept = opening.then(async (listener) => {
      if (!this.isClosed) {
        this.listeners.add(listener);
        return listener;
      }
      await listener.close();
      throw new Error('the server ends, no port is opened');
    });
    this.opening.add(kept);
    const over = (): unknown => this.opening.delete(kept);
    kept.then(over, over);
    return kept;
  }
}

const MAIN = 'main';

/** Endpoints with the same key share a port. */
const keyOf = ({ at, name }: HttpEndpoint | StreamEndpoint): string => {
  if (at === 'main') return MAIN;
  return at.port === 0 ? `${at.host}, a free port for ${name}` : formatAddress(at.host, at.port);
};
