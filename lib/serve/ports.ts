// The ports of a server: opened by its options, and later by Trick's var_server_create_* commands.

import type { Connection, Listener, WebSocketPeer } from '../transport/connection.js';
import { ConnectionLimits } from '../transport/connection-limits.js';
import type { HeldBack } from '../transport/held-back.js';
import { createHttp, type HttpService, listenHttp } from '../transport/http.js';
import type { HttpExchange } from '../transport/http-exchange.js';
import type { HttpRequest } from '../transport/http-request.js';
import { joinMulticast } from '../transport/multicast.js';
import { listenSharedPort } from '../transport/shared-port.js';
import { listenTcp } from '../transport/tcp.js';
import { listenUdp } from '../transport/udp.js';
import { acceptWebSockets } from '../transport/websocket.js';
import type { Every } from '../transport/websocket-connection.js';
import { DEFAULT_MAX_CONNECTIONS, isLoopback, type ServeOptions } from './options.js';

/** Who takes what comes in. */
export interface PortUsers {
  readonly http: (exchange: HttpExchange) => Promise<void>;
  readonly webSocket: {
    accept(request: HttpRequest): true | { readonly status: number; readonly message: string };
    open(peer: WebSocketPeer): void;
  };
  readonly trick: (connection: Connection) => void;
  readonly messages: (connection: Connection) => void;
  /** Whether a datagram's sender may speak to a Trick session. */
  readonly admitsDatagram: (peer: string) => boolean;
  /** Counts and tells who met a bound. */
  readonly heldBack: HeldBack;
  readonly every: Every;
  readonly onFault: (sentence: string, error: unknown) => void;
}

/** Ports that clients may open besides those of the options. */
const MOST_ADDED = 16;

export class PortSet {
  private readonly listeners: Listener[] = [];
  private readonly service: HttpService;
  private readonly limits: ConnectionLimits;
  private main: Listener | undefined;
  private httpListener: Listener | undefined;
  private udpListener: Listener | undefined;
  private messageListener: Listener | undefined;
  private added = 0;

  constructor(
    private readonly options: ServeOptions,
    private readonly users: PortUsers,
  ) {
    const { maxConnections = DEFAULT_MAX_CONNECTIONS, maxConnectionsPerAddress: mostByAddress } = options;
    const { heldBack, every } = users;
    this.limits = new ConnectionLimits({ heldBack, ...(mostByAddress === undefined ? {} : { mostByAddress }) });
    const onHandlerError = (error: unknown, { method, path }: HttpExchange) =>
      users.onFault(`${method} ${path.slice(0, 100)} failed`, error);
    this.service = createHttp({ maxConnections, heldBack, onHandlerError }, users.http);
    const { webSocket } = users;
    const accept = (request: HttpRequest) => webSocket.accept(request);
    acceptWebSockets(this.service, { accept, every, heldBack }, (peer) => webSocket.open(peer));
  }

  get mainPort(): number {
    return this.main?.port ?? 0;
  }
  get httpPort(): number | undefined {
    return this.httpListener?.port;
  }
  get udpPort(): number | undefined {
    return this.udpListener?.port;
  }

  get messagePort(): number | undefined {
    return this.messageListener?.port;
  }

  /** Opens all ports of the options; rejects with the first sentence why one cannot be opened. */
  async open(port: number): Promise<void> {
    const { http, tls, messages = 0, tcp = [], multicast = [] } = this.options;
    const at = this.at(port);
    const { trick } = this.users;
    this.main = this.keep(
      http === undefined
        ? await listenSharedPort(at, { http: this.service, stream: trick })
        : await listenTcp(at, trick),
    );
    if (http === undefined) this.httpListener = this.main;
    else if (http !== 'off') this.httpListener = this.keep(await listenHttp(this.at(http), this.service));
    // Datagrams have no TLS: where it is asked for, values in the clear have to be asked for too.
    const { udp = tls ? 'off' : { host: at.host, port: this.main.port } } = this.options;
    if (udp !== 'off') this.udpListener = await this.openUdp(udp.host, udp.port);
    if (messages !== 'off') this.messageListener = this.keep(await listenTcp(this.at(messages), this.users.messages));
    for (const address of tcp) await this.openTcp(address.host, address.port);
    for (const { group, port: groupPort } of multicast) await this.openMulticast(group, at.host, groupPort);
  }

  async close(): Promise<void> {
    this.service.close();
    await Promise.all(this.listeners.map((listener) => listener.close()));
  }

  /** Trick: var_server_create_tcp_socket */
  async tcp(address: string, port: number): Promise<void> {
    await this.add(address, (host) => this.openTcp(host, port));
  }

  /** Trick: var_server_create_udp_socket */
  async udp(address: string, port: number): Promise<void> {
    if (this.options.tls) throw new Error('only TLS is spoken here, and UDP cannot; no UDP session is opened');
    await this.add(address, async (host) => void (await this.openUdp(host, port)));
  }

  /** Trick: var_server_create_multicast_socket */
  async multicast(group: string, address: string, port: number): Promise<void> {
    await this.add(address, (host) => this.openMulticast(group, host, port));
  }

  private async openTcp(host: string, port: number): Promise<void> {
    this.keep(await listenTcp({ ...this.at(port), host }, this.users.trick));
  }

  private async openUdp(host: string, port: number): Promise<Listener> {
    const { admitsDatagram: isAllowed, heldBack } = this.users;
    return this.keep(await listenUdp({ host, port, isAllowed, heldBack }, this.users.trick));
  }

  private async openMulticast(group: string, host: string, port: number): Promise<void> {
    const ttl = isLoopback(host) ? 0 : 1;
    const { admitsDatagram: isAllowed, heldBack } = this.users;
    this.keep(await joinMulticast({ group, host, port, ttl, isAllowed, heldBack }, this.users.trick));
  }

  /** A client may open ports only where the operator has let clients in already. */
  private async add(address: string, open: (host: string) => Promise<void>): Promise<void> {
    const host = this.options.host ?? '127.0.0.1';
    const wanted = address === '' || address === '0.0.0.0' ? host : address;
    if (isLoopback(host) && !isLoopback(wanted)) throw new Error(`only loopback is served, ${wanted} is not opened`);
    if (this.added >= MOST_ADDED) throw new Error(`clients may open at most ${MOST_ADDED} ports`);
    this.added++;
    await open(wanted);
  }

  private at(port: number) {
    const { host = '127.0.0.1', tls } = this.options;
    return { host, port, limits: this.limits, ...(tls ? { tls } : {}) };
  }

  private keep(listener: Listener): Listener {
    this.listeners.push(listener);
    return listener;
  }
}
