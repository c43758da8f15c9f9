// Carries out requests and batches with a table of methods, and encodes the answers.
import { didYouMean, nearestNames } from '../../model/state/suggest.js';
import { type Account, Ledger, OverBoundError } from '../../serving/scheduling/account.js';
import { systemClock } from '../../serving/scheduling/clock.js';
import { AnswerText, MAX_ANSWER_BYTES } from './answer-text.js';
import { type Caller, GoneError } from './caller.js';
import { type Envelope, jsonRpc2, type RpcRequest } from './envelope.js';
import { LongList } from './json-text.js';
import type { Method } from './method.js';
import { Presence } from './presence.js';
import { quoted, RpcCode, RpcError } from './rpc-error.js';
import type { MethodOutcome } from './streamed.js';

const MAX_BATCH = 1000;

export interface DispatcherHooks<Context> {
  /** Throws an RpcError to refuse a call before its parameters are checked. */
  readonly guard?: (context: Context, method: Method<Context, unknown>) => void;
  /** The method for a name that the table lacks. Throws an RpcError. Default: an RpcError with the nearest names. */
  readonly other?: (context: Context, name: string) => Method<Context>;
  /** Called with an error of a method that is not an RpcError; the client gets -32603. */
  readonly onFault?: (error: unknown, method: string) => void;
  /** Called with the code of each error that a client gets. */
  readonly onError?: (code: number) => void;
  /** The RpcError for an error of a lower layer; undefined for a fault. */
  readonly translate?: (error: unknown) => RpcError | undefined;
  /** The caller in a context. Without it, calls are carried out at once and nothing is counted. */
  readonly callerOf?: (context: Context) => Caller;
}

export interface RpcAnswer<Stream> {
  /** Undefined when the message holds only notifications, or when its client has gone. */
  readonly text: AnswerText | undefined;
  /** Bytes taken from the caller's account as `unreadBytes`; give them back when the client has taken the text. */
  readonly heldBytes: number;
  /** The streams that the calls have begun, in order; start them once the text has been sent. */
  readonly streams: readonly Stream[];
  /** The stream of a message that is a single answered request; it may be sent in place of the text. */
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

  /** Answers one message. Never rejects. */
  async answer(message: Uint8Array, context: Context): Promise<RpcAnswer<Stream>> {
    const answering = new Answering<Context, Stream>(context, this.hooks.callerOf?.(context) ?? NOBODY);
    const text = await this.textOf(message, answering);
    const { caller, streams, isBatch } = answering;
    if (caller.presence.isOver) {
      answering.giveBack();
      return { text: undefined, heldBytes: 0, streams, onlyStream: undefined };
    }
    const onlyStream = isBatch || text === undefined ? undefined : streams[0];
    return { text, heldBytes: answering.heldBytes, streams, onlyStream };
  }

  private async textOf(message: Uint8Array, answering: Answering<Context, Stream>): Promise<AnswerText | undefined> {
    try {
      const { caller } = answering;
      await caller.turn();
      const value = await this.envelope.parse(message, caller.turn);
      answering.isBatch = Array.isArray(value) || value instanceof LongList;
      return await (answering.isBatch ? this.answerBatch(value as Batch, answering) : this.answerOne(value, answering));
    } catch (error) {
      return this.errorText(this.envelope.idOf(undefined), error, '');
    }
  }

  /** Carries out requests one after the other, so that a later one sees what an earlier one did. */
  private async answerBatch(requests: Batch, answering: Answering<Context, Stream>): Promise<AnswerText | undefined> {
    if (requests.length === 0) return AnswerText.of(this.envelope.emptyBatch());
    if (requests.length > MAX_BATCH) {
      const sentence = `a batch holds at most ${MAX_BATCH} requests, this one ${requests.length}`;
      throw new RpcError(RpcCode.invalidRequest, sentence);
    }
    const answers = AnswerText.of('[');
    const { caller } = answering;
    let [index, count] = [0, 0];
    for await (const request of requestsOf(requests, caller)) {
      if (caller.presence.isOver) return undefined;
      // The message itself has already been counted as its first request.
      const isAllowed = index++ === 0 || caller.mayAsk();
      const answer = await this.answerOne(request, answering, isAllowed ? undefined : TOO_FAST);
      if (answer === undefined) continue;
      if (count++ > 0) answers.add(',');
      answers.append(answer);
    }
    answers.add(']');
    return count > 0 ? answers : undefined;
  }

  private async answerOne(
    value: unknown,
    answering: Answering<Context, Stream>,
    refusal?: RpcError,
  ): Promise<AnswerText | undefined> {
    let request: RpcRequest | undefined;
    try {
      request = this.envelope.read(value);
      if (refusal) throw refusal;
      const outcome = await this.call(request, answering);
      const { stream } = outcome;
      const text = request.isAnswered ? this.resultText(request.id, outcome.result) : undefined;
      if (text) answering.hold(text.byteLength);
      if (stream !== undefined) answering.streams.push(stream);
      return text;
    } catch (error) {
      const id = request ? request.id : this.envelope.idOf(value);
      return this.errorText(id, error, request?.method ?? '', request?.isAnswered);
    }
  }

  /** Its end is in a turn of the client, so that the text of the result is written in it. */
  private async call(
    { method: name, params }: RpcRequest,
    { context, caller, full }: Answering<Context, Stream>,
  ): Promise<MethodOutcome<Stream>> {
    if (full) throw full;
    const method = this.methods.get(name) ?? this.other(context, name);
    this.hooks.guard?.(context, method);
    await caller.turn();
    const called = method.call(context, params);
    if (!(called instanceof Promise)) return called;
    const outcome = await called;
    // A stream that has begun is answered at once; a text has been written.
    if (outcome.stream === undefined && !(outcome.result instanceof AnswerText)) await caller.turn();
    return outcome;
  }

  private other(context: Context, name: string): Method<Context, Stream> {
    if (this.hooks.other) return this.hooks.other(context, name) as Method<Context, Stream>;
    const nearest = nearestNames(name, this.methods.keys());
    const sentence = `there is no method ${quoted(name)}${didYouMean(nearest)}`;
    throw new RpcError(RpcCode.methodNotFound, sentence, { nearest });
  }

  private resultText(id: unknown, result: unknown): AnswerText {
    const [before, after] = this.envelope.around(id);
    if (!(result instanceof AnswerText)) return AnswerText.of(before + JSON.stringify(result ?? null) + after);
    const text = AnswerText.of(before);
    text.append(result);
    text.add(after);
    return text;
  }

  private errorText(id: unknown, error: unknown, method: string, isAnswered = true): AnswerText | undefined {
    // Nobody waits for the text.
    if (error instanceof GoneError) return undefined;
    const known = error instanceof RpcError ? error : this.hooks.translate?.(error);
    if (!known) this.hooks.onFault?.(error, method);
    if (!isAnswered) return undefined;
    const said = known ?? new RpcError(RpcCode.internal, 'the server failed to answer this request');
    this.hooks.onError?.(said.code);
    return AnswerText.of(this.envelope.error(id, said));
  }
}

type Batch = readonly unknown[] | LongList;

/** The requests of a batch; those of a long one are parsed shortly before they are carried out. */
async function* requestsOf(batch: Batch, caller: Caller): AsyncGenerator<unknown> {
  if (!(batch instanceof LongList)) {
    yield* batch;
    return;
  }
  for (let some = await batch.next(caller.turn); some; some = await batch.next(caller.turn)) yield* some;
}

/** One message whose answer is being made. */
class Answering<Context, Stream> {
  readonly streams: Stream[] = [];
  isBatch = false;
  heldBytes = 0;
  /** Refuses the rest of a batch when its answers are too long already; undefined until then. */
  full: RpcError | undefined;

  constructor(
    readonly context: Context,
    readonly caller: Caller,
  ) {}

  /** Takes bytes of an answer from the account. Throws an RpcError when the client may not hold so many. */
  hold(bytes: number): void {
    try {
      if (this.heldBytes + bytes > MAX_ANSWER_BYTES) throw tooLong();
      this.caller.account.take('unreadBytes', bytes);
      this.heldBytes += bytes;
    } catch (error) {
      if (error instanceof OverBoundError) this.full = new RpcError(RpcCode.tooMany, error.message);
      else this.full = error as RpcError;
      throw this.full;
    }
  }

  giveBack(): void {
    this.caller.account.give('unreadBytes', this.heldBytes);
    this.heldBytes = 0;
  }
}

const NOBODY: Caller = {
  account: closedAccount(),
  presence: new Presence(),
  turn: async () => undefined,
  mayAsk: () => true,
};

/** An account that never refuses and that no ledger counts. */
function closedAccount(): Account {
  const account = new Ledger(systemClock).open('nobody');
  account.close();
  return account;
}

const TOO_FAST = new RpcError(
  RpcCode.tooMany,
  'this client makes more requests in a second than this server allows; each of a batch counts',
);

const tooLong = (): RpcError =>
  new RpcError(
    RpcCode.tooMany,
    `the answers to one message may have ${MAX_ANSWER_BYTES} bytes; ask for less at a time`,
  );
