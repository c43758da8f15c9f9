// Stops reading from a socket at once. A socket that is paused is read until one chunk of 64 KB waits in it, and what
// hundreds of sockets read in one turn of the event loop takes long.
import type { Socket } from 'node:net';

/** What node keeps of a socket of the system; there is no public way to it. */
interface Handle {
  reading: boolean;
  readStart(): number;
  readStop(): number;
}

const handleOf = (socket: Socket): Handle | undefined => {
  const { _handle: handle } = socket as unknown as { _handle?: Partial<Handle> | null };
  return typeof handle?.readStart === 'function' && typeof handle.readStop === 'function'
    ? (handle as Handle)
    : undefined;
};

/** Reads nothing from a flowing socket until `readOn` is called. */
export function stopReading(socket: Socket): void {
  socket.pause();
  holdReading(socket);
}

/** Reads from a socket that was stopped, or that nobody has read yet. */
export function readOn(socket: Socket): void {
  socket.resume();
  releaseReading(socket);
}

/**
 * Takes nothing more from the system, while the socket flows or is paused as before; its bytes wait there until
 * `releaseReading`. False when nothing was being taken.
 */
export function holdReading(socket: Socket): boolean {
  const handle = handleOf(socket);
  if (!handle?.reading) return false;
  handle.reading = false;
  handle.readStop();
  return true;
}

/** Whether nothing is taken from the system. */
export const isStopped = (socket: Socket): boolean => handleOf(socket)?.reading === false;

export function releaseReading(socket: Socket): void {
  const handle = handleOf(socket);
  if (!handle || handle.reading || socket.destroyed) return;
  handle.reading = true;
  handle.readStart();
}
