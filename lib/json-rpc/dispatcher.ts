// Requests and batches to calls of a method table, and answers back to text.
import { didYouMean, nearestNames } from '../model/suggest.js';
import { type Envelope, jsonRpc2, type RpcRequest } from './envelope.js';
import type { Method } from './method.js';
import { RpcCode, RpcError } from './rpc-error.js';

const MAX_BATCH = 1000;

export interface DispatcherHooks<Context> {
  /** Throws an RpcError to refuse a call before its parameters are looked at. */
  readonly guard?: (context: Context, method: Method<Context, unknown>) => void;
  /** Hears what a method threw that is no RpcError; the client gets -32603. */
  readonly onFault?: (error: unknown, method: string) => void;
  /** Turns the errors of the layers below into RpcErrors; undefined for a fault. */
  readonly translate?: (error: unknown) => RpcError | undefined;
}

export interface RpcAnswer<Stream> {
  /** Undefined when the message holds notifications only. */
  readonly text: string | undefined;
  /** What the calls have begun, in order: to be started once the text has been sent. */
  readonly streams: readonly Stream[];
  /** Of a message that is one answered request: its stream, which may be sent in place of the text. */
  readonly onlyStream: Stream | undefined;
}

export class Dispatcher<Context, Stream = never> {
  readonly methods = new Map<string, Method<Context, Stream>>();

  constructor(
    methods: Iterable<Method<Context, Stream>>,
    private readonly hooks: DispatcherHooks<Context> = {},
    private readonly envelope: Envelope = jsonRpc2,
  ) {
    for (const method of methods) {
      if (this.methods.has(method.name)) throw new Error(`two methods are named ${method.name}`);
      this.methods.set(method.name, method);
    }
  }

  /** Never rejects. */
  async answer(message: Uint8Array, context: Context): Promise<RpcAnswer<Stream>> {
    const streams: Stream[] = [];
    try {
      const value = this.envelope.parse(message);
      if (Array.isArray(value)) {
        return { text: await this.answerBatch(value, context, streams), streams, onlyStream: undefined };
      }
      const text = await this.answerOne(value, context, streams);
      return { text, streams, onlyStream: text === undefined ? undefined : streams[0] };
    } catch (error) {
      return { text: this.errorText(this.envelope.idOf(undefined), error, ''), streams, onlyStream: undefined };
    }
  }

  /** In the order given, one after the other, so that a later request sees what an earlier one did. */
  private async answerBatch(
    requests: readonly unknown[],
    context: Context,
    streams: Stream[],
  ): Promise<string | undefined> {
    if (requests.length === 0) return this.envelope.emptyBatch();
    if (requests.length > MAX_BATCH) {
      const sentence = `a batch holds at most ${MAX_BATCH} requests, this one ${requests.length}`;
      throw new RpcError(RpcCode.invalidRequest, sentence);
    }
    const answers: string[] = [];
    for (const request of requests) {
      const answer = await this.answerOne(request, context, streams);
      if (answer !== undefined) answers.push(answer);
    }
    return answers.length > 0 ? `[${answers.join(',')}]` : undefined;
  }

  private async answerOne(value: unknown, context: Context, streams: Stream[]): Promise<string | undefined> {
    let request: RpcRequest | undefined;
    try {
      request = this.envelope.read(value);
      const { result, stream } = await this.call(request, context);
      if (stream !== undefined) streams.push(stream);
      return request.isAnswered ? this.envelope.result(request.id, result ?? null) : undefined;
    } catch (error) {
      const id = request ? request.id : this.envelope.idOf(value);
      const text = this.errorText(id, error, request?.method ?? '');
      return request?.isAnswered === false ? undefined : text;
    }
  }

  private call({ method: name, params }: RpcRequest, context: Context): ReturnType<Method<Context, Stream>['call']> {
    const method = this.methods.get(name);
    if (!method) {
      const nearest = nearestNames(name, this.methods.keys());
      const sentence = `there is no method ${JSON.stringify(name)}${didYouMean(nearest)}`;
      throw new RpcError(RpcCode.methodNotFound, sentence, { nearest });
    }
    this.hooks.guard?.(context, method);
    return method.call(context, params);
  }

  private errorText(id: unknown, error: unknown, method: string): string {
    const known = error instanceof RpcError ? error : this.hooks.translate?.(error);
    if (!known) this.hooks.onFault?.(error, method);
    return this.envelope.error(id, known ?? new RpcError(RpcCode.internal, 'the server failed to answer this request'));
  }
}
