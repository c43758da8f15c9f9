// Closes a connection that may not stay, with an answer in the protocol of its first bytes.
import type { Socket } from 'node:net';
import { languageOf } from './first-bytes.js';
import { refuse } from './http-refusal.js';

/** How long a refused connection may take to send its first bytes. */
const PATIENCE_MILLIS = 1000;
/** How many refused connections are read at once; others are closed without an answer. */
const MOST_HEARD = 32;

let heard = 0;

/** Sends an HTTP client the sentence, and tells the status; a connection of any other protocol is only closed. */
export function refuseConnection(socket: Socket, sentence: string, answered: (status: number) => void): void {
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
    if (languageOf(chunk) !== 'http') {
      socket.destroy();
      return;
    }
    answered(503);
    refuse(socket, 503, sentence, PATIENCE_MILLIS);
  });
  socket.once('end', () => socket.end());
  // A socket that nobody has read yet is paused.
  socket.resume();
}
