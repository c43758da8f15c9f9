// WebSocket upgrades on an HTTP service.
import { createRequire } from 'node:module';
import type { Duplex } from 'node:stream';
import type { WebSocket, WebSocketServer } from 'ws';
import type { WebSocketPeer } from './connection.js';
import type { Refusal } from './front-end.js';
import { HeldBack } from './held-back.js';
import { type HttpService, UNFINISHED_BODY_BYTES } from './http.js';
import { refuse } from './http-refusal.js';
import { describeRequest, type HttpRequest, hostFault, splitTarget } from './http-request.js';
import { type SenderWatch, UnfinishedMessages } from './unfinished-messages.js';
import { type Every, WebSocketConnection } from './websocket-connection.js';
import { WebSocketFeed } from './websocket-feed.js';

export interface WebSocketOptions {
  /** Longest message accepted from a client; a longer one closes the connection with code 1009. Default 1 MB. */
  readonly maxPayloadBytes?: number;
  /** Subprotocols spoken at a path; the server chooses the client's first offer among them. Default: none. */
  subprotocols?(path: string): readonly string[] | 'any';
  /**
   * Timer of the pings, one every 25 s, and of messages that do not come whole within 60 s; a peer that answers none, or
   * ends none, is disconnected. Default: the system's timers.
   */
  readonly every?: Every;
  /** Milliseconds since some fixed moment, for how long peers take to answer. Default: those of the process. */
  readonly nowMillis?: () => number;
  /** Bytes of all messages that have not come whole. Default 64 MB. */
  readonly unfinishedBytes?: number;
  /** Counts the peers that were disconnected. */
  readonly heldBack?: HeldBack;
  /** Decides by path, Host and Origin. A refusal is an HTTP status and one sentence. */
  accept(request: HttpRequest): true | Refusal;
}

/** Loaded when it is needed, because importing this CommonJS package takes a tenth of a start. */
export const loadWs = (): typeof import('ws') => createRequire(import.meta.url)('ws');

type Verdict = ReturnType<WebSocketOptions['accept']>;

/** `onConnection` gets every accepted upgrade; nothing is read before it listens. */
export function acceptWebSockets(
  http: Pick<HttpService, 'onWebSocket'>,
  options: WebSocketOptions,
  onConnection: (connection: WebSocketPeer) => void,
): void {
  let server: WebSocketServer | undefined;
  const {
    every = byTimer,
    nowMillis = () => performance.now(),
    heldBack = new HeldBack(),
    unfinishedBytes = UNFINISHED_BODY_BYTES,
  } = options;
  const unfinished = new UnfinishedMessages(unfinishedBytes, every, (sentence) =>
    heldBack.note('unfinished_messages', sentence),
  );
  const pings = {
    every,
    nowMillis,
    unanswered: (peer: string) => heldBack.note('silent_peers', `${peer} answered no ping and was closed`),
  };
  http.onWebSocket((message, socket, head) => {
    const request = describeRequest(message);
    const fault = hostFault(message);
    const verdict = fault === undefined ? decide(options, request) : { status: BAD_REQUEST, message: fault };
    if (verdict !== true) {
      heldBack.answered(verdict.status);
      refuse(socket, verdict.status, verdict.message);
      return () => socket.end();
    }
    server ??= createServer(options, heldBack);
    let connection: WebSocketConnection | undefined;
    server.handleUpgrade(message, socket, head, (webSocket) => {
      webSocket.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === TOO_LONG)
          heldBack.note('message_bytes', `${request.peer} sent a WebSocket message that is too long, and was closed`);
      });
      const opened = new WebSocketConnection(webSocket, socket, request, pings);
      follow(unfinished.follow(opened), opened, webSocket, socket);
      const feed = new WebSocketFeed(socket, () => webSocket.isPaused);
      webSocket.on('error', () => feed.discard());
      connection = opened;
      onConnection(connection);
    });
    return () => (connection === undefined ? socket.destroy() : connection.goAway());
  });
}

/** What the feed passes to the parser is counted before, and what it has ended is known behind it. */
function follow(watch: SenderWatch, connection: WebSocketConnection, webSocket: WebSocket, socket: Duplex): void {
  socket.prependListener('data', (piece: Buffer) => watch.take(piece));
  for (const control of ['ping', 'pong'] as const) webSocket.on(control, (payload) => watch.control(payload));
  webSocket.on('message', () => watch.end());
  socket.on('data', () => connection.receives(watch.isUnfinished));
  socket.once('close', () => watch.close());
}

/** What `ws` calls the error of a message of more than `maxPayload`. */
const TOO_LONG = 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';
/** Of one message: the parser keeps some hundred bytes for each. */
const MOST_FRAGMENTS = 1024;
/** The statuses of RFC 6455 (4.2.2, 4.4) for a broken handshake, by what `ws` says of it. */
const BAD_REQUEST = 400;
const MESSAGE_TOO_BIG = 1009;
const VERSIONS = { status: 426, headers: ['Sec-WebSocket-Version: 13, 8'] };

function createServer({ maxPayloadBytes, subprotocols }: WebSocketOptions, heldBack: HeldBack): WebSocketServer {
  const { WebSocketServer, WebSocket } = loadWs();
  const mostBytes = maxPayloadBytes ?? 1_048_576;
  const server = new WebSocketServer({
    noServer: true,
    WebSocket: sayingWhy(WebSocket, `a message may have ${mostBytes} bytes`),
    clientTracking: false,
    perMessageDeflate: false,
    // The connection answers pings itself: this package cuts a peer off that sends sixty at once.
    autoPong: false,
    maxPayload: mostBytes,
    maxFragments: MOST_FRAGMENTS,
    handleProtocols: (offered, { url = '/' }) => {
      const spoken = subprotocols?.(splitTarget(url).path) ?? [];
      return [...offered].find((name) => spoken === 'any' || spoken.includes(name)) ?? false;
    },
  });
  server.on('wsClientError', ({ message }, socket) => {
    const { status, headers } = message.includes('Version') ? VERSIONS : { status: BAD_REQUEST, headers: [] };
    heldBack.answered(status);
    refuse(socket, status, `this is no handshake of a WebSocket: ${message}`, undefined, headers);
  });
  return server;
}

/** The package closes a connection of a message that is too long itself, without a reason. */
function sayingWhy(base: typeof WebSocket, reason: string): typeof WebSocket {
  return class extends base {
    override close(code?: number, data?: string | Buffer): void {
      super.close(code, code === MESSAGE_TOO_BIG && data === undefined ? reason : data);
    }
  };
}

/** An error in `accept` is a refusal: what a client sends must not end the server. */
function decide(options: WebSocketOptions, request: HttpRequest): Verdict {
  try {
    return options.accept(request);
  } catch (error) {
    process.emitWarning(`whether to accept a WebSocket at ${request.path} could not be decided: ${error}`);
    return { status: 500, message: 'the server failed to decide on this WebSocket' };
  }
}

const byTimer: Every = (seconds, call) => {
  const timer = setInterval(call, seconds * 1000);
  timer.unref();
  return () => clearInterval(timer);
};
