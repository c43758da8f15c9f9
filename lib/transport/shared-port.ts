// One port, two languages: HTTP connections go to the HTTP service, all others are plain streams.
import type { Socket } from 'node:net';
import type { Connection, Listener } from './connection.js';
import { languageOf } from './first-bytes.js';
import { SocketConnection } from './socket-connection.js';
import { type Closer, listenSockets, type PortOptions } from './socket-server.js';

export interface SharedPortSides {
  /** Takes sockets that speak HTTP; `createHttp` makes one. */
  readonly http: { accept(socket: Socket): Closer };
  /** A connection that has not sent a byte yet is nobody's; it comes here with its first bytes. */
  stream(connection: Connection): void;
}

/** With `tls` both languages are spoken inside it. Rejects with a ListenError. */
export function listenSharedPort(options: PortOptions, sides: SharedPortSides): Promise<Listener> {
  return listenSockets(options, (socket) => {
    let close: Closer = () => socket.destroy();
    awaitLanguage(socket, (language) => {
      close = language === 'http' ? sides.http.accept(socket) : acceptStream(socket, sides);
    });
    return () => close();
  });
}

function acceptStream(socket: Socket, sides: SharedPortSides): Closer {
  const connection = new SocketConnection(socket);
  sides.stream(connection);
  return () => connection.end();
}

/** Reads until the language is known, puts the bytes back, and hands over. A socket that ends before that is closed. */
function awaitLanguage(socket: Socket, decided: (language: 'http' | 'stream') => void): void {
  let seen: Buffer = Buffer.alloc(0);
  const handOver = (language: 'http' | 'stream') => {
    socket.pause();
    socket.removeListener('data', onData);
    socket.removeListener('end', onEnd);
    socket.removeListener('error', ignoreError);
    socket.unshift(seen);
    decided(language);
    if (language === 'http') socket.resume();
  };
  const onData = (chunk: Buffer) => {
    seen = seen.length === 0 ? chunk : Buffer.concat([seen, chunk]);
    const language = languageOf(seen);
    if (language !== 'undecided') handOver(language);
  };
  const onEnd = () => socket.end();
  socket.on('data', onData);
  socket.on('end', onEnd);
  socket.on('error', ignoreError);
}

/** A peer that vanishes before it has said anything concerns nobody; its socket closes by itself. */
function ignoreError(): void {}
