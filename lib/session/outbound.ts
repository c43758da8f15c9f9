// What waits for one client: whole messages, bounded; a reader that does not read loses messages, never parts of one.

/** What a message is to a protocol that tells the two apart (WebSocket); a byte stream or datagram has bytes only. */
export type MessageKind = 'text' | 'binary';

/** Where messages go. A transport's Connection is one. */
export interface Sink {
  write(message: Uint8Array, kind: MessageKind): boolean;
  /** Bytes accepted and not yet taken by the peer. */
  readonly pendingBytes: number;
}

const DEFAULT_LIMIT_BYTES = 1024 * 1024;

export class Outbound {
  private sent = 0;
  private sentByteCount = 0;
  private droppedCount = 0;

  constructor(
    private readonly sink: Sink,
    readonly limitBytes = DEFAULT_LIMIT_BYTES,
  ) {}

  /** Messages handed to the socket. */
  get sentMessages(): number {
    return this.sent;
  }

  get sentBytes(): number {
    return this.sentByteCount;
  }

  /** Cyclic messages left out because the client did not keep up. */
  get droppedMessages(): number {
    return this.droppedCount;
  }

  /** No more input should be read from this client until it has taken its replies. */
  get isFull(): boolean {
    return this.sink.pendingBytes > this.limitBytes;
  }

  /** Sends an answer; answers are never dropped, their number is bounded by not reading further commands. */
  reply(message: Uint8Array, kind: MessageKind = 'binary'): void {
    if (message.length > 0 && this.sink.write(message, kind)) this.count(message);
  }

  /** Sends one message of a stream, or drops it whole when too much is waiting already. */
  offer(message: Uint8Array, kind: MessageKind = 'binary'): boolean {
    if (message.length === 0) return true;
    if (this.isFull) {
      this.droppedCount++;
      return false;
    }
    if (this.sink.write(message, kind)) this.count(message);
    return true;
  }

  /** Counts a message of a stream that is not even made. */
  drop(): void {
    this.droppedCount++;
  }

  private count(message: Uint8Array): void {
    this.sent++;
    this.sentByteCount += message.length;
  }
}
