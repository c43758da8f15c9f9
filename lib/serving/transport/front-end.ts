// A front-end: a protocol with its endpoints. The server opens them, asks trust, and hands over the admitted clients.
import type { Address } from './address.js';
import type { Connection, WebSocketPeer } from './connection.js';
import type { HttpExchange, ResponseHeaders } from './http-exchange.js';
import type { HttpRequest } from './http-request.js';

/** A protocol in which the server serves clients. */
export interface FrontEnd {
  /** One word for log lines and statistics, such as `trick`. */
  readonly name: string;
  /**
   * The endpoints; called once, before the first port opens. An endpoint that the options switch off is not in the
   * list.
   */
  endpoints(): readonly Endpoint[];
  /** Resolves when all is loaded that the first client would have to wait for. */
  prepare?(): Promise<void>;
  /** Called once all ports are open, before the server is ready. */
  started?(): void | Promise<void>;
  /** Ends what the front-end has opened itself; called once, before the ports close. */
  close(): void | Promise<void>;
}

/** Where a front-end listens, and what it does with the clients that come. */
export type Endpoint = StreamEndpoint | DatagramEndpoint | MulticastEndpoint | HttpEndpoint;

/** An endpoint that is open, and can be closed before the server ends. */
export interface OpenPort {
  readonly port: number;
  /** Whether a connection is open, or a datagram has come since the last call. */
  wasUsed(): boolean;
  close(): Promise<void>;
}

interface EndpointFacts {
  /** Its name in `RunningServer.endpoints`. */
  readonly name: string;
  /** The protocols spoken here, such as `Trick text`. */
  readonly speaks: readonly string[];
  /** True for a port that nobody has asked for: when it is taken, the server logs that and runs without it. */
  readonly givesWay?: boolean;
  /** Called with the address once it is open. */
  opened?(at: Address): void;
  /** Lines for people to paste, shown when the server is ready. */
  examples?(place: ExamplePlace): readonly Example[];
}

/**
 * How trust decides about clients that carry no token: `address` by the allow list, `local` also only from this
 * machine.
 */
export type AddressTrust = 'address' | 'local';

/** TCP connections. Nothing here carries a token. With an HTTP endpoint at the same address it shares the port. */
export interface StreamEndpoint extends EndpointFacts {
  readonly kind: 'stream';
  readonly trust: AddressTrust;
  /** `main`: the main port, where HTTP is told apart by its first bytes; one front-end may have it. */
  readonly at: Address | 'main';
  accept(connection: Connection): void;
}

/** A UDP port, which is one connection for those of an address that send to it. Trust checks each datagram's address. */
export interface DatagramEndpoint extends EndpointFacts {
  readonly kind: 'datagram';
  readonly trust: AddressTrust;
  /** `main`: the main port's host and number. */
  readonly at: Address | 'main';
  accept(connection: Connection): void;
}

/** A multicast group, which is one connection. Trust checks each datagram's address. */
export interface MulticastEndpoint extends EndpointFacts {
  readonly kind: 'multicast';
  readonly trust: AddressTrust;
  /** From 224.0.0.0 to 239.255.255.255. */
  readonly group: string;
  /** The local address that joins, and the group's port. */
  readonly at: Address;
  accept(connection: Connection): void;
}

/** HTTP requests and WebSockets. Trust decides by address, Host, Origin, token and rate. */
export interface HttpEndpoint extends EndpointFacts {
  readonly kind: 'http';
  readonly trust: 'request';
  /**
   * `main`: where the server speaks HTTP, which is the main port unless the options say otherwise. Several front-ends
   * may share an address; two routes with the same path and method, or two WebSockets with the same path, are an error
   * at the start.
   */
  readonly at: Address | 'main';
  readonly routes: readonly HttpRoute[];
  readonly webSockets?: readonly WebSocketRoute[];
  /**
   * Answers requests that match no route of any front-end; only one front-end per address may have it. Default: 404.
   */
  readonly fallback?: RouteHandler;
  /**
   * Answers a request that trust has refused, with `headers` besides its own. Default: the sentence as text. It is
   * called on the endpoint of the route, or on the one with the fallback.
   */
  refuse?(exchange: HttpExchange, refusal: Refusal, headers: ResponseHeaders): void;
}

/** Answers one request. An error that it throws becomes status 500 and a line in the log. */
export type RouteHandler = (exchange: HttpExchange, admission: Admission) => void | Promise<void>;

/** Requests of one path, and who answers them. */
export interface HttpRoute {
  /** `GET` also answers HEAD. OPTIONS needs no route. */
  readonly method: string;
  /** The whole path, such as `/sse`. */
  readonly path: string;
  /** Whether it needs no token, for watchdogs. */
  readonly isOpen?: boolean;
  readonly answer: RouteHandler;
}

/** WebSockets of one path, and who takes them. */
export interface WebSocketRoute {
  readonly path: string;
  /** Subprotocols spoken here; the server chooses the client's first offer among them, or of `any`. Default: none. */
  readonly subprotocols?: readonly string[] | 'any';
  /** The refusal of a request that trust has admitted; undefined to open the WebSocket. */
  refuse?(request: HttpRequest): Refusal | undefined;
  open(peer: WebSocketPeer, admission: Admission): void;
}

/** What a request may do. */
export interface Admission {
  /** Whether it may change the simulation. */
  readonly mayChange: boolean;
  /** Headers that let another site's page read the answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Counts one more request of this client, for requests over a WebSocket; false when it makes too many. */
  mayAsk(): boolean;
}

/** Why a client is not admitted. */
export interface Refusal {
  /** HTTP status: 401 for a missing token, 403, 429 for too many requests, or what a front-end says. */
  readonly status: number;
  /** One sentence. */
  readonly message: string;
}

/** What the lines to paste contain. */
export interface ExamplePlace extends Address {
  readonly isTls: boolean;
  /** Whether HTTP needs a token. */
  readonly hasTokens: boolean;
  /** The path of a variable of the simulation. */
  readonly variable: string;
}

/** A line of the banner that a user can type to try a front-end. */
export interface Example {
  /** One word, such as `SSE`; empty for a second line of the same example. */
  readonly label: string;
  readonly text: string;
}

/** An option for where a front-end listens: a row of `varwire run --help` and of the table in docs/embedding.md. */
export interface PortOption extends Pick<EndpointFacts, 'name' | 'speaks'> {
  /** Its name on the command line and in `ServeOptions`. */
  readonly option: string;
  readonly takes: 'N' | 'PORT|off' | '[ADDR:]PORT|off' | 'ADDR:PORT|off' | 'ADDR:PORT' | 'GROUP:PORT';
  readonly isRepeatable?: boolean;
  /** Its default, in words. */
  readonly byDefault: string;
  readonly about: string;
}
