// Sends a last HTTP answer on a socket, one status and one sentence, and closes it.
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { door, LITTLE_BYTES } from './door.js';

const DEFAULT_LINGER_MILLIS = 2_000;

/**
 * @param lingerMillis how long a peer that does not close may keep the socket.
 * @param headers more lines of the head.
 */
export function refuse(
  socket: Duplex,
  status: number,
  sentence: string,
  lingerMillis = DEFAULT_LINGER_MILLIS,
  headers: readonly string[] = [],
): void {
  socket.on('error', () => {});
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = `${sentence}\n`;
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Refused'}`,
    'Connection: close',
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  discardInput(socket, lingerMillis);
}

/**
 * For a socket that has been ended: closing it with unread input would reset it, and the peer would lose the answer.
 */
export function discardInput(socket: Duplex, lingerMillis: number): void {
  socket.removeAllListeners('data');
  // A listener, not only resume(), because it also takes the socket away from node's HTTP parser.
  socket.on('data', (chunk: Buffer) => {
    if (chunk.length <= LITTLE_BYTES) return;
    socket.pause();
    door.placeOf(socket).resume(() => socket.resume());
  });
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), lingerMillis);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
}

/** The answer to bytes that node's HTTP parser refused, or to a request that took too long. */
export function parserRefusal(error: NodeJS.ErrnoException & { reason?: string }): {
  status: number;
  sentence: string;
} {
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    return { status: 431, sentence: 'the request line and headers are longer than this server allows' };
  }
  if (error.code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') {
    return { status: 413, sentence: 'the chunk extensions are longer than this server allows' };
  }
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return { status: 408, sentence: 'the request did not arrive in the time allowed' };
  }
  return { status: 400, sentence: `this is not valid HTTP: ${error.reason ?? error.message}` };
}
