// The line protocol over HTTP besides: GET /line?name=NAME.
import type { HttpEndpoint, HttpExchange } from '../../lib/index.js';

/** @param get the line that answers `get NAME`. */
export function lineRoute(get: (name: string) => string): Omit<HttpEndpoint, 'name' | 'speaks'> {
  const answer = (exchange: HttpExchange): void => {
    const line = get(exchange.query.get('name') ?? '');
    const status = line.startsWith('error') ? 404 : 200;
    exchange.respond(status, { 'content-type': 'text/plain; charset=utf-8' }, line);
  };
  return { kind: 'http', trust: 'request', at: 'main', routes: [{ method: 'GET', path: '/line', answer }] };
}
