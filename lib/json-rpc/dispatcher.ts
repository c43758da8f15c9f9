// JSON-RPC 2.0: requests, batches and notifications to calls of a method table, and answers back to text.
import { didYouMean, nearestNames } from '../model/suggest.js';
import { parseJsonText } from './json-text.js';
import type { Method } from './method.js';
import { RpcCode, RpcError } from './rpc-error.js';

const MAX_BATCH = 1000;

type RequestId = string | number | null;

interface RpcRequest {
  readonly method: string;
  readonly params: unknown;
  /** Undefined in a notification, which gets no answer. */
  readonly id: RequestId | undefined;
}

export interface DispatcherHooks<Context> {
  /** Throws an RpcError to refuse a call before its parameters are looked at. */
  readonly guard?: (context: Context, method: Method<Context>) => void;
  /** Hears what a method threw that is no RpcError; the client gets -32603. */
  readonly onFault?: (error: unknown, method: string) => void;
  /** Turns the errors of the layers below into RpcErrors; undefined for a fault. */
  readonly translate?: (error: unknown) => RpcError | undefined;
}

export class Dispatcher<Context> {
  readonly methods = new Map<string, Method<Context>>();

  constructor(
    methods: Iterable<Method<Context>>,
    private readonly hooks: DispatcherHooks<Context> = {},
  ) {
    for (const method of methods) {
      if (this.methods.has(method.name)) throw new Error(`two methods are named ${method.name}`);
      this.methods.set(method.name, method);
    }
  }

  /** The answer to a message as JSON text; undefined when it holds notifications only. Never rejects. */
  async answer(message: Uint8Array, context: Context): Promise<string | undefined> {
    try {
      const value = parseJsonText(message);
      return await (Array.isArray(value) ? this.answerBatch(value, context) : this.answerOne(value, context));
    } catch (error) {
      return this.errorText(null, error, '');
    }
  }

  /** In the order given, one after the other, so that a later request sees what an earlier one did. */
  private async answerBatch(requests: readonly unknown[], context: Context): Promise<string | undefined> {
    if (requests.length === 0) throw new RpcError(RpcCode.invalidRequest, 'a batch holds at least one request');
    if (requests.length > MAX_BATCH) {
      const sentence = `a batch holds at most ${MAX_BATCH} requests, this one ${requests.length}`;
      throw new RpcError(RpcCode.invalidRequest, sentence);
    }
    const answers: string[] = [];
    for (const request of requests) {
      const answer = await this.answerOne(request, context);
      if (answer !== undefined) answers.push(answer);
    }
    return answers.length > 0 ? `[${answers.join(',')}]` : undefined;
  }

  private async answerOne(value: unknown, context: Context): Promise<string | undefined> {
    let request: RpcRequest | undefined;
    try {
      request = readRequest(value);
      const result = (await this.call(request, context)) ?? null;
      if (request.id === undefined) return undefined;
      return `{"jsonrpc":"2.0","id":${JSON.stringify(request.id)},"result":${JSON.stringify(result)}}`;
    } catch (error) {
      const text = this.errorText(request ? (request.id ?? null) : idOf(value), error, request?.method ?? '');
      return request && request.id === undefined ? undefined : text;
    }
  }

  private call({ method: name, params }: RpcRequest, context: Context): unknown {
    const method = this.methods.get(name);
    if (!method) {
      const nearest = nearestNames(name, this.methods.keys());
      const sentence = `there is no method ${JSON.stringify(name)}${didYouMean(nearest)}`;
      throw new RpcError(RpcCode.methodNotFound, sentence, { nearest });
    }
    this.hooks.guard?.(context, method);
    return method.call(context, params);
  }

  private errorText(id: RequestId, error: unknown, method: string): string {
    const known = error instanceof RpcError ? error : this.hooks.translate?.(error);
    if (!known) this.hooks.onFault?.(error, method);
    return errorAnswer(id, known ?? new RpcError(RpcCode.internal, 'the server failed to answer this request'));
  }
}

/** An error response as text. */
export function errorAnswer(id: RequestId, { code, message, data }: RpcError): string {
  const error = data === undefined ? { code, message } : { code, message, data };
  return JSON.stringify({ jsonrpc: '2.0', id, error });
}

const invalid = (sentence: string): RpcError => new RpcError(RpcCode.invalidRequest, sentence);

function readRequest(value: unknown): RpcRequest {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw invalid(
      `a request is an object, not ${Array.isArray(value) ? 'a list' : JSON.stringify(value)?.slice(0, 40)}`,
    );
  }
  const { jsonrpc, method, params, id } = value as Record<string, unknown>;
  if (jsonrpc !== '2.0') throw invalid('a request says "jsonrpc":"2.0"');
  if (typeof method !== 'string') throw invalid('a request names its "method" as text');
  if (id !== undefined && !isId(id)) throw invalid('an "id" is text, a number or null');
  return { method, params, id };
}

const isId = (id: unknown): id is RequestId => id === null || typeof id === 'string' || typeof id === 'number';

/** The id of what may not be a request at all, as far as it can be read. */
function idOf(value: unknown): RequestId {
  const id = value !== null && typeof value === 'object' ? (value as { id?: unknown }).id : null;
  return isId(id) ? id : null;
}
