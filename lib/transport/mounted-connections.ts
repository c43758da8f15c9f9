// The connections of another program's HTTP server: they are read as those of a port are, and of each one request is begun at
// a time. Such a server hands over all that a chunk of 64 KB has, over a thousand, whether or not their answers are taken.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { door } from './door.js';
import { HttpFeed } from './http-feed.js';
import { latestHead, requestTaker, stopParsing, unfinishedAnswer } from './http-parser.js';
import { AHEAD_MILLIS, mostAhead } from './requests-ahead.js';
import { readWhileWaiting } from './waiting-upgrade.js';

/**
 * Of a connection whose requests were read before this module knew of them: in the chunk with its first one, or behind
 * middleware that takes its time. Programs that measure send tens ahead.
 */
export const MOST_WAITING_REQUESTS = 64;

/** Called with a connection that has sent more requests ahead than wait, or for too long; it is closed then. */
export type TooMany = (socket: Socket) => void;

interface Tracked {
  readonly taker: unknown;
  readonly feed: HttpFeed;
  readonly tooMany: TooMany;
  /** Requests whose turn has not come. */
  waiting: number;
  /** The answer that is being made or sent; undefined also while the program makes one. */
  current?: ServerResponse | undefined;
}

export class MountedConnections {
  private readonly tracked = new WeakMap<Socket, Tracked>();
  private waiting = 0;

  /** @param aheadMillis how long requests wait unread behind one without an answer. */
  constructor(private readonly aheadMillis = AHEAD_MILLIS) {}

  /** What is known of a connection, which is read by and by from now on: before its first request, or with it. */
  track(socket: Socket, tooMany: TooMany): Tracked {
    const before = this.tracked.get(socket);
    const taker = requestTaker(socket);
    if (before && before.taker === taker) return before;
    const feed = new HttpFeed(socket, {
      latest: latestHead(socket),
      isFull: (isPatient) => tracked.waiting >= mostAhead(this.waiting, isPatient),
      firstWaits: () => tracked.waiting > 0 && tracked.current?.headersSent !== true,
      isDetached: () => requestTaker(socket) !== taker,
      aheadMillis: this.aheadMillis,
      cut: () => cut(socket, tooMany),
    });
    const tracked: Tracked = { taker, feed, tooMany, waiting: 0 };
    this.tracked.set(socket, tracked);
    socket.once('close', () => {
      this.waiting -= tracked.waiting;
    });
    // Another may have taken the socket over while middleware took its time.
    if (taker === undefined) return tracked;
    feed.start();
    return tracked;
  }

  /** Calls `begin` when the client has taken the answers before; never when it has gone by then. */
  take({ socket }: IncomingMessage, response: ServerResponse, begin: () => void, tooMany: TooMany): void {
    // Middleware may have taken its time.
    if (socket.destroyed || response.destroyed) return;
    const tracked = this.track(socket, tooMany);
    const start = (): void => {
      tracked.current = response;
      begin();
    };
    response.once('close', () => {
      if (tracked.current === response) tracked.current = undefined;
      tracked.feed.answered();
    });
    // Node gives an answer the socket when it is its turn, in the order in which the requests came.
    if (response.socket || response.writableEnded) start();
    else if (tracked.waiting >= MOST_WAITING_REQUESTS) cut(socket, tracked.tooMany);
    else this.wait(tracked, response, start);
  }

  /**
   * Calls `take` with what came behind a request that makes its socket something else, once all requests before it have
   * been answered, those of the program too.
   */
  afterAnswers(socket: Duplex, head: Buffer, take: (head: Buffer) => void): void {
    const tracked = this.tracked.get(socket as Socket);
    tracked?.feed.stop();
    const answer = unfinishedAnswer(socket);
    if (!answer) {
      take(head);
      return;
    }
    const wholeHead = readWhileWaiting(socket, head, () => tracked?.tooMany(socket as Socket));
    // Node has taken the socket from its server, whose limits of time hold no longer.
    const patience = setTimeout(() => socket.destroy(), this.aheadMillis);
    socket.once('close', () => clearTimeout(patience));
    const wait = (before: ServerResponse): void =>
      void before.once('close', () => {
        if (socket.destroyed) return;
        const next = unfinishedAnswer(socket);
        if (next) {
          wait(next);
          return;
        }
        clearTimeout(patience);
        take(wholeHead());
      });
    wait(answer);
  }

  private wait(tracked: Tracked, response: ServerResponse, start: () => void): void {
    tracked.waiting++;
    this.waiting++;
    response.once('socket', () => {
      tracked.waiting--;
      this.waiting--;
      const { socket } = response;
      if (!socket) return;
      door.placeOf(socket).begin(() => {
        if (!response.destroyed && !socket.destroyed) start();
      });
    });
  }
}

/** Of all mounted paths of the process: a connection may carry requests for several of them. */
export const mountedConnections = new MountedConnections();

function cut(socket: Socket, tooMany: TooMany): void {
  if (socket.destroyed) return;
  tooMany(socket);
  stopParsing(socket);
  socket.destroy();
}
