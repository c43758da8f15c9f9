// Where the events of watches go: server-sent events, or messages of a WebSocket.

import type { Outbound } from '../../serving/session/outbound.js';
import { AnswerText } from '../json-rpc/answer-text.js';
import type { RpcError } from '../json-rpc/rpc-error.js';
import type { WatchOutput } from './entity-watch.js';
import type { BrpEnvelope } from './envelope.js';

/** Each event is an answer to the request that began the watch, with its id. */
abstract class AnswerOutput implements WatchOutput {
  constructor(
    private readonly outbound: Outbound,
    private readonly envelope: BrpEnvelope,
    private readonly id: unknown,
  ) {}

  offer(build: () => AnswerText | undefined): void {
    const message = () => {
      const result = build();
      return result && this.message(result);
    };
    // A slow client gets what has changed since the last event that it took.
    this.outbound.offerLatest(this, message, 'text');
  }

  release(): void {
    this.outbound.release();
  }

  countDropped(): void {
    this.outbound.countDropped(1);
  }

  send(result: AnswerText): boolean {
    return this.outbound.replyCounted(this.message(result), 'text');
  }

  fail(error: RpcError): void {
    this.outbound.withdraw(this);
    this.outbound.reply(this.framed(AnswerText.of(this.envelope.error(this.id, error))), 'text');
    this.ended();
  }

  /** Sends nothing more. */
  withdraw(): void {
    this.outbound.withdraw(this);
  }

  private message(result: AnswerText): Uint8Array {
    const [before, after] = this.envelope.around(this.id);
    const text = AnswerText.of(before);
    text.append(result);
    text.add(after);
    return this.framed(text);
  }

  protected abstract framed(text: AnswerText): Uint8Array;
  protected abstract ended(): void;
}

/** One event a write and nothing else on the stream: clients take each piece that they read for one event. */
export class SseOutput extends AnswerOutput {
  constructor(
    outbound: Outbound,
    envelope: BrpEnvelope,
    id: unknown,
    private readonly endStream: () => void,
  ) {
    super(outbound, envelope, id);
  }

  protected framed(text: AnswerText): Uint8Array {
    const event = AnswerText.of('data: ');
    event.append(text);
    event.add('\n\n');
    return event.bytes;
  }

  protected ended(): void {
    this.endStream();
  }
}

export class SocketOutput extends AnswerOutput {
  constructor(
    outbound: Outbound,
    envelope: BrpEnvelope,
    id: unknown,
    private readonly forget: () => void,
  ) {
    super(outbound, envelope, id);
  }

  protected framed(text: AnswerText): Uint8Array {
    return text.bytes;
  }

  protected ended(): void {
    this.forget();
  }
}
