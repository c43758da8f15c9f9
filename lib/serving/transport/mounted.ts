// What another program's HTTP server calls so that this one answers below a path.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Handlers for a server of node:http, Express or Fastify. They can be passed on without their object. */
export interface Mounted {
  /** Answers a request below the path; another one goes to `next`, or gets 404 without it. */
  readonly handle: (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void) => void;
  /** For the event `upgrade`: takes the socket of a request below the path; false for another one. */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
  /**
   * For the event `connection`, of a server with TLS `secureConnection`: the connection is read in small pieces, many of
   * them in several turns of the event loop. Without it, that holds from its first request below the path on. Several
   * mounted paths may tell of the same connection.
   */
  readonly connection: (socket: Socket) => void;
}
