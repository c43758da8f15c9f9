// One HTTP request and its answer, whole or as a stream.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AnswerBody } from './answer-body.js';
import type { Output, OutputEvents } from './connection.js';
import { type BodyBudget, readBody } from './http-body.js';
import { describeRequest, type HttpRequest } from './http-request.js';
import { WriteTurn } from './write-turn.js';

export { BodyTooLargeError } from './http-body.js';

export type ResponseHeaders = Readonly<Record<string, string | number | string[]>>;

/** A response body that is written piece by piece (server-sent events). Each write is one HTTP chunk. */
export interface HttpStream extends Output {
  listen(events: OutputEvents): void;
}

/** One HTTP request and its response. */
export interface HttpExchange extends HttpRequest {
  /** Rejects with a BodyTooLargeError, BodyAbortedError or BodyCrowdedOutError. */
  readBody(limitBytes: number): Promise<Buffer>;
  /** Sends the whole answer. Returns false when the client is gone or has been answered already. */
  respond(status: number, headers: ResponseHeaders, body?: string | Uint8Array | readonly Uint8Array[]): boolean;
  /** Calls `call` once, when the client has taken the answer or has gone. */
  onClose(call: () => void): void;
  /** Sends the headers now and leaves the body open. Throws when the request has been answered already. */
  stream(status: number, headers: ResponseHeaders): HttpStream;
  readonly isAnswered: boolean;
  /** Whether the client sent it before it had the answer to the request before. */
  readonly isBehind: boolean;
}

export class NodeHttpExchange implements HttpExchange {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: HttpRequest['headers'];
  readonly host: string | undefined;
  readonly peer: string;
  readonly local: string;
  private readonly request: IncomingMessage;
  private readonly response: ServerResponse;
  private readonly bodies: BodyBudget;
  private body: AnswerBody | undefined;
  private openStream: ResponseStream | undefined;
  private hasLength = false;
  /** Called when it has been answered, or has begun to stream. */
  onAnswer: () => void = () => undefined;
  /** Called when the client has taken a part of a whole answer, and when a stream ends. */
  onTaken: () => void = () => undefined;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    bodies: BodyBudget,
    readonly isBehind = false,
  ) {
    const { method, path, query, headers, host, peer, local } = describeRequest(request);
    this.method = method;
    this.path = path;
    this.query = query;
    this.headers = headers;
    this.host = host;
    this.peer = peer;
    this.local = local;
    this.request = request;
    this.response = response;
    this.bodies = bodies;
  }

  get isAnswered(): boolean {
    return this.response.headersSent;
  }

  /** Bytes of a whole answer that the client has not taken. Whoever sends a stream counts its bytes. */
  get pendingBytes(): number {
    return this.openStream ? 0 : this.response.writableLength + (this.body?.unwrittenBytes ?? 0);
  }

  /** Whether it is a stream of known length that goes on: it ends when the client has taken it, which its sender watches. */
  get isDownloading(): boolean {
    return this.hasLength && this.openStream?.isEnded === false;
  }

  readBody(limitBytes: number): Promise<Buffer> {
    return readBody(this.request, limitBytes, this.bodies);
  }

  respond(status: number, headers: ResponseHeaders, body: string | Uint8Array | readonly Uint8Array[] = ''): boolean {
    const response = this.response;
    if (response.headersSent || response.destroyed) return false;
    const pieces = typeof body === 'string' ? [Buffer.from(body)] : body instanceof Uint8Array ? [body] : body;
    const isBodiless = status === 204 || status === 304;
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const own = this.ownHeaders(headers);
    response.writeHead(status, isBodiless ? own : { ...own, 'content-length': length });
    this.body = new AnswerBody(response, isBodiless ? [] : pieces, isBodiless ? 0 : length, () => this.onTaken());
    this.body.write();
    this.onAnswer();
    return true;
  }

  onClose(call: () => void): void {
    if (this.response.closed) process.nextTick(call);
    else this.response.once('close', call);
  }

  stream(status: number, headers: ResponseHeaders): HttpStream {
    if (this.response.headersSent) throw new Error(`${this.method} ${this.path} was answered already`);
    this.response.writeHead(status, this.ownHeaders(headers));
    this.response.flushHeaders();
    this.openStream = new ResponseStream(this.response, () => this.onTaken());
    this.hasLength = Object.keys(headers).some((name) => name.toLowerCase() === 'content-length');
    // The answer to HEAD has headers only.
    if (this.method === 'HEAD') this.openStream.end();
    this.onAnswer();
    return this.openStream;
  }

  /** HTTP/2, which a program's server may speak, has none of what is about a connection. */
  private ownHeaders(headers: ResponseHeaders): Record<string, string | number | string[]> {
    if (this.request.httpVersionMajor < 2) return { ...headers };
    const { connection: _, upgrade: __, ...others } = headers;
    return others;
  }

  /** Ends an open stream. If the request has no answer yet, the connection closes after its answer. */
  finish(): void {
    const { socket } = this.response;
    this.response.shouldKeepAlive = false;
    if (this.response.headersSent) this.response.once('finish', () => socket?.destroySoon());
    this.openStream?.end();
  }

  /** The connection closed before this request was answered. */
  lost(): void {
    this.response.emit('close');
  }
}

class ResponseStream implements HttpStream {
  private readonly response: ServerResponse;
  private readonly turn: WriteTurn;
  private events: OutputEvents | undefined;
  private ended = false;
  private closed: string | undefined;

  /** @param whenEnded called when nothing more will be written. */
  constructor(
    response: ServerResponse,
    private readonly whenEnded: () => void,
  ) {
    this.response = response;
    this.turn = new WriteTurn(
      { cork: () => response.socket?.cork(), uncork: () => response.socket?.uncork() },
      () => response.writableLength,
      () => {
        if (this.closed === undefined) this.events?.drain?.();
      },
    );
    if (response.destroyed) process.nextTick(() => this.close());
    else response.once('close', () => this.close());
  }

  get pendingBytes(): number {
    return this.response.writableLength;
  }

  write(message: Uint8Array | string): boolean {
    if (this.ended || this.closed !== undefined || this.response.destroyed) return false;
    this.turn.begin();
    this.response.write(typeof message === 'string' ? Buffer.from(message) : message, this.turn.taken);
    return true;
  }

  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.response.end();
    this.whenEnded();
  }

  get isEnded(): boolean {
    return this.ended;
  }

  destroy(): void {
    this.ended = true;
    this.response.destroy();
  }

  listen(events: OutputEvents): void {
    this.events = events;
    const reason = this.closed;
    if (reason !== undefined) process.nextTick(() => events.close(reason));
  }

  private close(): void {
    if (this.closed !== undefined) return;
    this.closed = this.ended ? 'closed by this side' : 'the client closed the stream';
    this.events?.close(this.closed);
  }
}
