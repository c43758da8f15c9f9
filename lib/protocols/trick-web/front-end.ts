// Trick's web server: files, /api/http and the WebSocket /api/ws/VariableServer. Its parts are loaded by the first request.
import type { ClientSessions } from '../../serving/session/client-sessions.js';
import type { Log } from '../../serving/session/log.js';
import type { SessionRegistry } from '../../serving/session/registry.js';
import { SubscriptionTable } from '../../serving/session/subscription-table.js';
import { formatAddress } from '../../serving/transport/address.js';
import type { WebSocketPeer } from '../../serving/transport/connection.js';
import type {
  Admission,
  Endpoint,
  FrontEnd,
  OpenPort,
  RouteHandler,
  WebSocketRoute,
} from '../../serving/transport/front-end.js';
import type { HttpExchange } from '../../serving/transport/http-exchange.js';
import type { MethodCalls } from '../json-rpc/method-calls.js';
import type { TrickFrontEnd } from '../trick/front-end/front-end.js';
import type { WebFiles } from './files.js';
import { USUAL_WWW, type WwwOptions } from './ports.js';

const WEB_SOCKETS = '/api/ws/';

/** What a program answers itself, by name. */
export interface WwwHandlers {
  /** GET /api/http/NAME. */
  readonly http?: Readonly<Record<string, RouteHandler>>;
  /** WebSockets at /api/ws/NAME. */
  readonly webSockets?: Readonly<Record<string, WebSocketRoute['open']>>;
}

export interface TrickWebOptions {
  readonly registry: SessionRegistry;
  readonly clients: ClientSessions;
  readonly trick: TrickFrontEnd;
  readonly host: string;
  /** Undefined: only when the input file asks for it. */
  readonly www: WwwOptions | undefined;
  /** Port of the JSON variable server; undefined: none. */
  readonly jsonvs: number | undefined;
  readonly calls: MethodCalls;
  readonly handlers: WwwHandlers;
  /** Whether clients may use the command language. */
  readonly hasLanguage: boolean;
  readonly log: Log;
  readonly openEndpoint: (endpoint: Endpoint) => Promise<OpenPort | undefined>;
}

export class TrickWebFrontEnd implements FrontEnd {
  readonly name = 'trick-web';
  private readonly table: SubscriptionTable;
  private files: WebFiles | undefined;

  constructor(private readonly options: TrickWebOptions) {
    this.table = new SubscriptionTable(options.registry);
  }

  endpoints(): readonly Endpoint[] {
    const { www, jsonvs } = this.options;
    return [
      ...(www ? [this.endpoint({ ...USUAL_WWW, ...www })] : []),
      ...(jsonvs === undefined ? [] : [this.jsonEndpoint(jsonvs)]),
    ];
  }

  /** Opens what the input file has asked for, unless the options have asked already. */
  async started(): Promise<void> {
    const { www, trick, log, openEndpoint } = this.options;
    const { server } = trick.server.web;
    if (www || !server.isEnabled) return;
    if (server.wantsTls) log('warning', 'web.server.ssl_enable has no effect: --cert and --key are for every port');
    await openEndpoint(this.endpoint({ port: server.port, directory: server.directory }));
  }

  close(): void {
    this.table.close();
  }

  private endpoint({ port, directory }: Required<WwwOptions>): Endpoint {
    const { host, handlers } = this.options;
    const opens = { VariableServer: (...opened: Opened) => void this.open(...opened), ...handlers.webSockets };
    return {
      kind: 'http',
      trust: 'request',
      name: 'www',
      speaks: ["Trick's web server"],
      at: { host, port },
      routes: [],
      webSockets: Object.entries(opens).map(([name, open]) => ({
        path: `${WEB_SOCKETS}${name}`,
        subprotocols: 'any',
        open,
      })),
      fallback: (exchange, admission) => this.answer(exchange, admission, directory),
      examples: ({ host: at, port: open, isTls }) => [
        { label: 'www', text: `${isTls ? 'https' : 'http'}://${formatAddress(at, open)}/` },
      ],
    };
  }

  private jsonEndpoint(port: number): Endpoint {
    return {
      kind: 'http',
      trust: 'request',
      name: 'jsonvs',
      speaks: ["Trick's JSON variable server"],
      at: { host: this.options.host, port },
      routes: [],
      fallback: async (exchange, admission) => {
        const { answerJsonVariables } = await import('./json-variables.js');
        return answerJsonVariables(exchange, admission, this.options);
      },
      examples: ({ host, port: open, isTls }) => [
        { label: 'jsonvs', text: `${isTls ? 'https' : 'http'}://${formatAddress(host, open)}/vars` },
      ],
    };
  }

  private async open(...[peer, admission]: Opened): Promise<void> {
    const { WebClient } = await import('./client.js');
    new WebClient(peer, admission, { ...this.options, table: this.table }).listen();
  }

  private async answer(exchange: HttpExchange, admission: Admission, directory: string): Promise<void> {
    const { answerApi, HTTP_API } = await import('./api.js');
    const { path } = exchange;
    if (path === HTTP_API || path.startsWith(`${HTTP_API}/`)) {
      const { handlers } = this.options;
      return answerApi(exchange, admission, { ...this.options, handlers: handlers.http ?? {} });
    }
    const { WebFiles } = await import('./files.js');
    this.files ??= new WebFiles(directory, this.options.registry.clock);
    return this.files.answer(exchange, admission);
  }
}

type Opened = readonly [peer: WebSocketPeer, admission: Admission];
