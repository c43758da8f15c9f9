// What node keeps of a server's HTTP parser beside its socket. There is no public way to it, so each of these works without it, if less well.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ParsedHead } from './http-feed.js';

interface Parser {
  onIncoming: unknown;
  readonly incoming?: IncomingMessage | null;
}

/** What a parser hears of a request after which the bytes are no HTTP. */
const UPGRADED = 2;

const parserOf = (socket: Socket): Parser | null | undefined =>
  (socket as unknown as { parser?: Parser | null }).parser;

/**
 * What takes the requests of a socket now: undefined once one was upgraded, another function when the program gives the
 * socket to a server again, which may get the same parser. Undefined also of what only looks like a socket, as in HTTP/2.
 */
export function requestTaker(socket: Socket): unknown {
  const taker = parserOf(socket)?.onIncoming;
  return typeof taker === 'function' ? taker : undefined;
}

/** The answer that is being made or sent, whoever makes it. */
export const unfinishedAnswer = (socket: Duplex): ServerResponse | undefined =>
  (socket as unknown as { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;

/**
 * Stops it within a chunk, for a socket that is destroyed next. Closing the socket does not: the rest of the chunk becomes
 * requests.
 */
export function stopParsing(socket: Socket): void {
  const parser = parserOf(socket);
  // Node sets it anew when another socket gets the parser.
  if (typeof parser?.onIncoming === 'function') parser.onIncoming = () => UPGRADED;
}

/** A function that returns the request whose head was parsed last, the same object while it is the same request. */
export function latestHead(socket: Socket): () => ParsedHead | undefined {
  let latest: IncomingMessage | undefined;
  let head: ParsedHead | undefined;
  return () => {
    const incoming = parserOf(socket)?.incoming ?? undefined;
    if (incoming !== latest) {
      latest = incoming;
      head = incoming && headOf(incoming);
    }
    return head;
  };
}

/** The program may have changed `headers`. */
const hasUpgrade = ({ rawHeaders }: IncomingMessage): boolean =>
  rawHeaders.some((name, index) => index % 2 === 0 && name.toLowerCase() === 'upgrade');

const headOf = (request: IncomingMessage): ParsedHead => ({
  hasWish: request.method === 'CONNECT' || hasUpgrade(request),
  headers: request.headers,
  get complete() {
    return request.complete;
  },
});
