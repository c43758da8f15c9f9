// Where the events of a watch go: each is an answer to the request that began it, with its id.
import type { LatestStream, Outbound } from '../../serving/session/outbound.js';
import { AnswerText } from '../json-rpc/answer-text.js';
import type { RpcError } from '../json-rpc/rpc-error.js';
import type { BrpEnvelope } from './envelope.js';

/** One event a write and nothing else on the stream: clients take each piece that they read for one event. */
export const SERVER_SENT = ['data: ', '\n\n'] as const;

/** Makes the events of a watch. */
export interface EventMaker {
  /** The result of the event that is due, or undefined for none. */
  event(): AnswerText | undefined;
}

export class WatchOutput implements LatestStream {
  readonly kind = 'text';
  private maker: EventMaker | undefined;

  /**
   * @param ended called after the watch's one error, which is its last message.
   * @param around what stands before and after each event.
   */
  constructor(
    private readonly outbound: Outbound,
    private readonly envelope: BrpEnvelope,
    private readonly id: unknown,
    private readonly ended: () => void,
    private readonly around: readonly [string, string] = ['', ''],
  ) {}

  /**
   * Sends an event when the client can take it, which is made then. A slow client gets what has changed since the last
   * event that it took.
   */
  offer(maker: EventMaker): void {
    this.maker = maker;
    this.outbound.offerLatest(this);
  }

  latest(): Uint8Array | undefined {
    const result = this.maker?.event();
    return result && this.message(result);
  }

  /** Sends what waits if the client can take it by now. */
  release(): void {
    this.outbound.release();
  }

  /** Counts an event's part that was left out for a slow client. */
  countDropped(): void {
    this.outbound.countDropped(1);
  }

  /**
   * Sends the result of an event that was begun when the client could take it. False, and sends nothing, when the client
   * has too much that it has not read.
   */
  send(result: AnswerText): boolean {
    return this.outbound.replyCounted(this.message(result), 'text');
  }

  fail(error: RpcError): void {
    this.withdraw();
    const [before, after] = this.around;
    this.outbound.reply(Buffer.from(before + this.envelope.error(this.id, error) + after), 'text');
    this.ended();
  }

  /** Sends nothing more. */
  withdraw(): void {
    this.outbound.withdraw(this);
  }

  private message(result: AnswerText): Uint8Array {
    const [before, after] = this.envelope.around(this.id);
    const text = AnswerText.of(this.around[0] + before);
    text.append(result);
    text.add(after + this.around[1]);
    return text.bytes;
  }
}
