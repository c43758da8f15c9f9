// The kRPC front-end: a port for calls and one for streams, each over TCP and WebSocket. Loads the rest when it is on.
import type { Log } from '../../serving/session/log.js';
import type { SessionRegistry } from '../../serving/session/registry.js';
import type { Address } from '../../serving/transport/address.js';
import type { Connection, WebSocketPeer } from '../../serving/transport/connection.js';
import type {
  Admission,
  Endpoint,
  Example,
  ExamplePlace,
  FrontEnd,
  Refusal,
  StreamEndpoint,
  WebSocketRoute,
} from '../../serving/transport/front-end.js';
import type { HttpRequest } from '../../serving/transport/http-request.js';
import { Clients, identifierIn } from './clients.js';
import type { KrpcServer } from './server.js';
import type { AddedServices } from './service/procedure.js';

export interface KrpcFrontEndOptions {
  readonly registry: SessionRegistry;
  readonly log: Log;
  /** The address of the calls; the streams have the next port, or any free one beside a free one. */
  readonly at: Address;
  /** The version of varwire. */
  readonly version: string;
  /** Services of an embedding program. */
  readonly added: AddedServices;
}

/** What differs between the two ports. */
interface PortFacts extends Pick<StreamEndpoint, 'opened' | 'examples'> {
  accept(server: KrpcServer, connection: Connection): void;
  open(server: KrpcServer, peer: WebSocketPeer, admission: Admission): void;
  refusalOf?(request: HttpRequest): Refusal | undefined;
}

const HIGHEST_PORT = 65_535;
const WEBSOCKET_VERSION = '13';

export class KrpcFrontEnd implements FrontEnd {
  readonly name = 'krpc';
  private readonly clients = new Clients();
  private server: Promise<KrpcServer> | undefined;
  private callsPort = 0;

  constructor(private readonly options: KrpcFrontEndOptions) {}

  endpoints(): readonly Endpoint[] {
    const { at } = this.options;
    if (at.port === HIGHEST_PORT)
      throw new RangeError(`kRPC takes two ports, so its first is at most ${HIGHEST_PORT - 1}`);
    const calls = this.port('krpc', 'kRPC', at, {
      accept: (server, connection) => server.acceptCalls(connection),
      open: (server, peer, admission) => server.openCalls(peer, admission),
      opened: ({ port }) => {
        this.callsPort = port;
      },
    });
    const streamsAt = { host: at.host, port: at.port === 0 ? 0 : at.port + 1 };
    const streams = this.port('krpc-stream', 'kRPC streams', streamsAt, {
      accept: (server, connection) => server.acceptStreams(connection),
      open: (server, peer) => server.openStreams(peer),
      refusalOf: (request) => this.refusalOf(request),
      examples: (place) => this.examples(place),
    });
    return [...calls, ...streams];
  }

  async prepare(): Promise<void> {
    await this.loaded();
  }

  async close(): Promise<void> {
    (await this.server)?.close();
  }

  /** A port, which speaks over TCP and WebSocket; the latter at `/`, and in version 13 alone. */
  private port(
    name: string,
    speaks: string,
    at: Address,
    { accept, open, refusalOf, ...facts }: PortFacts,
  ): Endpoint[] {
    const refuse = (request: HttpRequest): Refusal | undefined => {
      if (request.headers['sec-websocket-version'] === WEBSOCKET_VERSION) return refusalOf?.(request);
      return { status: 426, message: 'this server speaks version 13 of WebSocket' };
    };
    const socket: WebSocketRoute = {
      path: '/',
      refuse,
      open: (peer, admission) => void this.loaded().then((server) => open(server, peer, admission)),
    };
    return [
      {
        kind: 'stream',
        name,
        speaks: [speaks],
        trust: 'address',
        at,
        accept: (connection) => void this.loaded().then((server) => accept(server, connection)),
        ...facts,
      },
      {
        kind: 'http',
        name,
        speaks: [`${speaks} over WebSocket`],
        trust: 'request',
        at,
        routes: [],
        webSockets: [socket],
      },
    ];
  }

  /** A stream socket without the identifier of a client is refused before it opens. */
  private refusalOf({ query }: HttpRequest): Refusal | undefined {
    if (this.clients.find(identifierIn(query))) return undefined;
    return { status: 400, message: 'a stream socket needs ?id= and the identifier that KRPC.GetClientID gives' };
  }

  private loaded(): Promise<KrpcServer> {
    const { registry, log, version, added } = this.options;
    this.server ??= import('./server.js').then(
      ({ KrpcServer }) => new KrpcServer({ registry, log, version, added, clients: this.clients }),
    );
    return this.server;
  }

  private examples({ host, port, isTls }: ExamplePlace): readonly Example[] {
    // The clients of kRPC do not speak TLS; a WebSocket of a script's own does.
    if (isTls)
      return [
        { label: 'kRPC', text: `wss://${host}:${this.callsPort}/, streams at ${port}: its own clients need a tunnel` },
      ];
    const place = `address='${host}', rpc_port=${this.callsPort}, stream_port=${port}`;
    return [{ label: 'kRPC', text: `python3 -c "import krpc; print(krpc.connect(${place}).var_server.sim_time)"` }];
  }
}
