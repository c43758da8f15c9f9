// What a shell script does over HTTP: one JSON-RPC call per connection, and an event stream read line by line.
import { type ClientRequest, type IncomingMessage, request } from 'node:http';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

export interface Values {
  readonly sim_time: { readonly sec_si: number; readonly label: string };
  readonly values: Readonly<Record<string, Json>>;
  /** Messages left out before this one. */
  readonly dropped?: number;
}

/** Where a client comes from; by default from 127.0.0.1. The plain requests of an address are one client. */
export interface From {
  readonly localAddress?: string | undefined;
}

function open(
  port: number,
  method: 'GET' | 'POST',
  path: string,
  body?: string | Buffer,
  from: From = {},
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // As `curl -d` sends it: the connection closes afterwards, and the content type is that of a form.
    const headers = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
    const options = { host: '127.0.0.1', port, method, path, headers, agent: false as const, ...from };
    const sent: ClientRequest = request(options, resolve);
    sent.on('error', reject);
    sent.end(body);
  });
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** The whole answer to one JSON-RPC call: `{jsonrpc, id, result}` or `{jsonrpc, id, error}`. */
export async function post(
  port: number,
  body: string | Buffer,
  from?: From,
): Promise<{ status: number; text: string }> {
  const response = await open(port, 'POST', '/jsonrpc', body, from);
  return { status: response.statusCode ?? 0, text: await textOf(response) };
}

/** The result of one method; throws the server's sentence when it refuses. */
export async function call<Result = Json>(port: number, method: string, params: Json, from?: From): Promise<Result> {
  const { text } = await post(port, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), from);
  const answer = JSON.parse(text) as { readonly result?: Result; readonly error?: { readonly message: string } };
  if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
  return answer.result as Result;
}

/** The `event: var` messages of a subscription, as they arrive. */
export class EventStream {
  /** Of the message that came last. */
  lastId = '';

  private constructor(private readonly response: IncomingMessage) {}

  /** @param lastId of the last message that the client has, from whichever server. */
  static async subscribe(
    port: number,
    aliases: readonly string[],
    cycleMillis: number,
    from?: From,
    lastId = '',
  ): Promise<EventStream> {
    const params = { aliases, cycle_ms: cycleMillis };
    const { subscription_id: id } = await call<{ subscription_id: Json }>(port, 'var/subscribe', params, from);
    const response = await open(port, 'GET', `/sse?sub=${id}&last_event_id=${lastId}`, undefined, from);
    if (response.statusCode !== 200) throw new Error(`GET /sse answered ${response.statusCode}`);
    return new EventStream(response);
  }

  async *messages(): AsyncGenerator<Values> {
    let pending = '';
    for await (const chunk of this.response.setEncoding('utf8')) {
      const events = (pending + chunk).split('\n\n');
      pending = events.pop() ?? '';
      for (const event of events) {
        const [, id = '', data] = /^(?:id: (\S+)\n)?event: var\ndata: (.*)$/.exec(event) ?? [];
        this.lastId = id;
        if (data !== undefined) yield JSON.parse(data) as Values;
        else if (!event.startsWith(':')) throw new Error(`not an event of a subscription: ${JSON.stringify(event)}`);
      }
    }
  }

  close(): void {
    this.response.destroy();
  }
}
