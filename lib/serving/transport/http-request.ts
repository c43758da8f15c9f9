// What an HTTP request contains before its body.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { formatAddress } from './address.js';

/** A request as it came, with its body. */
export interface HttpRequest {
  readonly method: string;
  /** The path without the query, with percent escapes as sent; at least `/`. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The names are in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** The Host header as sent: the name by which the client calls this server. */
  readonly host: string | undefined;
  readonly peer: string;
  readonly local: string;
}

export function describeRequest(message: IncomingMessage): HttpRequest {
  const { socket, headers } = message;
  return {
    method: message.method ?? 'GET',
    ...splitTarget(message.url ?? '/'),
    headers,
    host: headers.host,
    peer: formatAddress(socket.remoteAddress, socket.remotePort),
    local: formatAddress(socket.localAddress, socket.localPort),
  };
}

/** Why the Host headers of a request name no one server (RFC 9112, 3.2); node keeps only the first of them. */
export function hostFault({
  rawHeaders,
  httpVersion,
}: Pick<IncomingMessage, 'rawHeaders' | 'httpVersion'>): string | undefined {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  if (count > 1) return 'a request has one Host header, not several';
  return count === 0 && httpVersion === '1.1' ? 'an HTTP/1.1 request needs a Host header' : undefined;
}

/** Changes a request to what it is for a server below a path, such as `/alone/ball`, which its own path begins with. */
export function goBelow<R extends Pick<HttpRequest, 'path' | 'headers'>>(request: R, place: string): R {
  const before = String(request.headers['x-forwarded-prefix'] ?? '').replace(/\/$/, '');
  const headers = { ...request.headers, 'x-forwarded-prefix': before + place };
  return Object.assign(request, { path: request.path.slice(place.length), headers });
}

/** Splits `/path?query`, and `http://host/path?query` as a proxy's client sends it. */
export function splitTarget(target: string): { path: string; query: URLSearchParams } {
  const local = target.replace(/^https?:\/\/[^/?]*/i, '');
  const mark = local.indexOf('?');
  const path = mark < 0 ? local : local.slice(0, mark);
  return { path: path === '' ? '/' : path, query: new URLSearchParams(mark < 0 ? '' : local.slice(mark + 1)) };
}
