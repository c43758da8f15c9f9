// HTTP over sockets that another part accepts: one request handler, limits, and upgrades.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { LIMITS } from '../../model/bounds/limits.js';
import { formatAddress } from './address.js';
import { AnswerQueue, type WatchAnswers } from './answer-queue.js';
import type { Listener } from './connection.js';
import { HeldBack } from './held-back.js';
import { BodyBudget } from './http-body.js';
import { type HttpExchange, NodeHttpExchange } from './http-exchange.js';
import { answerFailure, TEXT } from './http-failure.js';
import { HttpFeed } from './http-feed.js';
import { parserRefusal, refuse } from './http-refusal.js';
import { hostFault } from './http-request.js';
import { PlainRequest } from './plain-request.js';
import { AHEAD_MILLIS, mostAhead } from './requests-ahead.js';
import { type Closer, listenSockets, type PortOptions } from './socket-server.js';
import { readWhileWaiting } from './waiting-upgrade.js';

export interface HttpOptions {
  /** The most bytes of request line and headers together; more get 431. Default 16 KB. */
  readonly maxHeaderBytes?: number;
  /** Time from the first byte to the end of the headers. Default 10 s. */
  readonly headersTimeoutMillis?: number;
  /** Time from the first byte to the end of the body. Default 60 s. */
  readonly requestTimeoutMillis?: number;
  /** How long an idle connection is kept. Default 30 s. */
  readonly keepAliveTimeoutMillis?: number;
  /** How long requests may wait unread behind one that is not answered; then the connection is cut. Default 10 s. */
  readonly aheadTimeoutMillis?: number;
  /** How often the two request timeouts are checked. Default 1 s. */
  readonly timeoutCheckMillis?: number;
  /** HTTP connections beyond this many get 503. Streams and WebSockets count. Default 1000. */
  readonly maxConnections?: number;
  /** The most bytes of all unfinished request bodies; beyond it, the oldest gets 503. Default 64 MB. */
  readonly unfinishedBodyBytes?: number;
  /** Counts clients that met a limit. */
  readonly heldBack?: HeldBack;
  /** Watches whether the clients of all connections take their answers. Default: nobody does. */
  readonly watchAnswers?: WatchAnswers;
  /** Gets what the handler threw; the client gets 500. Default: a process warning. */
  readonly onHandlerError?: (error: unknown, exchange: HttpExchange) => void;
}

export type HttpHandler = (exchange: HttpExchange) => void | Promise<void>;

/** Takes an upgraded socket; `head` is what arrived after the request. Returns a function that closes it properly. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => Closer;

export interface HttpService {
  /** Takes a connected socket whose unread bytes are HTTP. */
  accept(socket: Socket): Closer;
  /** Answers a socket that is not taken, and closes it. */
  turnAway(socket: Duplex, status: number, sentence: string, lingerMillis?: number): void;
  /** Passes requests that ask for `Upgrade: websocket` to `handler` from now on. */
  onWebSocket(handler: UpgradeHandler): void;
  /** Stops the timers. The connections belong to the listeners that accepted them. */
  close(): void;
}

interface OpenSocket {
  readonly exchanges: Set<NodeHttpExchange>;
  readonly feed: HttpFeed;
  readonly answers: AnswerQueue;
  latest?: PlainRequest;
  /** Called when all requests so far have been answered. */
  whenAnswered?: (() => void) | undefined;
  upgraded?: Closer;
  isRefused: boolean;
}

/** The handler may answer at any later time. An error that it throws becomes the answer if none was given. */
export function createHttp(options: HttpOptions, handler: HttpHandler): HttpService {
  return new NodeHttpService(options, handler);
}

/** A port where every connection is HTTP. Rejects with a ListenError. */
export function listenHttp(options: PortOptions, service: HttpService): Promise<Listener> {
  return listenSockets(options, (socket) => service.accept(socket));
}

class NodeHttpService implements HttpService {
  private readonly options: HttpOptions;
  private readonly handler: HttpHandler;
  private readonly server: Server;
  private readonly sockets = new Map<Duplex, OpenSocket>();
  private readonly bodies: BodyBudget;
  private readonly heldBack: HeldBack;
  /** Requests of all connections that wait for their answers. */
  private unanswered = 0;

  constructor(options: HttpOptions, handler: HttpHandler) {
    this.options = options;
    this.handler = handler;
    this.heldBack = options.heldBack ?? new HeldBack();
    this.bodies = new BodyBudget(options.unfinishedBodyBytes ?? UNFINISHED_BODY_BYTES, () =>
      noteCrowdedOut(this.heldBack),
    );
    this.server = createServer(
      {
        IncomingMessage: PlainRequest,
        maxHeaderSize: options.maxHeaderBytes ?? MOST_HEADER_BYTES,
        headersTimeout: options.headersTimeoutMillis ?? HEADERS_MILLIS,
        requestTimeout: options.requestTimeoutMillis ?? REQUEST_MILLIS,
        keepAliveTimeout: options.keepAliveTimeoutMillis ?? IDLE_MILLIS,
        connectionsCheckingInterval: options.timeoutCheckMillis ?? TIMEOUT_CHECK_MILLIS,
        // The service checks the Host header below, and answers with a sentence.
        requireHostHeader: false,
      },
      (request: PlainRequest, response) => void this.answer(request, response),
    );
    this.server.on('checkExpectation', (request: PlainRequest, response) => {
      void this.answer(request, response, (exchange) => {
        exchange.respond(417, TEXT, NOT_MET);
      });
    });
    this.server.on('clientError', (error, socket) => this.refuse(error, socket));
    // The server itself never listens, and node starts to check the timeouts only at this event.
    this.server.emit('listening');
  }

  accept(socket: Socket): Closer {
    if (this.sockets.size >= (this.options.maxConnections ?? 1_000)) {
      this.heldBack.note('connections', 'as many HTTP connections are open as are allowed; more were refused');
      this.turnAway(socket, 503, 'this server has as many HTTP connections as it allows; try again later');
      return () => socket.destroy();
    }
    const feed: HttpFeed = new HttpFeed(socket, {
      latest: () => open.latest,
      isFull: (isPatient) => open.exchanges.size >= mostAhead(this.unanswered, isPatient),
      firstWaits: () => {
        const [first] = open.exchanges;
        return open.exchanges.size > 1 && first?.isAnswered === false;
      },
      aheadMillis: this.options.aheadTimeoutMillis ?? AHEAD_MILLIS,
      cut: () => this.cutFarAhead(socket),
    });
    const exchanges = new Set<NodeHttpExchange>();
    const peer = formatAddress(socket.remoteAddress, socket.remotePort);
    const answers = new AnswerQueue(exchanges, peer, () => socket.destroy(), this.options.watchAnswers);
    const open: OpenSocket = { exchanges, feed, answers, isRefused: false };
    this.sockets.set(socket, open);
    socket.once('close', () => {
      this.sockets.delete(socket);
      // After node has reported the answer that was being sent; node forgets the answers after it.
      process.nextTick(() => {
        for (const exchange of [...open.exchanges]) exchange.lost();
      });
    });
    this.server.emit('connection', socket);
    feed.start();
    return () => closePolitely(socket, open);
  }

  /** No more is read from such a client, so its end would not be seen, and what it waits for would be kept for minutes. */
  private cutFarAhead(socket: Socket): void {
    noteFarAhead(this.heldBack, socket);
    socket.destroy();
  }

  onWebSocket(handler: UpgradeHandler): void {
    this.server.removeAllListeners('upgrade');
    this.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const open = this.sockets.get(socket);
      if (open === undefined) {
        socket.destroy();
        return;
      }
      open.feed.stop();
      // Node has removed its own listeners; an error without a listener would end the process.
      socket.on('error', ignoreError);
      const take = (head: Buffer) => {
        if (!socket.destroyed) open.upgraded = handler(request, socket, head);
      };
      if (open.exchanges.size === 0) return take(head);
      // Requests that came earlier are answered first.
      const wholeHead = readWhileWaiting(socket, head, () => noteFarAhead(this.heldBack, socket as Socket));
      open.whenAnswered = () => take(wholeHead());
    });
  }

  close(): void {
    this.server.close();
  }

  private async answer(request: PlainRequest, response: ServerResponse, handler = this.handler): Promise<void> {
    response.on('error', () => {});
    // A wish that no handler grants is ignored.
    delete request.headers.upgrade;
    delete request.headers['http2-settings'];
    const open = this.sockets.get(request.socket);
    const isBehind = open !== undefined && open.exchanges.size > 0;
    const exchange = new NodeHttpExchange(request, response, this.bodies, isBehind);
    if (open !== undefined) {
      open.latest = request;
      open.exchanges.add(exchange);
      exchange.onAnswer = () => open.answers.answered();
      exchange.onTaken = () => open.answers.taken();
      this.unanswered++;
      response.once('close', () => {
        if (response.headersSent) this.heldBack.answered(response.statusCode);
        this.unanswered--;
        answered(open, exchange);
      });
    }
    const fault = hostFault(request);
    if (fault !== undefined) {
      exchange.respond(400, TEXT, `${fault}\n`);
      return;
    }
    try {
      await handler(exchange);
    } catch (error) {
      answerFailure(error, exchange, this.options.onHandlerError);
    }
  }

  private refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
    const open = this.sockets.get(socket);
    if (open?.isRefused) return;
    const isMidAnswer = [...(open?.exchanges ?? [])].some((exchange) => exchange.isAnswered);
    if (open === undefined || isMidAnswer || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    open.isRefused = true;
    open.feed.stop();
    const { status, sentence } = parserRefusal(error);
    this.turnAway(socket, status, sentence);
  }

  turnAway(socket: Duplex, status: number, sentence: string, lingerMillis?: number): void {
    this.heldBack.answered(status);
    refuse(socket, status, sentence, lingerMillis);
  }
}

const MOST_HEADER_BYTES = 16_384;
const HEADERS_MILLIS = 10_000;
const REQUEST_MILLIS = 60_000;
const IDLE_MILLIS = 30_000;
/** A check looks only at requests that have begun, and takes less than a millisecond for 20,000 of them. */
const TIMEOUT_CHECK_MILLIS = 1_000;

const NOT_MET = 'the only "Expect" that this server meets is 100-continue\n';

export const noteCrowdedOut = (heldBack: HeldBack): void =>
  heldBack.note('request_bodies', 'unfinished request bodies took too much; those begun first were refused');

export function noteFarAhead(heldBack: HeldBack, { remoteAddress, remotePort }: Socket): void {
  const peer = formatAddress(remoteAddress, remotePort);
  heldBack.note('far_ahead', `${peer} was cut off: it has sent more requests than are read ahead of an answer`);
}

export const UNFINISHED_BODY_BYTES = LIMITS.requestBodies.all;

function closePolitely(socket: Socket, open: OpenSocket): void {
  if (open.upgraded !== undefined) open.upgraded();
  else if (open.isRefused) socket.end();
  else if (open.exchanges.size === 0) socket.destroy();
  else for (const exchange of open.exchanges) exchange.finish();
}

function answered(open: OpenSocket, exchange: NodeHttpExchange): void {
  open.exchanges.delete(exchange);
  open.answers.done(exchange);
  open.feed.answered();
  if (open.exchanges.size > 0) return;
  const { whenAnswered } = open;
  open.whenAnswered = undefined;
  whenAnswered?.();
}

function ignoreError(): void {}
