// What a client calls this server, also behind a proxy.
import type { HttpRequest } from '../../serving/transport/http-request.js';

/** Trust has checked the name. */
export function baseUrlOf(request: HttpRequest, isTls = false): string {
  const isSecure = isTls || request.headers['x-forwarded-proto'] === 'https';
  return `http${isSecure ? 's' : ''}://${request.host ?? request.local}${prefixOf(request)}`;
}

/** The part of the path that a proxy says it has removed; an invalid header counts as nothing. */
export function prefixOf({ headers }: HttpRequest): string {
  const given = String(headers['x-forwarded-prefix'] ?? '').replace(/\/$/, '');
  return given.length <= 200 && /^(\/[\w.~-]+)+$/.test(given) ? given : '';
}
