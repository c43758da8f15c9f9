// The front-end of Foxglove's protocol: WebSockets on the main port and on a port of its own. Its parts are loaded by the first
// client.
import type { MessageLog } from '../../serving/session/message-log.js';
import type { SessionRegistry } from '../../serving/session/registry.js';
import { SubscriptionTable } from '../../serving/session/subscription-table.js';
import { type Address, formatAddress } from '../../serving/transport/address.js';
import type { WebSocketPeer } from '../../serving/transport/connection.js';
import type {
  Admission,
  Endpoint,
  Example,
  ExamplePlace,
  FrontEnd,
  PortOption,
  WebSocketRoute,
} from '../../serving/transport/front-end.js';
import type { HttpRequest } from '../../serving/transport/http-request.js';
import type { MethodCalls } from '../json-rpc/method-calls.js';
import type { FindAsset } from './assets.js';
import type { Client } from './client.js';
import type { ClientParts } from './parts.js';
import { FOXGLOVE_PORTS } from './ports.js';

/** Today's app, and older clients: the same messages. */
const SUBPROTOCOLS = ['foxglove.sdk.v1', 'foxglove.websocket.v1'];

export interface FoxgloveOptions {
  readonly registry: SessionRegistry;
  readonly calls: MethodCalls;
  readonly messages: MessageLog;
  readonly findAsset: FindAsset;
  /** A port of its own besides the main one. */
  readonly at: Address | undefined;
  /** The most messages of a channel in a second of wall time. Default 60. */
  readonly hertz?: number | undefined;
}

interface Loaded {
  readonly parts: ClientParts;
  readonly Client: typeof Client;
}

export class FoxgloveFrontEnd implements FrontEnd {
  readonly name = 'foxglove';
  private readonly table: SubscriptionTable;
  private readonly sessionId = `${Date.now()}`;
  private loading: Promise<Loaded> | undefined;

  constructor(private readonly options: FoxgloveOptions) {
    this.table = new SubscriptionTable(options.registry);
  }

  endpoints(): readonly Endpoint[] {
    const [{ name, speaks }] = FOXGLOVE_PORTS as readonly [PortOption];
    const { at } = this.options;
    const webSockets: readonly WebSocketRoute[] = [
      { path: '/', subprotocols: SUBPROTOCOLS, refuse: refusalOf, open: (...opened) => void this.open(...opened) },
    ];
    const endpoint = { kind: 'http', trust: 'request', name, speaks, routes: [], webSockets } as const;
    // One line: a port of its own is what the app looks for.
    return at
      ? [
          { ...endpoint, at: 'main' },
          { ...endpoint, at, examples },
        ]
      : [{ ...endpoint, at: 'main', examples }];
  }

  close(): void {
    this.table.close();
  }

  private async open(peer: WebSocketPeer, admission: Admission): Promise<void> {
    this.loading ??= this.load();
    const { Client, parts } = await this.loading;
    new Client(peer, admission, parts).listen();
  }

  private async load(): Promise<Loaded> {
    const { registry, hertz = 60 } = this.options;
    const { source } = registry;
    const [{ Client }, { Channels }, { Services }, { ConnectionGraph }] = await Promise.all([
      import('./client.js'),
      import('./channels.js'),
      import('./services.js'),
      import('./connection-graph.js'),
    ]);
    const shared = { channels: new Channels(source), services: new Services(source), graph: new ConnectionGraph() };
    return { Client, parts: { ...this.options, ...shared, table: this.table, sessionId: this.sessionId, hertz } };
  }
}

const examples = ({ host, port, isTls, hasTokens }: ExamplePlace): readonly Example[] => [
  {
    label: 'Foxglove',
    text: `${isTls ? 'wss' : 'ws'}://${formatAddress(host, port)}${hasTokens ? '/?token=TOKEN' : ''}`,
  },
];

/** Without a subprotocol that is spoken here. */
function refusalOf({ headers }: HttpRequest) {
  const offered = `${headers['sec-websocket-protocol'] ?? ''}`.split(',').map((one) => one.trim());
  if (offered.some((one) => SUBPROTOCOLS.includes(one))) return undefined;
  return { status: 400, message: `a WebSocket here speaks ${SUBPROTOCOLS.join(' or ')}; JSON-RPC has /ws` };
}
