// The requests of a connection that another program's server reads: one at a time is begun, and all end with it. Such a
// server hands over all that a chunk of 64 KB has, over a thousand, whether or not their answers are taken.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Browsers and their kin send one at a time, programs that measure send tens. */
export const MOST_WAITING_REQUESTS = 64;

interface Line {
  readonly socket: Socket;
  /** The answer of the request that is begun. */
  begun: ServerResponse | undefined;
  readonly waiting: { readonly response: ServerResponse; readonly begin: () => void }[];
}

export class RequestOrder {
  private readonly lines = new Map<Socket, Line>();

  /** @param tooMany called when a connection has sent more requests ahead than wait; it is closed then. */
  constructor(private readonly tooMany: (socket: Socket) => void) {}

  /** Calls `begin` when the client has taken the answers before; never when it has gone by then. */
  take({ socket, httpVersionMajor }: IncomingMessage, response: ServerResponse, begin: () => void): void {
    // Requests of HTTP/2 are no sequence.
    if (httpVersionMajor !== 1) {
      begin();
      return;
    }
    if (socket.destroyed) return;
    const line = this.lines.get(socket) ?? this.open(socket);
    if (line.waiting.length >= MOST_WAITING_REQUESTS) {
      this.tooMany(socket);
      socket.destroy();
      return;
    }
    line.waiting.push({ response, begin });
    this.next(line);
  }

  private open(socket: Socket): Line {
    const line: Line = { socket, begun: undefined, waiting: [] };
    this.lines.set(socket, line);
    socket.once('close', () => {
      this.lines.delete(socket);
      line.waiting.length = 0;
      // Node tells the answer that was being sent; one behind another program's answer would never hear of it.
      process.nextTick(() => line.begun?.emit('close'));
    });
    return line;
  }

  private next(line: Line): void {
    if (line.begun || line.socket.destroyed) return;
    const first = line.waiting.shift();
    if (!first) return;
    line.begun = first.response;
    first.response.once('close', () => {
      line.begun = undefined;
      this.next(line);
    });
    first.begin();
  }
}
