// Sends one HTTP request, with every detail that a test may need: source address, headers, TLS.
import { once } from 'node:events';
import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import { request as requestInsideTls } from 'node:https';

export interface Asked extends RequestOptions {
  readonly port: number;
  readonly body?: string;
  /** Certificate to trust, in PEM; the request then uses TLS. */
  readonly ca?: string;
}

export interface Answered {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** Sends a POST when there is a body, otherwise a GET, to 127.0.0.1 by default. Waits for the whole answer. */
export async function ask({ body, ca, ...options }: Asked): Promise<Answered> {
  const method = body === undefined ? 'GET' : 'POST';
  const all = { host: '127.0.0.1', method, agent: false as const, ...options };
  const sent = ca === undefined ? request(all) : requestInsideTls({ ...all, ca });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}

/** The text of a JSON-RPC call. */
export const rpc = (method: string, params: object | null = null): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
