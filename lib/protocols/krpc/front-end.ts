// The kRPC front-end: a port for calls and one for streams, each over TCP and WebSocket. Loads the rest when it is on.
import type { Log } from '../../serving/session/log.js';
import type { SessionRegistry } from '../../serving/session/registry.js';
import type { Address } from '../../serving/transport/address.js';
import type {
  Endpoint,
  Example,
  ExamplePlace,
  FrontEnd,
  Refusal,
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
    const streamsAt = { host: at.host, port: at.port === 0 ? 0 : at.port + 1 };
    return [...this.callEndpoints(at), ...this.streamEndpoints(streamsAt)];
  }

  async prepare(): Promise<void> {
    await this.loaded();
  }

  async close(): Promise<void> {
    (await this.server)?.close();
  }

  private callEndpoints(at: Address): readonly Endpoint[] {
    return [
      {
        kind: 'stream',
        name: 'krpc',
        speaks: ['kRPC'],
        trust: 'address',
        at,
        accept: (connection) => void this.loaded().then((server) => server.acceptCalls(connection)),
        opened: ({ port }) => {
          this.callsPort = port;
        },
      },
      {
        kind: 'http',
        name: 'krpc',
        speaks: ['kRPC over WebSocket'],
        trust: 'request',
        at,
        routes: [],
        webSockets: [
          webSocket((peer, admission) => void this.loaded().then((server) => server.openCalls(peer, admission))),
        ],
      },
    ];
  }

  private streamEndpoints(at: Address): readonly Endpoint[] {
    return [
      {
        kind: 'stream',
        name: 'krpc-stream',
        speaks: ['kRPC streams'],
        trust: 'address',
        at,
        accept: (connection) => void this.loaded().then((server) => server.acceptStreams(connection)),
        examples: (place) => this.examples(place),
      },
      {
        kind: 'http',
        name: 'krpc-stream',
        speaks: ['kRPC streams over WebSocket'],
        trust: 'request',
        at,
        routes: [],
        webSockets: [
          webSocket(
            (peer) => void this.loaded().then((server) => server.openStreams(peer)),
            (request) => this.refusalOf(request),
          ),
        ],
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

/** kRPC's WebSockets are at `/` and speak version 13 alone. */
function webSocket(
  open: WebSocketRoute['open'],
  refusalOf: (request: HttpRequest) => Refusal | undefined = () => undefined,
): WebSocketRoute {
  const refuse = (request: HttpRequest): Refusal | undefined => {
    if (request.headers['sec-websocket-version'] === WEBSOCKET_VERSION) return refusalOf(request);
    return { status: 426, message: 'this server speaks version 13 of WebSocket' };
  };
  return { path: '/', refuse, open };
}
