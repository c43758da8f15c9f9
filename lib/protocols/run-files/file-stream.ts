// Sends an open file as the body of an answer, as fast as the client takes it.
import type { FileHandle } from 'node:fs/promises';
import type { Clock } from '../../serving/scheduling/clock.js';
import type { HttpStream } from '../../serving/transport/http-exchange.js';

/** Bytes that are read at a time, and how many may wait for the client. */
const PIECE_BYTES = 64 * 1024;
const AHEAD_BYTES = 256 * 1024;
/** How long a client may take nothing. */
const PATIENCE_MILLIS = 60_000;

/** Sends as much as the file had at the beginning, and ends the stream. */
export async function sendFile(file: FileHandle, size: number, stream: HttpStream, clock: Clock): Promise<void> {
  let isGone = false;
  let taken = (): void => undefined;
  stream.listen({
    drain: () => taken(),
    close: () => {
      isGone = true;
      taken();
    },
  });
  const listen = (call: () => void): void => {
    taken = call;
  };
  for (let at = 0; at < size && !isGone; ) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, size - at));
    const { bytesRead } = await file.read(piece, 0, piece.length, at);
    // A file that has become shorter cannot be what was announced.
    if (bytesRead === 0) return stream.destroy();
    at += bytesRead;
    stream.write(piece.subarray(0, bytesRead));
    while (stream.pendingBytes > AHEAD_BYTES && !isGone)
      if (!(await untilTaken(listen, clock))) return stream.destroy();
  }
  if (!isGone) stream.end();
}

/** False when the client has taken nothing for too long. */
function untilTaken(listen: (call: () => void) => void, clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = clock.after(PATIENCE_MILLIS, () => resolve(false));
    listen(() => {
      cancel();
      resolve(true);
    });
  });
}
