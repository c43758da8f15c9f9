// An upgrade that waits for the answers to earlier requests. Its socket is read meanwhile: otherwise nobody would notice that
// the client has gone, and the answers would be kept.
import type { Duplex } from 'node:stream';

/** A WebSocket's client sends nothing before it is answered; who sends so much is let go, because it is kept. */
export const MOST_AHEAD_BYTES = 4096;

/**
 * Reads a socket until the returned function is called.
 * @param head what arrived with the request.
 * @param tooMuch called when so much has come that the connection is closed.
 * @returns gives the head with all that has come since; the socket is as node hands it over.
 */
export function readWhileWaiting(socket: Duplex, head: Buffer, tooMuch: () => void): () => Buffer {
  const chunks = [head];
  let bytes = 0;
  const onData = (chunk: Buffer): void => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes <= MOST_AHEAD_BYTES) return;
    tooMuch();
    socket.destroy();
  };
  // As for a request without the wish: who has sent its last byte is not waited for.
  const onEnd = (): unknown => socket.end();
  socket.on('end', onEnd);
  socket.on('data', onData);
  socket.resume();
  return () => {
    socket.removeListener('data', onData);
    socket.removeListener('end', onEnd);
    // Whoever listens next begins to read.
    (socket as { readableFlowing: boolean | null }).readableFlowing = null;
    return Buffer.concat(chunks);
  };
}
