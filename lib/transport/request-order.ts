// The requests of a connection that another program's server reads: one at a time is begun. Such a server hands over all that
// a chunk of 64 KB has, over a thousand, whether or not their answers are taken.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Browsers and their kin send one at a time, programs that measure send tens. */
export const MOST_WAITING_REQUESTS = 64;

export class RequestOrder {
  private readonly waiting = new WeakMap<Socket, number>();

  /** @param tooMany called when a connection has sent more requests ahead than wait; it is closed then. */
  constructor(private readonly tooMany: (socket: Socket) => void) {}

  /** Calls `begin` when the client has taken the answers before; never when it has gone by then. */
  take({ socket }: IncomingMessage, response: ServerResponse, begin: () => void): void {
    // Node gives an answer the socket when it is its turn, in the order in which the requests came.
    if (response.socket || response.writableEnded) {
      begin();
      return;
    }
    if (socket.destroyed) return;
    const count = this.waiting.get(socket) ?? 0;
    if (count >= MOST_WAITING_REQUESTS) {
      this.tooMany(socket);
      socket.destroy();
      return;
    }
    this.waiting.set(socket, count + 1);
    response.once('socket', () => {
      this.waiting.set(socket, (this.waiting.get(socket) ?? 1) - 1);
      begin();
    });
  }
}
