// Requests, answers and streams in memory, and a front-end to send them to.

// Loads beforehand what the first request would load, so that no test waits for it.
import type { Session } from '../../serving/session/session.js';
import '../../protocols/http/methods.js';
import { type HttpFrontEndOptions, httpFrontEnd } from '../../protocols/http/front-end.js';
import { HttpRouter } from '../../run/serve/http-router.js';
import { MessageLog } from '../../serving/session/message-log.js';
import { SessionRegistry } from '../../serving/session/registry.js';
import type { OutputEvents } from '../../serving/transport/connection.js';
import type { FrontEnd, HttpEndpoint } from '../../serving/transport/front-end.js';
import {
  BodyTooLargeError,
  type HttpExchange,
  type HttpStream,
  type ResponseHeaders,
} from '../../serving/transport/http-exchange.js';
import type { HttpRequest } from '../../serving/transport/http-request.js';
import { Trust, type TrustOptions } from '../../serving/trust/trust.js';
import type { Source } from '../../source/source.js';
import { TestBall } from './http-ball.js';
import { ManualClock } from './manual-clock.js';
import { MemoryWebSocket } from './memory-connection.js';

/** What a client of a stream has received; while stalled it takes nothing. */
export class TestStream implements HttpStream {
  readonly messages: string[] = [];
  isEnded = false;
  isStalled = false;
  private waitingBytes = 0;
  private events: OutputEvents | undefined;

  get pendingBytes(): number {
    return this.isStalled ? this.waitingBytes : 0;
  }

  /** Data of each event as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server says
  get data(): any[] {
    return this.messages.flatMap((message) => {
      const line = /^data: (.*)$/m.exec(message)?.[1];
      return line === undefined ? [] : [JSON.parse(line)];
    });
  }

  write(message: Uint8Array | string): boolean {
    if (this.isEnded) return false;
    this.messages.push(Buffer.from(message as Uint8Array).toString());
    this.waitingBytes += message.length;
    return true;
  }

  end(): void {
    this.isEnded = true;
    this.events?.close('closed by this side');
  }

  destroy(): void {
    this.end();
  }

  listen(events: OutputEvents): void {
    this.events = events;
  }

  /** The client has taken what was sent. */
  drain(): void {
    this.events?.drain?.();
  }

  /** The client disconnects. */
  cut(): void {
    this.isEnded = true;
    this.events?.close('the client closed the stream');
  }
}

export interface TestRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly peer?: string;
}

const request = ({ method = 'GET', path = '/', headers = {}, peer = '127.0.0.1:40000' }: TestRequest): HttpRequest => {
  const [name, query] = path.split('?') as [string, string?];
  const all = { host: '127.0.0.1:7000', ...headers };
  return { method, path: name, query: new URLSearchParams(query), headers: all, host: all.host, peer, local: LOCAL };
};
const LOCAL = '127.0.0.1:7000';

export class TestExchange implements HttpExchange {
  readonly method!: string;
  readonly path!: string;
  readonly query!: URLSearchParams;
  readonly headers!: HttpRequest['headers'];
  readonly host!: string | undefined;
  readonly peer!: string;
  readonly local!: string;
  readonly isBehind = false;
  status = 0;
  sentHeaders: ResponseHeaders = {};
  body = '';
  opened: TestStream | undefined;
  private readonly bytes: Buffer;

  constructor(asked: TestRequest) {
    Object.assign(this, request(asked));
    this.bytes = Buffer.from((asked.body ?? '') as string);
  }

  get isAnswered(): boolean {
    return this.status !== 0;
  }

  // biome-ignore lint/suspicious/noExplicitAny: whatever the server says
  get json(): any {
    return JSON.parse(this.body);
  }

  async readBody(limitBytes: number): Promise<Buffer> {
    if (this.bytes.length > limitBytes) throw new BodyTooLargeError(limitBytes);
    return this.bytes;
  }

  /** Whether the client reads its answer; `cut` ends the exchange of a client that does not. */
  isReading = true;
  private readonly closings: (() => void)[] = [];

  onClose(call: () => void): void {
    this.closings.push(call);
  }

  cut(): void {
    for (const call of this.closings.splice(0)) call();
  }

  respond(status: number, headers: ResponseHeaders, body: string | Uint8Array | readonly Uint8Array[] = ''): boolean {
    if (this.isAnswered) return false;
    if (this.isReading) queueMicrotask(() => this.cut());
    this.status = status;
    this.sentHeaders = headers;
    this.body = (Array.isArray(body) ? Buffer.concat(body) : Buffer.from(body as string)).toString();
    return true;
  }

  stream(status: number, headers: ResponseHeaders): HttpStream {
    this.status = status;
    this.sentHeaders = headers;
    this.opened = new TestStream();
    return this.opened;
  }
}

/** The client's end of a WebSocket. */
export const webSocketOf = (asked: TestRequest = {}): MemoryWebSocket =>
  new MemoryWebSocket(request({ path: '/ws', ...asked }));

/** Resolves when everything that was ready has run. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export class TestServer {
  readonly registry: SessionRegistry;
  readonly frontEnd: FrontEnd;
  readonly router: HttpRouter;
  readonly log: string[] = [];
  /** What clients read as the simulation's messages. */
  readonly messages = new MessageLog();
  private lastId = 0;

  constructor(
    readonly ball = new TestBall(),
    { host = '127.0.0.1', ...options }: Partial<HttpFrontEndOptions> & TrustOptions & { readonly host?: string } = {},
    /** Another source to serve. */
    source: Source = ball,
    readonly clock = new ManualClock(),
  ) {
    const nothing = (): void => undefined;
    const letGo = ({ facts: { peer } }: Session, reason: string): void =>
      void this.log.push(`${peer} was let go: ${reason}`);
    this.registry = new SessionRegistry(source, this.clock, { opened: nothing, closed: nothing, letGo });
    let subscriptions = 0;
    this.frontEnd = httpFrontEnd({
      registry: this.registry,
      version: '1.2.3',
      messages: this.messages,
      startedMillis: Date.UTC(2026, 0, 2, 3, 4, 5),
      newId: () => `subscription-${++subscriptions}`,
      log: (_level, sentence) => this.log.push(sentence),
      ...options,
    });
    const endpoints = this.frontEnd.endpoints() as readonly HttpEndpoint[];
    const log = options.log ?? ((_level, sentence) => this.log.push(sentence));
    this.router = new HttpRouter(endpoints, new Trust(options, host, this.clock), log);
  }

  async ask(asked: TestRequest): Promise<TestExchange> {
    const exchange = new TestExchange(asked);
    await this.router.handle(exchange);
    return exchange;
  }

  /** Posts text to /jsonrpc. */
  post(body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): Promise<TestExchange> {
    return this.ask({ method: 'POST', path: '/jsonrpc', body, headers });
  }

  /** The whole response to one call. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server says
  async respond(method: string, params?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<any> {
    const exchange = await this.post(JSON.stringify({ jsonrpc: '2.0', id: ++this.lastId, method, params }), headers);
    return exchange.json;
  }

  /** The result of a call; throws its error's sentence. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server says
  async call(method: string, params?: unknown): Promise<any> {
    const { result, error } = await this.respond(method, params);
    if (error) throw new Error(`${error.code}: ${error.message}`);
    return result;
  }

  /** Opens the stream of a subscription. */
  async stream(id: string, headers: Readonly<Record<string, string>> = {}): Promise<TestStream> {
    const exchange = await this.ask({ path: `/sse?sub=${id}`, headers });
    if (!exchange.opened) throw new Error(`no stream: ${exchange.status} ${exchange.body}`);
    return exchange.opened;
  }

  open(peer = webSocketOf()): MemoryWebSocket {
    this.router.open(peer);
    return peer;
  }
}
