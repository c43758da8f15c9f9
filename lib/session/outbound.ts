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
/** What may wait of streams: more would be old by the time it is read. */
const STREAM_AHEAD_BYTES = 64 * 1024;

/**
 * Makes a stream's message when it can go; `replaced` is how many before it were left out since the last one sent.
 * Nothing, when there is none to send after all.
 */
export type BuildLatest = (replaced: number) => Uint8Array | readonly Uint8Array[] | undefined;

interface Held {
  build: BuildLatest;
  readonly kind: MessageKind;
  replaced: number;
}

/** Turns of the event loop, counted while somebody asks. */
let turn = 0;
let isTurnCounted = false;

function currentTurn(): number {
  if (!isTurnCounted) {
    isTurnCounted = true;
    process.nextTick(() => {
      isTurnCounted = false;
      turn++;
    });
  }
  return turn;
}

export class Outbound {
  private sent = 0;
  private sentByteCount = 0;
  private droppedCount = 0;
  /** By stream, whoever waits longest first. */
  private readonly held = new Map<object, Held>();
  private writtenTurn = -1;
  private turnBytes = 0;

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
    if (message.length === 0) return;
    // What was due before comes before.
    if (this.held.size > 0) this.sendHeld(() => !this.isFull);
    this.write(message, kind);
  }

  /**
   * Sends the latest message of a stream: now, or as soon as the peer has taken what was sent before. A later one takes
   * its place until then: who reads slowly gets what is new. The stream is whatever stands for it.
   */
  offerLatest(stream: object, build: BuildLatest, kind: MessageKind = 'binary'): void {
    if (this.held.size === 0 && this.hasRoom) {
      this.writeAll(build(0), kind);
      return;
    }
    const held = this.held.get(stream);
    if (held) {
      this.droppedCount++;
      held.replaced++;
      held.build = build;
    } else this.held.set(stream, { build, kind, replaced: 0 });
    this.release();
  }

  /** Whether a message of the stream waits for room. */
  holds(stream: object): boolean {
    return this.held.has(stream);
  }

  /** The peer has taken something: what is held may go. */
  release(): void {
    if (this.held.size > 0) this.sendHeld(() => this.hasRoom);
  }

  /** The stream is over; what is held of it is not sent. */
  withdraw(stream: object): void {
    this.held.delete(stream);
  }

  /** Sends one message of a stream, or drops it whole when too much is waiting already. */
  offer(message: Uint8Array, kind: MessageKind = 'binary'): boolean {
    if (message.length === 0) return true;
    if (this.isFull) {
      this.droppedCount++;
      return false;
    }
    this.write(message, kind);
    return true;
  }

  /** Whether little waits; what was written in this turn has not had the chance to leave. */
  private get hasRoom(): boolean {
    const { pendingBytes } = this.sink;
    const aheadBytes = Math.min(STREAM_AHEAD_BYTES, this.limitBytes);
    if (pendingBytes <= aheadBytes) return true;
    const turnBytes = this.writtenTurn === currentTurn() ? this.turnBytes : 0;
    return pendingBytes - turnBytes <= aheadBytes && pendingBytes <= this.limitBytes;
  }

  private sendHeld(mayGo: () => boolean): void {
    for (const [stream, { build, kind, replaced }] of this.held) {
      if (!mayGo()) return;
      this.held.delete(stream);
      this.writeAll(build(replaced), kind);
    }
  }

  private writeAll(messages: ReturnType<BuildLatest>, kind: MessageKind): void {
    if (messages instanceof Uint8Array) this.write(messages, kind);
    else if (messages) for (const message of messages) this.write(message, kind);
  }

  private write(message: Uint8Array, kind: MessageKind): void {
    if (message.length === 0 || !this.sink.write(message, kind)) return;
    this.sent++;
    this.sentByteCount += message.length;
    const now = currentTurn();
    if (now !== this.writtenTurn) [this.writtenTurn, this.turnBytes] = [now, 0];
    this.turnBytes += message.length;
  }
}
