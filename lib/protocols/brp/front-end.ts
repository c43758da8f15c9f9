// The front-end of Bevy's protocol: any path and verb on its own port, and its share of the port of JSON-RPC.

import type { ClientSessions } from '../../serving/session/client-sessions.js';
import type { Log } from '../../serving/session/log.js';
import type { SessionRegistry } from '../../serving/session/registry.js';
import { type Address, bracketed, hostOf } from '../../serving/transport/address.js';
import type { WebSocketPeer } from '../../serving/transport/connection.js';
import type {
  Admission,
  Endpoint,
  Example,
  ExamplePlace,
  FrontEnd,
  HttpRoute,
  PortOption,
  Refusal,
  RouteHandler,
} from '../../serving/transport/front-end.js';
import type { HttpExchange, ResponseHeaders } from '../../serving/transport/http-exchange.js';
import { errorAnswer } from '../json-rpc/envelope.js';
import { RpcCode, RpcError } from '../json-rpc/rpc-error.js';
import type { Conversation, Talk } from '../json-rpc/talk.js';
import type { BrpConversation } from './conversation.js';
import type { Generation } from './generation.js';
import { OwnMessages } from './own-messages.js';
import { BRP_PORTS } from './ports.js';
import type { BrpService } from './service.js';

/** Where WebSockets are opened on the protocol's own port. */
const SOCKET_PATHS = ['/', '/ws', '/jsonrpc'];
const VERBS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const LOADING_DELAY_MILLIS = 1000;

export interface BrpFrontEndOptions {
  readonly registry: SessionRegistry;
  /** Sessions of clients by address, shared with other protocols over HTTP. */
  readonly clients: ClientSessions;
  readonly version: string;
  readonly preferred: Generation;
  /** The protocol's own port. */
  readonly at: Address | 'off';
  /** Whether the server goes on without the port when it is taken. */
  readonly givesWay: boolean;
  readonly log: Log;
}

/** The front-end, which is also the neighbour of JSON-RPC on the main port. */
export class BrpFrontEnd implements FrontEnd {
  readonly name = 'brp';
  private readonly own: OwnMessages;
  private loading: Promise<Loaded> | undefined;
  private loaded: BrpService | undefined;
  private cancelLoading: (() => void) | undefined;
  private address = '';

  constructor(private readonly options: BrpFrontEndOptions) {
    this.own = new OwnMessages(options.registry.source);
  }

  endpoints(): readonly Endpoint[] {
    const { at, givesWay } = this.options;
    if (at === 'off') return [];
    const [{ name, speaks }] = BRP_PORTS as readonly [PortOption];
    const answer: RouteHandler = async (exchange, admission) =>
      (await this.load()).service.exchange(exchange, admission);
    const open = (peer: WebSocketPeer, admission: Admission) => void this.open(peer, admission);
    return [
      {
        kind: 'http',
        trust: 'request',
        at,
        name,
        speaks,
        givesWay,
        routes: SOCKET_PATHS.flatMap((path) => VERBS.map((method): HttpRoute => ({ method, path, answer }))),
        webSockets: SOCKET_PATHS.map((path) => ({ path, open })),
        fallback: answer,
        refuse,
        examples: brpExamples,
        opened: ({ host, port }) => {
          this.address = `${bracketed(host)}:${port}`;
        },
      },
    ];
  }

  /** Neither the start nor the first request should wait for the methods, so they are loaded soon after the start. */
  async prepare(): Promise<void> {
    this.cancelLoading ??= this.options.registry.clock.after(LOADING_DELAY_MILLIS, () => void this.load());
  }

  close(): void {
    this.cancelLoading?.();
    this.loaded?.close();
  }

  /** Answers a request on the main port if it is the protocol's. */
  answer(exchange: HttpExchange, admission: Admission, body: Uint8Array): Promise<boolean> | undefined {
    if (!this.own.mayBe(body)) return undefined;
    const { registry, clients } = this.options;
    const { account } = clients.of(bracketed(hostOf(exchange.peer)));
    return this.own
      .isOwn(body, () => registry.turns.turn(account))
      .then(async (isOwn) => {
        if (isOwn) await (await this.load()).service.answer(exchange, admission, body);
        return isOwn;
      });
  }

  /** A WebSocket of the main port. */
  converse(talk: Talk): Conversation {
    let conversation: Promise<BrpConversation> | undefined;
    const begun = async (): Promise<BrpConversation> => {
      const { service, BrpConversation } = await this.load();
      return new BrpConversation(service, talk);
    };
    const take = async (message: Uint8Array): Promise<boolean> => {
      if (!(await this.own.isOwn(message, talk.caller.turn))) return false;
      conversation ??= begun();
      await (await conversation).take(message);
      return true;
    };
    return {
      take: (message) => (this.own.mayBe(message) ? take(message) : undefined),
      close: () => void conversation?.then((one) => one.close()),
    };
  }

  private async open(peer: WebSocketPeer, admission: Admission): Promise<void> {
    const { openBrpSocket, service } = await this.load();
    openBrpSocket(peer, admission, { ...this.options, service });
  }

  /** The methods and their schemas would make every start slower. */
  private load(): Promise<Loaded> {
    this.loading ??= this.loadAll();
    return this.loading;
  }

  private async loadAll(): Promise<Loaded> {
    const { BrpService } = await import('./service.js');
    this.loaded = new BrpService({ ...this.options, address: () => this.address });
    return { service: this.loaded, ...(await import('./conversation.js')) };
  }
}

type Loaded = { readonly service: BrpService } & typeof import('./conversation.js');

/** A refusal as an error of the protocol. */
function refuse(exchange: HttpExchange, { status, message }: Refusal, headers: ResponseHeaders): void {
  const text = errorAnswer(null, new RpcError(status === 429 ? RpcCode.tooMany : RpcCode.notAllowed, message));
  exchange.respond(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers }, text);
}

function brpExamples({ host, port, isTls, hasTokens }: ExamplePlace): readonly Example[] {
  const url = `${isTls ? 'https' : 'http'}://${bracketed(host)}:${port}${hasTokens ? '/?token=TOKEN' : ''}`;
  return [{ label: 'Bevy', text: `curl -s ${url} -d '{"jsonrpc":"2.0","id":1,"method":"world.query"}'` }];
}
