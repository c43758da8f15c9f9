// The end of a connection that may not stay, in the language of its first bytes.
import type { Socket } from 'node:net';
import { languageOf } from './first-bytes.js';
import { refuse } from './http-refusal.js';

/** How long a refused connection may take to say what it speaks. */
const PATIENCE_MILLIS = 1000;
/** Refused connections that are listened to at once; others are closed without a word. */
const MOST_HEARD = 32;

let heard = 0;

/** Tells an HTTP client why it may not stay; anybody else is just closed. */
export function refuseConnection(socket: Socket, sentence: string): void {
  socket.on('error', () => {});
  if (heard >= MOST_HEARD) {
    socket.destroy();
    return;
  }
  heard++;
  const timer = setTimeout(() => socket.destroy(), PATIENCE_MILLIS);
  socket.once('close', () => {
    heard--;
    clearTimeout(timer);
  });
  socket.once('data', (chunk) => {
    if (languageOf(chunk) === 'http') refuse(socket, 503, sentence, PATIENCE_MILLIS);
    else socket.destroy();
  });
  socket.once('end', () => socket.end());
}
