// What a front-end is: a protocol with its endpoints. The server opens them, asks trust, and hands over who may come in.
import type { Address } from './address.js';
import type { Connection, WebSocketPeer } from './connection.js';
import type { HttpExchange, ResponseHeaders } from './http-exchange.js';

/** A protocol that clients are served in. */
export interface FrontEnd {
  /** One word for messages and statistics, such as `trick`. */
  readonly name: string;
  /** What it listens to; asked once, before the first port opens. What the options switch off is not in the list. */
  endpoints(): readonly Endpoint[];
  /** Ends what it has open by itself; called once, before the ports close. */
  close(): void | Promise<void>;
}

export type Endpoint = StreamEndpoint | DatagramEndpoint | MulticastEndpoint | HttpEndpoint;

interface EndpointFacts {
  /** How `RunningServer.endpoints` calls it. */
  readonly name: string;
  /** The languages spoken here, such as `Trick text`. */
  readonly speaks: readonly string[];
  /** Hears where it is open. */
  opened?(at: Address): void;
  /** Lines for people to paste, shown when the server is ready. */
  examples?(place: ExamplePlace): readonly Example[];
}

/** How trust decides about those who carry no token: by address, or that and only from this machine. */
export type AddressTrust = 'address' | 'local';

/** TCP connections. Nothing here carries a token. */
export interface StreamEndpoint extends EndpointFacts {
  readonly kind: 'stream';
  readonly trust: AddressTrust;
  /** `main`: the main port, where HTTP is told apart by its first bytes; one front-end may have it. */
  readonly at: Address | 'main';
  accept(connection: Connection): void;
}

/** A UDP port, which is one connection: it answers whoever sent last. Trust decides on each datagram, by address. */
export interface DatagramEndpoint extends EndpointFacts {
  readonly kind: 'datagram';
  readonly trust: AddressTrust;
  /** `main`: the main port's host and number. */
  readonly at: Address | 'main';
  accept(connection: Connection): void;
}

/** A multicast group, which is one connection. Trust decides on each datagram, by address. */
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
   * may share an address; two routes of the same path and method, or two WebSockets of one path, are an error at start.
   */
  readonly at: Address | 'main';
  readonly routes: readonly HttpRoute[];
  readonly webSockets?: readonly WebSocketRoute[];
  /** Answers what no route of any front-end takes; one front-end of an address may have it. Default: 404. */
  readonly fallback?: Answer;
  /**
   * Answers a request that trust has refused, with these headers besides its own. Default: the sentence as text.
   * The endpoint of the route is asked, or the one with the fallback.
   */
  refuse?(exchange: HttpExchange, refusal: Refusal, headers: ResponseHeaders): void;
}

/** Answers one request; what it throws becomes 500 and a line in the log. */
export type Answer = (exchange: HttpExchange, admission: Admission) => void | Promise<void>;

export interface HttpRoute {
  /** `GET` answers HEAD too. OPTIONS needs no route. */
  readonly method: string;
  /** The whole path, such as `/sse`. */
  readonly path: string;
  /** Whether it is answered without a token, as a watchdog needs it. */
  readonly isOpen?: boolean;
  readonly answer: Answer;
}

export interface WebSocketRoute {
  readonly path: string;
  /** Subprotocols spoken here; the client's first offer among them is echoed. Default: none is. */
  readonly subprotocols?: readonly string[];
  open(peer: WebSocketPeer, admission: Admission): void;
}

/** What a request is trusted with. */
export interface Admission {
  /** Whether it may change the simulation. */
  readonly mayChange: boolean;
  /** Headers that let a page elsewhere read the answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Counts one more request of this client; false when it makes too many. For those that come over a WebSocket. */
  mayAsk(): boolean;
}

/** Why somebody is not let in. */
export interface Refusal {
  /** HTTP status: 401 for a missing token, 403, or 429 for too many requests. */
  readonly status: number;
  /** One sentence. */
  readonly message: string;
}

/** What the lines to paste are made of. */
export interface ExamplePlace extends Address {
  readonly isTls: boolean;
  /** Whether HTTP asks for a token. */
  readonly hasTokens: boolean;
  /** Path of a variable that the simulation has. */
  readonly variable: string;
}

export interface Example {
  /** One word, such as `SSE`; empty for a second line of the one before. */
  readonly label: string;
  readonly text: string;
}

/** An option for where a front-end listens: a row of `varwire run --help` and of the table in docs/embedding.md. */
export interface PortOption extends Pick<EndpointFacts, 'name' | 'speaks'> {
  /** Name on the command line and in `ServeOptions`. */
  readonly option: string;
  readonly takes: 'N' | 'PORT|off' | 'ADDR:PORT|off' | 'ADDR:PORT' | 'GROUP:PORT';
  readonly isRepeatable?: boolean;
  /** What it is when not given, in words. */
  readonly byDefault: string;
  readonly about: string;
}
