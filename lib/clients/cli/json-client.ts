// Calls of a varwire server by JSON-RPC over HTTP.
import type { IncomingMessage } from 'node:http';
import { isNasas, post } from './web-request.js';

export interface JsonClientOptions {
  readonly token?: string | undefined;
  readonly timeoutMillis?: number | undefined;
}

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code?: unknown; readonly message?: unknown };
}

const DEFAULT_TIMEOUT_MILLIS = 5000;

export class JsonClient {
  private readonly url: URL;
  private readonly headers: Record<string, string>;
  private readonly timeoutMillis: number;
  private probed: Promise<boolean> | undefined;

  constructor(
    server: URL,
    { token = process.env.VARWIRE_TOKEN, timeoutMillis = DEFAULT_TIMEOUT_MILLIS }: JsonClientOptions = {},
  ) {
    const given = server.searchParams.get('token') ?? token;
    this.url = new URL(`${server.pathname.replace(/\/$/, '')}/jsonrpc`, server);
    this.headers = { 'content-type': 'application/json', ...(given && { authorization: `Bearer ${given}` }) };
    this.timeoutMillis = timeoutMillis;
  }

  /**
   * The result of a method. Throws an Error with the sentence of the server and its `code`, or with what is wrong with the
   * connection, and the reason of the signal.
   */
  async call(method: string, params: object = {}, signal?: AbortSignal): Promise<unknown> {
    const late = new AbortController();
    const error = new Error(`no answer from ${this.url.host} within ${this.timeoutMillis} ms`);
    const timer = setTimeout(() => late.abort(error), this.timeoutMillis);
    const given = signal ? AbortSignal.any([late.signal, signal]) : late.signal;
    const answer = await this.post(method, params, 'application/json', given)
      .then((response) => this.read(response))
      .finally(() => clearTimeout(timer));
    const { error: refusal } = answer;
    if (refusal)
      throw Object.assign(new Error(String(refusal.message ?? 'the server refuses without a reason')), {
        code: refusal.code,
      });
    return answer.result;
  }

  /** The messages of a stream, as parsed JSON, until the signal or the server ends it. */
  async *stream(method: string, params: object, signal: AbortSignal): AsyncGenerator<unknown> {
    const response = await this.post(method, params, 'text/event-stream', signal);
    if (response.statusCode !== 200) throw new Error(await this.refusalOf(response));
    const decoder = new TextDecoder();
    let unread = '';
    for await (const chunk of response as AsyncIterable<Uint8Array>) {
      unread += decoder.decode(chunk, { stream: true });
      const lines = unread.split('\n');
      unread = lines.pop() ?? '';
      for (const line of lines) if (line.startsWith('data:')) yield JSON.parse(line.slice('data:'.length));
    }
  }

  /** Asked once, however many calls are silent. */
  private readonly isNasas = (): Promise<boolean> => {
    this.probed ??= isNasas(this.url);
    return this.probed;
  };

  private async post(method: string, params: object, accept: string, signal: AbortSignal): Promise<IncomingMessage> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    try {
      return await post(this.url, { headers: { ...this.headers, accept }, body, signal, isNasas: this.isNasas });
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      throw code === undefined ? error : new Error(`${this.url.host}: ${message || code}`);
    }
  }

  private async read(response: IncomingMessage): Promise<Answer> {
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    try {
      return JSON.parse(text) as Answer;
    } catch {
      throw new Error(`${this.url.host} speaks no JSON-RPC: ${response.statusCode} ${text.slice(0, 80).trim()}`);
    }
  }

  private async refusalOf(response: IncomingMessage): Promise<string> {
    const { error } = await this.read(response);
    return String(error?.message ?? `${this.url.host} answers ${response.statusCode}`);
  }
}
