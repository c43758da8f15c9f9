// A client as an inspector is one: it POSTs to a path of its own, and takes each piece of a stream for one event.
import { Agent, type IncomingMessage, request } from 'node:http';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
// biome-ignore lint/suspicious/noExplicitAny: whatever the server says
type Answer = any;

export class Inspector {
  private readonly agent = new Agent({ keepAlive: true });
  private lastId = 0;

  constructor(
    readonly port: number,
    private readonly path = '/jsonrpc',
  ) {}

  /** Sends bytes, and returns the whole answer as JSON. */
  async send(body: string, { method = 'POST', path = this.path } = {}): Promise<Answer> {
    const response = await this.open(body, method, path);
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}: ${text}`);
    if (response.headers['content-type'] !== 'application/json')
      throw new Error(`type ${response.headers['content-type']}`);
    return JSON.parse(text);
  }

  /** The result of a call; throws `code: message`. */
  async call(method: string, params?: Json): Promise<Answer> {
    const id = ++this.lastId;
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) });
    const answer = await this.send(body);
    if (answer.jsonrpc !== '2.0' || answer.id !== id)
      throw new Error(`not an answer to ${id}: ${JSON.stringify(answer)}`);
    if ('error' in answer) throw new Error(`${answer.error.code}: ${answer.error.message}`);
    return answer.result;
  }

  /** @param options those of the events. */
  async watch(method: string, params: Json, options: EventsOptions = {}): Promise<Events> {
    return this.stream(JSON.stringify({ jsonrpc: '2.0', id: ++this.lastId, method, params }), options);
  }

  /** Sends bytes that are answered with a stream. */
  async stream(body: string, options: EventsOptions = {}): Promise<Events> {
    const response = await this.open(body, 'POST', this.path);
    if (response.headers['content-type'] !== 'text/event-stream')
      throw new Error(`type ${response.headers['content-type']}`);
    return new Events(response, options);
  }

  close(): void {
    this.agent.destroy();
  }

  private open(body: string, method: string, path: string): Promise<IncomingMessage> {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    return new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port: this.port, method, path, headers, agent: this.agent }, resolve);
      sent.on('error', reject);
      sent.end(body);
    });
  }
}

export interface EventsOptions {
  /** Whether an event may come in two pieces, as one of many at once does. Default false: each piece must be one event. */
  readonly isCutAnywhere?: boolean;
}

/** Events of a watch, each from `data: ` to a blank line. */
export class Events {
  private readonly pieces: string[] = [];
  /** The beginning of an event that may be cut anywhere. */
  private begun = '';
  private isOver = false;
  private wake: () => void = () => undefined;

  constructor(
    private readonly response: IncomingMessage,
    { isCutAnywhere = false }: EventsOptions = {},
  ) {
    const end = () => {
      this.isOver = true;
      this.wake();
    };
    response.on('data', (piece: Buffer) => {
      this.pieces.push(...(isCutAnywhere ? this.joined(`${piece}`) : [`${piece}`]));
      this.wake();
    });
    response.on('end', end).on('error', end).on('close', end);
  }

  /** The next event; undefined at the end of the stream. */
  async next(): Promise<Answer> {
    while (this.pieces.length === 0) {
      if (this.isOver) return undefined;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    const piece = this.pieces.shift() ?? '';
    const [, data] = /^data: (\{.*\})\n\n$/.exec(piece) ?? [];
    if (data === undefined) throw new Error(`not one event: ${JSON.stringify(piece)}`);
    return JSON.parse(data);
  }

  close(): void {
    this.response.destroy();
  }

  private joined(piece: string): string[] {
    const events = (this.begun + piece).split(/(?<=\n\n)/);
    this.begun = events.at(-1)?.endsWith('\n\n') ? '' : (events.pop() ?? '');
    return events;
  }
}
