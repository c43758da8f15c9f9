// The connections of another program's HTTP server: they are read as those of a port are, and of each one request is begun at
// a time. Such a server hands over all that a chunk of 64 KB has, over a thousand, whether or not their answers are taken.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { door } from './door.js';
import { HttpFeed, type ParsedHead } from './http-feed.js';
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
  readonly parser: unknown;
  readonly feed: HttpFeed;
  readonly tooMany: TooMany;
  /** The last one that has come here. */
  latest?: ParsedHead;
  /** Requests whose turn has not come. */
  waiting: number;
  /** The answer that is being made or sent; undefined also while the program makes one. */
  current?: ServerResponse | undefined;
  /** The answer to the last request that has come here. */
  last?: ServerResponse;
}

export class MountedConnections {
  private readonly tracked = new WeakMap<Socket, Tracked>();
  private waiting = 0;

  /** @param aheadMillis how long requests wait unread behind one without an answer. */
  constructor(private readonly aheadMillis = AHEAD_MILLIS) {}

  /** What is known of a connection, which is read by and by from now on: before its first request, or with it. */
  track(socket: Socket, tooMany: TooMany): Tracked {
    const before = this.tracked.get(socket);
    const parser = parserOf(socket);
    if (before && before.parser === parser) return before;
    const feed = new HttpFeed(socket, {
      latest: () => tracked.latest,
      isFull: (isPatient) => tracked.waiting >= mostAhead(this.waiting, isPatient),
      firstWaits: () => tracked.waiting > 0 && tracked.current?.headersSent !== true,
      isDetached: () => parserOf(socket) !== parser,
      aheadMillis: this.aheadMillis,
      cut: () => cut(socket, tooMany),
    });
    const tracked: Tracked = { parser, feed, tooMany, waiting: 0 };
    this.tracked.set(socket, tracked);
    socket.once('close', () => {
      this.waiting -= tracked.waiting;
    });
    // Another may have taken the socket over while middleware took its time.
    if (parser === undefined) return tracked;
    feed.start();
    return tracked;
  }

  /** A request of the program's own, or one that is taken: what comes behind it may be something else than a request. */
  sees(request: IncomingMessage, response: ServerResponse): void {
    const tracked = this.tracked.get(request.socket);
    if (!tracked) return;
    tracked.latest = headOf(request);
    tracked.last = response;
  }

  /** Calls `begin` when the client has taken the answers before; never when it has gone by then. */
  take(request: IncomingMessage, response: ServerResponse, begin: () => void, tooMany: TooMany): void {
    const { socket } = request;
    // Middleware may have taken its time.
    if (socket.destroyed || response.destroyed) return;
    const tracked = this.track(socket, tooMany);
    this.sees(request, response);
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
   * been answered.
   */
  afterAnswers(socket: Duplex, head: Buffer, take: (head: Buffer) => void): void {
    const tracked = this.tracked.get(socket as Socket);
    tracked?.feed.stop();
    const answer = tracked?.last;
    if (!answer || answer.closed) {
      take(head);
      return;
    }
    const wholeHead = readWhileWaiting(socket, head, () => tracked?.tooMany(socket as Socket));
    // Node has taken the socket from its server, whose limits of time hold no longer.
    const patience = setTimeout(() => socket.destroy(), this.aheadMillis);
    socket.once('close', () => clearTimeout(patience));
    answer.once('close', () => {
      if (socket.destroyed) return;
      clearTimeout(patience);
      take(wholeHead());
    });
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
  socket.destroy();
}

/**
 * A listener that node's parser of HTTP has while it reads a socket: undefined once a request was upgraded, another function
 * when the program gives the socket to a server again. Undefined also of what only looks like a socket, as in HTTP/2.
 */
const parserOf = (socket: Socket): unknown => socket.listeners('drain')[0];

/** The program may have changed `headers`. */
const hasUpgrade = ({ rawHeaders }: IncomingMessage): boolean =>
  rawHeaders.some((name, index) => index % 2 === 0 && name.toLowerCase() === 'upgrade');

const headOf = (request: IncomingMessage): ParsedHead => ({
  hasWish: hasUpgrade(request),
  headers: request.headers,
  get complete() {
    return request.complete;
  },
});
