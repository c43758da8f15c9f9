// The HTTP front-end: its routes, and the methods behind POST /jsonrpc and WebSocket /ws.
import { LIMITS } from '../../model/bounds/limits.js';
import { type History, type HistoryOptions, openHistory } from '../../serving/history/history.js';
import type { Account } from '../../serving/scheduling/account.js';
import { ClientSessions } from '../../serving/session/client-sessions.js';
import { FrameFollowers } from '../../serving/session/frame-followers.js';
import type { Log } from '../../serving/session/log.js';
import { MarkLog } from '../../serving/session/mark-log.js';
import { MessageLog } from '../../serving/session/message-log.js';
import type { SessionRegistry } from '../../serving/session/registry.js';
import type { Session } from '../../serving/session/session.js';
import { SparseLog } from '../../serving/session/sparse-log.js';
import type { Subscription } from '../../serving/session/subscription.js';
import { randomId, SubscriptionTable } from '../../serving/session/subscription-table.js';
import { bracketed, hostOf } from '../../serving/transport/address.js';
import type { WebSocketPeer } from '../../serving/transport/connection.js';
import type {
  Admission,
  Endpoint,
  FrontEnd,
  HttpRoute,
  PortOption,
  RouteHandler,
} from '../../serving/transport/front-end.js';
import { BodyTooLargeError, type HttpExchange, type ResponseHeaders } from '../../serving/transport/http-exchange.js';
import type { CallContext, ServerFacts } from '../json-rpc/call-context.js';
import { type Caller, callerOfRequest } from '../json-rpc/caller.js';
import { ChangeResults } from '../json-rpc/change-results.js';
import { errorAnswer } from '../json-rpc/envelope.js';
import type { Method } from '../json-rpc/method.js';
import { callMethod, type MethodCalls } from '../json-rpc/method-calls.js';
import { RpcCode, RpcError, TOO_MANY_BODIES } from '../json-rpc/rpc-error.js';
import { baseUrlOf, prefixOf } from './base-url.js';
import { accountFor, respondCounted } from './counted-answer.js';
import { openEventStream } from './event-stream.js';
import { problemOf } from './health.js';
import type { RpcMethods } from './methods.js';
import { type ConnectionFacts, METRICS_TYPE, metricsText } from './metrics.js';
import type { Neighbour } from './neighbour.js';
import { pageRoutes } from './page-files.js';
import { HTTP_PORTS, httpExamples } from './ports.js';
import { type ShippedPage, shippedRoutes } from './shipped-page.js';
import { openWebSocket } from './websocket-session.js';

const MAX_BODY_BYTES = LIMITS.messageBytes.each;
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
const TEXT_TYPE = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };

export interface HttpFrontEndOptions extends HistoryOptions {
  readonly registry: SessionRegistry;
  readonly version: string;
  /** Loads methods of other rooms that are answered here too. */
  readonly moreMethods?: () => Promise<readonly Method<CallContext>[]>;
  /** The messages of the simulation and of the server. Default: those of the simulation from now on. */
  readonly messages?: MessageLog;
  /** What happened when. Default: what messages and frames tell. */
  readonly marks?: MarkLog;
  /** Answers GET of files: /recordings/FILE. */
  readonly downloads?: { holds(path: string): boolean; readonly answer: RouteHandler };
  /** Whether clients speak TLS to this server. */
  readonly isTls?: boolean;
  /** The cycle of subscriptions that ask for none. Default 100. */
  readonly defaultCycleMillis?: number;
  /** When the server has started, in Unix milliseconds. Default: now. */
  readonly startedMillis?: number;
  /** What the simulation ships for the page at GET /. */
  readonly page?: ShippedPage;
  /** Gets internal faults, and changes that were refused after they had been answered. */
  readonly log?: Log;
  /** Makes subscription ids; a test gives its own. At most 20 ASCII characters. */
  readonly newId?: () => string;
  /** Sessions of clients by address, shared with other protocols over HTTP. Default: its own. */
  readonly clients?: ClientSessions;
  /** A protocol whose requests come to the same paths. */
  readonly neighbour?: Neighbour;
  /** The transport's counts, for /metrics. */
  readonly connections?: () => ConnectionFacts;
}

/** What a context tells of one call. */
type CallFacts = Pick<CallContext, 'channel' | 'mayChange' | 'baseUrl' | 'pathPrefix' | 'onRefused'>;

/** The front-end, and its methods for other protocols. */
export function httpFrontEnd(options: HttpFrontEndOptions): FrontEnd & { readonly methodCalls: MethodCalls } {
  return new HttpFrontEnd(options);
}

class HttpFrontEnd implements FrontEnd {
  readonly name = 'http';
  private readonly registry: SessionRegistry;
  private readonly table: SubscriptionTable;
  private readonly clients: ClientSessions;
  private loaded: Promise<RpcMethods> | undefined;
  private known: RpcMethods['all'] = [];
  private requests = 0;
  /** JSON-RPC calls over WebSockets, each of a batch counts. */
  private calls = 0;
  private readonly log: Log;
  private readonly refused: SparseLog;
  private readonly followers: FrameFollowers;
  private readonly changes = new ChangeResults();
  private readonly history: History | undefined;
  private readonly server: ServerFacts;
  private readonly loopLagMillis = (): number => this.registry.lag.worstMillis;
  private readonly skippedCycles = (): number => this.registry.timetable.skipped;

  constructor(private readonly options: HttpFrontEndOptions) {
    const { registry } = options;
    this.registry = registry;
    this.log = options.log ?? (() => {});
    this.refused = new SparseLog(registry.clock, this.log);
    this.table = new SubscriptionTable(registry, options.newId ?? randomId);
    // A condition that holds for one tick ends a wait, whatever other clients do.
    this.followers = new FrameFollowers(registry, true);
    this.clients = options.clients ?? new ClientSessions(registry);
    this.history = openHistory(registry, options);
    const messages = options.messages ?? MessageLog.of(registry.source);
    this.server = {
      version: options.version,
      startedMillis: options.startedMillis ?? Date.now(),
      sessions: () => registry.sessions,
      messages,
      marks: options.marks ?? new MarkLog(registry.source, messages, registry),
      methods: () => this.known,
    };
  }

  readonly methodCalls: MethodCalls = {
    contextOf: (session, caller, mayChange) => {
      const onRefused: CallFacts['onRefused'] = (...refusal) => this.logRefused(session, ...refusal);
      return this.contextOf(session, caller, { channel: 'websocket', mayChange, onRefused });
    },
    call: async (...call) => callMethod((await this.methods()).dispatcher, ...call),
  };

  endpoints(): readonly Endpoint[] {
    const [{ name, speaks }] = HTTP_PORTS as readonly [PortOption];
    return [
      {
        kind: 'http',
        trust: 'request',
        at: 'main',
        name,
        speaks,
        routes: this.routes(),
        webSockets: [{ path: '/ws', open: (peer, admission) => this.open(peer, admission) }],
        fallback: (exchange, admission) => this.other(exchange, admission),
        // A JSON-RPC client gets its error as JSON, every other client as text.
        refuse: (exchange, { status, message }, headers) => {
          const code = status === 429 ? RpcCode.tooMany : RpcCode.notAllowed;
          if (exchange.method !== 'POST') say(exchange, status, message, headers);
          else this.refuse(exchange, status, headers, new RpcError(code, message));
        },
        examples: httpExamples,
      },
    ];
  }

  async prepare(): Promise<void> {
    await this.methods();
  }

  close(): void {
    this.table.close();
    this.followers.close();
    this.history?.close();
    this.clients.close();
  }

  /** Answers requests that match no route. */
  private other(exchange: HttpExchange, admission: Admission): void | Promise<void> {
    const { method, path } = exchange;
    const { downloads } = this.options;
    if (downloads?.holds(path) && (method === 'GET' || method === 'HEAD')) return downloads.answer(exchange, admission);
    const sentence = `there is nothing at ${path.slice(0, 100)}; GET / shows what is served`;
    return say(exchange, 404, sentence, admission.headers);
  }

  private open(peer: WebSocketPeer, { mayChange, mayAsk }: Admission): void {
    openWebSocket(peer, {
      registry: this.registry,
      table: this.table,
      dispatcher: this.methods().then(({ dispatcher }) => dispatcher),
      log: this.log,
      mayTake: () => {
        this.calls++;
        return mayAsk();
      },
      neighbour: (talk) => this.options.neighbour?.converse({ ...talk, mayChange }),
      context: (session, caller, onRefused) =>
        this.contextOf(session, caller, {
          channel: 'websocket',
          mayChange,
          baseUrl: baseUrlOf(peer.request, this.options.isTls),
          pathPrefix: undefined,
          onRefused: (sequence, error) => {
            this.logRefused(session, sequence, error);
            onRefused(sequence, error);
          },
        }),
    });
  }

  private routes(): readonly HttpRoute[] {
    const rpc: RouteHandler = (exchange, admission) => this.rpc(exchange, admission);
    return [
      ...pageRoutes(this.options.version),
      ...shippedRoutes(this.options.page ?? {}, this.registry.source),
      { method: 'POST', path: '/', answer: rpc },
      { method: 'POST', path: '/jsonrpc', answer: rpc },
      { method: 'GET', path: '/sse', answer: (exchange, admission) => this.events(exchange, admission) },
      { method: 'GET', path: '/openrpc.json', answer: (exchange, admission) => this.discover(exchange, admission) },
      { method: 'GET', path: '/metrics', answer: (exchange, admission) => this.metrics(exchange, admission) },
      {
        method: 'GET',
        path: '/healthz',
        answer: (exchange, admission) => this.health(exchange, admission),
        isOpen: true,
      },
    ];
  }

  /** Loaded by the first request that calls a method: the schemas and zod would be a quarter of what a start loads. */
  private methods(): Promise<RpcMethods> {
    this.loaded ??= this.load();
    return this.loaded;
  }

  private async load(): Promise<RpcMethods> {
    const { version, moreMethods = async () => [] } = this.options;
    const [{ rpcMethods }, more] = await Promise.all([import('./methods.js'), moreMethods()]);
    const onFault = (err: unknown, method: string) =>
      this.log('error', `the method ${method} failed`, { method, err: err as Error });
    const methods = rpcMethods({ version, moreMethods: more, onFault, onError: this.registry.errors.note });
    this.known = methods.all;
    return methods;
  }

  /** Each member is named, because spreading so many into an object takes five kilobytes, for each request. */
  private contextOf(session: Session, caller: Caller, call: CallFacts): CallContext {
    const { source, clock, copies, turns, largeReads } = this.registry;
    return {
      account: caller.account,
      presence: caller.presence,
      turn: caller.turn,
      mayAsk: caller.mayAsk,
      server: this.server,
      source,
      session,
      subscriptions: this.table,
      clock,
      copies,
      turns,
      largeReads,
      followers: this.followers,
      loopLagMillis: this.loopLagMillis,
      skippedCycles: this.skippedCycles,
      mayChange: call.mayChange,
      channel: call.channel,
      pathPrefix: call.pathPrefix,
      baseUrl: call.baseUrl,
      defaultCycleMillis: this.options.defaultCycleMillis,
      history: this.history,
      changes: this.changes,
      onRefused: call.onRefused,
    };
  }

  private logRefused({ facts: { peer } }: Session, sequence: number, { message }: Error): void {
    this.refused.say('warning', `the change ${sequence} of ${peer} was refused: ${message}`, { peer, sequence });
  }

  private async rpc(exchange: HttpExchange, admission: Admission): Promise<void> {
    const { headers } = admission;
    const body = await readBody(exchange);
    if (body instanceof RpcError) {
      this.refuse(exchange, 413, headers, body);
      return;
    }
    this.requests++;
    const answer = () => this.answer(exchange, admission, body);
    if (await this.clients.during(bracketed(hostOf(exchange.peer)), body.length, answer)) return;
    this.refuse(exchange, 429, headers, TOO_MANY_BODIES);
  }

  private refuse(exchange: HttpExchange, status: number, headers: ResponseHeaders, error: RpcError): void {
    this.registry.errors.note(error.code);
    exchange.respond(status, { ...JSON_TYPE, ...headers }, errorAnswer(null, error));
  }

  private async answer(exchange: HttpExchange, admission: Admission, body: Uint8Array): Promise<void> {
    const { mayChange, headers, mayAsk } = admission;
    if (await this.options.neighbour?.answer(exchange, admission, body)) return;
    const session = this.clients.of(bracketed(hostOf(exchange.peer)));
    session.reading = () => this.table.aliasesOf(session.account);
    const caller = callerOfRequest(session.account, exchange, this.registry.turns, mayAsk);
    const { text, heldBytes, onlyStream } = await (await this.methods()).dispatcher.answer(
      body,
      this.contextOf(session, caller, {
        channel: 'http',
        mayChange,
        baseUrl: baseUrlOf(exchange, this.options.isTls),
        pathPrefix: prefixOf(exchange),
        onRefused: (sequence, error) => this.logRefused(session, sequence, error),
      }),
    );
    const giveBack = () => caller.account.give('unreadBytes', heldBytes);
    if (onlyStream && wantsEvents(exchange)) {
      giveBack();
      // The first message of a long list takes a millisecond, and hundreds of streams may be opened at a time.
      const { account } = session;
      const open = () => void this.stream(exchange, onlyStream.subscription, account, headers, false);
      await this.registry.turns.due(account, open);
      return;
    }
    exchange.onClose(giveBack);
    if (text === undefined) exchange.respond(204, headers);
    else exchange.respond(200, { ...JSON_TYPE, ...headers }, text.pieces);
  }

  private events(exchange: HttpExchange, { headers }: Admission): Promise<void> | undefined {
    const account = accountFor(exchange, this.registry);
    let isReplaying: Promise<void> | undefined;
    const open = (): void => {
      isReplaying = this.openEvents(exchange, account, headers);
    };
    return this.registry.turns.due(account, open)?.then(() => isReplaying) ?? isReplaying;
  }

  private openEvents(exchange: HttpExchange, account: Account, headers: ResponseHeaders): Promise<void> | undefined {
    const id = exchange.query.get('sub');
    if (id === null) {
      say(exchange, 400, 'GET /sse needs ?sub= and the id that var/subscribe answered', headers);
    } else if (this.table.has(id)) {
      const subscription = this.table.find(id);
      const refusal = subscription.refusalOfReader();
      if (refusal === undefined) return this.stream(exchange, subscription, account, headers, true);
      say(exchange, 429, refusal, headers);
    } else {
      const sentence = `there is no subscription ${JSON.stringify(id.slice(0, 100))}; ask var/subscribe for a new one`;
      say(exchange, 404, sentence, headers);
    }
    return undefined;
  }

  private stream(
    exchange: HttpExchange,
    subscription: Subscription,
    account: Account,
    headers: ResponseHeaders,
    isResumable: boolean,
  ): Promise<void> | undefined {
    const options = { headers, isResumable, account };
    return openEventStream(exchange, subscription, this.registry, this.table, options);
  }

  private async discover(exchange: HttpExchange, { headers }: Admission): Promise<void> {
    const { page } = await this.methods();
    const { account } = this.clients.of(bracketed(hostOf(exchange.peer)));
    const text = await page(baseUrlOf(exchange, this.options.isTls), () => this.registry.turns.turn(account));
    exchange.respond(200, { ...JSON_TYPE, ...headers }, text.pieces);
  }

  private health(exchange: HttpExchange, { headers }: Admission): void {
    const problem = problemOf(this.registry);
    say(exchange, problem === undefined ? 200 : 503, problem ?? 'ok', headers);
  }

  /** In a turn of who asks, because it goes through all sessions. */
  private metrics(exchange: HttpExchange, { headers }: Admission): Promise<void> | undefined {
    const account = accountFor(exchange, this.registry);
    const { registry, table, requests, calls: webSocketCalls } = this;
    return registry.turns.due(account, () => {
      const connections = this.options.connections?.();
      const text = metricsText({ registry, table, requests, webSocketCalls, connections });
      const refusal = respondCounted(exchange, account, { ...headers, 'content-type': METRICS_TYPE }, text);
      if (refusal !== undefined) say(exchange, 503, refusal, headers);
    });
  }
}

/** Answers with one sentence of text. */
function say(exchange: HttpExchange, status: number, sentence: string, headers: ResponseHeaders = {}): void {
  exchange.respond(status, { ...TEXT_TYPE, ...headers }, `${sentence}\n`);
}

async function readBody(exchange: HttpExchange): Promise<Uint8Array | RpcError> {
  try {
    return await exchange.readBody(MAX_BODY_BYTES);
  } catch (error) {
    if (!(error instanceof BodyTooLargeError)) throw error;
    return new RpcError(RpcCode.invalidRequest, error.message);
  }
}

const wantsEvents = ({ headers }: HttpExchange): boolean => headers.accept?.includes('text/event-stream') ?? false;
