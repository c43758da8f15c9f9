// The requests of a connection that another program's server reads: one at a time is begun, and not many of all in one turn.
// Such a server hands over all that a chunk of 64 KB has, over a thousand, whether or not their answers are taken.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { crowdReading } from './crowd-reading.js';
import { stopParsing } from './http-parser.js';
import { Paced } from './paced.js';

/** Browsers and their kin send one at a time, programs that measure send ten. */
export const MOST_WAITING_REQUESTS = 16;

interface Ahead {
  waiting: number;
  readBytes: number;
}

/** For all connections of all mounted paths. */
const beginning = new Paced(1);

export class RequestOrder {
  private readonly sockets = new WeakMap<Socket, Ahead>();

  /** @param tooMany called when a connection has sent more requests ahead than wait; it is closed then. */
  constructor(private readonly tooMany: (socket: Socket) => void) {}

  /** Calls `begin` when the client has taken the answers before; never when it has gone by then. */
  take({ socket }: IncomingMessage, response: ServerResponse, begin: () => void): void {
    const ahead = this.meet(socket);
    this.countReading(socket, ahead);
    // Node gives an answer the socket when it is its turn, in the order in which the requests came.
    if (response.socket || response.writableEnded) {
      beginning.call(() => {
        if (!response.destroyed) begin();
      });
      return;
    }
    if (socket.destroyed) return;
    if (ahead.waiting >= MOST_WAITING_REQUESTS) {
      this.tooMany(socket);
      stopParsing(socket);
      socket.destroy();
      return;
    }
    ahead.waiting++;
    response.once('socket', () => {
      ahead.waiting--;
      beginning.call(() => {
        if (!response.destroyed) begin();
      });
    });
  }

  /** Takes a connection into the crowd of those that are read by and by: before its first request, or with it. */
  meet(socket: Socket): Ahead {
    const known = this.sockets.get(socket);
    if (known) return known;
    const ahead = { waiting: 0, readBytes: 0 };
    this.sockets.set(socket, ahead);
    crowdReading.add(socket);
    socket.once('close', () => crowdReading.remove(socket));
    return ahead;
  }

  /** What has been read since the request before. */
  private countReading(socket: Socket, ahead: Ahead): void {
    const { bytesRead } = socket;
    if (bytesRead > ahead.readBytes) crowdReading.hasRead(socket, bytesRead - ahead.readBytes);
    ahead.readBytes = bytesRead;
  }
}
