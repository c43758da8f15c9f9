// The connections of another program's HTTP server: they are read as those of a port are, and of each one request is begun at
// a time. Such a server hands over all that a chunk of 64 KB has, over a thousand, whether or not their answers are taken.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { crowdReading } from './crowd-reading.js';
import { HttpFeed } from './http-feed.js';
import { hasLostParser, latestHead, stopParsing } from './http-parser.js';
import { Paced } from './paced.js';
import { readWhileWaiting } from './waiting-upgrade.js';

/** Of a connection that is read by the chunk: before its first request, where the program does not tell of it. */
export const MOST_WAITING_REQUESTS = 64;
/** While so many requests of a connection wait, no more of it is read. */
export const MOST_AHEAD = 16;
/** While so many wait of all connections, fewer of each do: what thousands keep is copied while it waits. */
const MANY_WAITING = 256;
const FEW_AHEAD = 2;
const AHEAD_MILLIS = 10_000;

/** For all connections of all mounted paths. */
const beginning = new Paced(1);

interface Known {
  readonly feed: HttpFeed;
  /** Requests whose turn has not come. */
  waiting: number;
  /** Those and the one whose turn it is. */
  unanswered: number;
  /** The answer that is being made or sent. */
  current?: ServerResponse;
  /** Called when all requests so far have been answered. */
  whenAnswered?: (() => void) | undefined;
}

export class MountedConnections {
  private readonly known = new WeakMap<Socket, Known>();
  private waiting = 0;

  /**
   * @param tooMany called when a connection has sent more requests ahead than wait, or for too long; it is closed then.
   * @param aheadMillis how long requests wait unread behind one without an answer.
   */
  constructor(
    private readonly tooMany: (socket: Socket) => void,
    private readonly aheadMillis = AHEAD_MILLIS,
  ) {}

  /** Reads a connection by and by from now on: before its first request, or with it. */
  meet(socket: Socket): Known {
    const known = this.known.get(socket);
    if (known) return known;
    const most = (isPatient: boolean) => (isPatient || this.waiting < MANY_WAITING ? MOST_AHEAD : FEW_AHEAD);
    const feed = new HttpFeed(socket, {
      latest: latestHead(socket),
      isFull: (isPatient) => met.waiting >= most(isPatient),
      firstWaits: () => met.waiting > 0 && met.current?.headersSent === false,
      isOver: () => hasLostParser(socket),
      aheadMillis: this.aheadMillis,
      cut: () => this.cut(socket),
    });
    const met: Known = { feed, waiting: 0, unanswered: 0 };
    this.known.set(socket, met);
    crowdReading.add(socket);
    socket.once('close', () => {
      crowdReading.remove(socket);
      this.waiting -= met.waiting;
    });
    feed.start();
    return met;
  }

  /** Calls `begin` when the client has taken the answers before; never when it has gone by then. */
  take({ socket }: IncomingMessage, response: ServerResponse, begin: () => void): void {
    const met = this.meet(socket);
    const start = (): void => {
      met.current = response;
      begin();
    };
    met.unanswered++;
    response.once('close', () => this.answered(met));
    // Node gives an answer the socket when it is its turn, in the order in which the requests came.
    if (response.socket || response.writableEnded) start();
    else if (met.waiting >= MOST_WAITING_REQUESTS) this.cut(socket);
    else if (!socket.destroyed) this.wait(met, response, start);
  }

  /**
   * Calls `take` with what came behind a request that makes its socket something else, once the requests before it have
   * been answered.
   */
  afterAnswers(socket: Duplex, head: Buffer, take: (head: Buffer) => void): void {
    const met = this.known.get(socket as Socket);
    met?.feed.stop();
    if (met === undefined || met.unanswered === 0) {
      take(head);
      return;
    }
    const wholeHead = readWhileWaiting(socket, head);
    met.whenAnswered = () => take(wholeHead());
  }

  private answered(met: Known): void {
    met.unanswered--;
    met.feed.answered();
    if (met.unanswered > 0) return;
    const { whenAnswered } = met;
    met.whenAnswered = undefined;
    whenAnswered?.();
  }

  private wait(met: Known, response: ServerResponse, start: () => void): void {
    met.waiting++;
    this.waiting++;
    response.once('socket', () => {
      met.waiting--;
      this.waiting--;
      beginning.call(() => {
        if (!response.destroyed) start();
      });
    });
  }

  private cut(socket: Socket): void {
    if (socket.destroyed) return;
    this.tooMany(socket);
    stopParsing(socket);
    socket.destroy();
  }
}
