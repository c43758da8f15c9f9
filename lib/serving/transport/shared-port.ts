// One port for two protocols: HTTP connections go to the HTTP service, all others are plain streams.
import type { Socket } from 'node:net';
import type { Connection, Listener } from './connection.js';
import { door } from './door.js';
import { type Language, languageOf } from './first-bytes.js';
import type { HttpService } from './http.js';
import { discardInput } from './http-refusal.js';
import { SocketConnection, type TurnedAway } from './socket-connection.js';
import { type Closer, listenSockets, type PortOptions } from './socket-server.js';

export interface SharedPortSides {
  /** Takes sockets that speak HTTP, and refuses those that may mean to. */
  readonly http: Pick<HttpService, 'accept' | 'turnAway'>;
  /**
   * Gets a connection together with its first bytes; one that has sent nothing belongs to neither side. Undefined refuses
   * what is not HTTP.
   */
  readonly stream?: (connection: Connection) => void;
}

export interface SharedPortOptions extends PortOptions {
  /** How long the first bytes may be ambiguous; after that the connection gets HTTP's 408. Default 30 s. */
  readonly undecidedMillis?: number;
}

const UNDECIDED_MILLIS = 30_000;
const LINGER_MILLIS = 1000;

/** A fatal TLS alert, `handshake_failure`. */
const TLS_REFUSAL = Buffer.from([0x15, 3, 1, 0, 2, 2, 40]);
const HTTP2_REFUSAL = 'HTTP/2 is not spoken here, HTTP/1.1 is';
const STREAM_REFUSAL = 'HTTP alone is spoken here';
const UNDECIDED_REFUSAL = 'the request did not arrive in the time allowed';

/** With `tls`, both protocols are spoken inside TLS. Rejects with a ListenError. */
export function listenSharedPort(options: SharedPortOptions, sides: SharedPortSides): Promise<Listener> {
  const { limits, undecidedMillis = UNDECIDED_MILLIS } = options;
  return listenSockets({ ...options, isUnread: true }, (socket) => {
    let close: Closer = () => socket.destroy();
    awaitLanguage(socket, { heard: limits?.silentUntil(socket), undecidedMillis }, (language) => {
      if (language === 'tls') limits?.handshakeFailed();
      close = take(socket, language, sides, options.turnedAway);
    });
    return () => close();
  });
}

function take(socket: Socket, language: Language, sides: SharedPortSides, turnedAway?: TurnedAway): Closer {
  const { http, stream } = sides;
  if (language === 'http') return http.accept(socket);
  if (language === 'stream' && stream) return acceptStream(socket, stream, turnedAway);
  if (language === 'stream') http.turnAway(socket, 400, STREAM_REFUSAL, LINGER_MILLIS);
  else if (language === 'http2') http.turnAway(socket, 505, HTTP2_REFUSAL, LINGER_MILLIS);
  else if (language === 'undecided') http.turnAway(socket, 408, UNDECIDED_REFUSAL, LINGER_MILLIS);
  else refuseTls(socket);
  return () => socket.destroy();
}

function acceptStream(socket: Socket, accept: (connection: Connection) => void, turnedAway?: TurnedAway): Closer {
  const connection = new SocketConnection(socket, turnedAway);
  accept(connection);
  return () => connection.end();
}

function refuseTls(socket: Socket): void {
  socket.on('error', ignoreError);
  socket.end(TLS_REFUSAL);
  discardInput(socket, LINGER_MILLIS);
}

interface Awaiting {
  /** Called at the first byte. */
  readonly heard: (() => void) | undefined;
  readonly undecidedMillis: number;
}

/**
 * Reads until the language is known, puts the bytes back, and hands the socket over. Closes a socket that ends before
 * that. A socket that sends nothing may stay, because people and programs connect first and ask later.
 */
function awaitLanguage(
  socket: Socket,
  { heard, undecidedMillis }: Awaiting,
  decided: (language: Language) => void,
): void {
  let seen: Buffer = Buffer.alloc(0);
  let timer: NodeJS.Timeout | undefined;
  const handOver = (language: Language) => {
    clearTimeout(timer);
    socket.pause();
    socket.removeListener('data', onData);
    socket.removeListener('end', onEnd);
    // Put back at once: a socket without unread bytes would end while nobody listens.
    socket.unshift(seen);
    door.placeOf(socket).begin(() => give(language));
  };
  const give = (language: Language) => {
    if (socket.destroyed) return;
    socket.removeListener('error', ignoreError);
    decided(language);
    if (language === 'http') socket.resume();
  };
  const onData = (chunk: Buffer) => {
    heard?.();
    seen = seen.length === 0 ? chunk : Buffer.concat([seen, chunk]);
    const language = languageOf(seen);
    if (language !== 'undecided') handOver(language);
    else timer ??= setTimeout(() => handOver('undecided'), undecidedMillis);
  };
  const onEnd = () => socket.end();
  socket.on('data', onData);
  socket.on('end', onEnd);
  socket.on('error', ignoreError);
  socket.once('close', () => clearTimeout(timer));
  socket.resume();
}

/** A peer that leaves before it has sent anything needs no handling; its socket closes by itself. */
function ignoreError(): void {}
