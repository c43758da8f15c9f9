// Where the events of watches go: server-sent events, or messages of a WebSocket.
import type { RpcError } from '../json-rpc/rpc-error.js';
import type { Outbound } from '../session/outbound.js';
import type { BrpEnvelope } from './envelope.js';
import type { WatchOutput } from './watch.js';

/** Each event is an answer to the request that began the watch, with its id. */
abstract class AnswerOutput implements WatchOutput {
  constructor(
    private readonly outbound: Outbound,
    private readonly envelope: BrpEnvelope,
    private readonly id: unknown,
  ) {}

  offer(build: () => string | undefined): void {
    const [before, after] = this.envelope.around(this.id);
    const message = () => {
      const result = build();
      return result === undefined ? undefined : this.framed(before + result + after);
    };
    // A slow client gets what has changed since the last event that it took.
    this.outbound.offerLatest(this, message, 'text');
  }

  send(result: string): void {
    const [before, after] = this.envelope.around(this.id);
    this.outbound.reply(this.framed(before + result + after), 'text');
  }

  fail(error: RpcError): void {
    this.outbound.withdraw(this);
    this.outbound.reply(this.framed(this.envelope.error(this.id, error)), 'text');
    this.ended();
  }

  /** Sends nothing more. */
  withdraw(): void {
    this.outbound.withdraw(this);
  }

  protected abstract framed(text: string): Uint8Array;
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

  protected framed(text: string): Uint8Array {
    return Buffer.from(`data: ${text}\n\n`);
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

  protected framed(text: string): Uint8Array {
    return Buffer.from(text);
  }

  protected ended(): void {
    this.forget();
  }
}
