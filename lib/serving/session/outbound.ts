// The messages that wait for one client: bounded; a slow reader loses whole messages, never parts of one.
import type { Unread } from './unread.js';

/**
 * How a WebSocket sends a message. Without a kind, the transport's default applies; a byte stream or datagram ignores
 * it.
 */
export type MessageKind = 'text' | 'binary';

/** Where messages are written; a transport's Connection is a Sink. */
export interface Sink {
  write(message: Uint8Array, kind?: MessageKind): boolean;
  /** Bytes that were accepted and that the peer has not taken yet. */
  readonly pendingBytes: number;
  /** In how many writes they wait, where that is known. */
  readonly pendingWrites?: number;
  /** Whether the peer would take what is written now seconds too late; undefined where nobody knows. */
  readonly isBehind?: boolean;
  /** Finds `isBehind` out from now on. */
  followTaking?(): void;
  /** Cuts the connection. */
  destroy?(): void;
}

const DEFAULT_LIMIT_BYTES = 1024 * 1024;
/** What a write takes while it waits, besides its bytes. */
const WRITE_BYTES = 512;
/** Stream bytes that may wait: more would be old by the time the client reads them. */
const STREAM_AHEAD_BYTES = 64 * 1024;
/** Held messages that go out before an answer. */
const MOST_BEFORE_ANSWER = 8;
/** Longer messages of streams are counted until the client has taken them. */
export const LONG_BYTES = 64 * 1024;
/** A message of so many bytes goes out even when the client may hold no more: it may be a stream's first. */
const MOST_UNCOUNTED_BYTES = 512 * 1024;
/** Held messages that the client may not hold now, and behind which others go out. */
const MOST_PASSED_OVER = 8;

/** Messages that are counted since before they were made; the function gives back what is counted. */
const counted = new WeakMap<Uint8Array, () => void>();

/** A message that its maker has counted until it goes out. */
export function countedUntilSent(message: Uint8Array, giveBack: () => void): Uint8Array {
  counted.set(message, giveBack);
  return message;
}

/** What a stream sends at once. */
export type Messages = Uint8Array | readonly Uint8Array[];

/** Messages of which a slow reader gets only the latest: it is made when there is room for it. */
export interface LatestStream {
  readonly kind?: MessageKind;
  /**
   * What is to be sent now; undefined when there is nothing after all.
   * @param replaced how many messages were left out since the last one sent.
   * @param isLate whether it waited for room.
   */
  latest(replaced: number, isLate: boolean): Messages | undefined;
}

/** Number of the current turn of the event loop; counted only while a client waits for it. */
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
  /** Called with the bytes of each answer. */
  replied: (bytes: number) => void = () => undefined;
  /** Hears of an error of a message that could not be made; the message is left out. Default: throws it. */
  failed: (error: unknown) => void = (error) => {
    throw error;
  };
  /** How long the last message of each stream was, for those whose messages are long. */
  private readonly lengths = new WeakMap<LatestStream, number>();
  private sent = 0;
  private sentByteCount = 0;
  private droppedCount = 0;
  /** Streams that wait, the longest waiting first, with how many of their messages were left out meanwhile. */
  private readonly held = new Map<LatestStream, number>();
  private writtenTurn = -1;
  private turnBytes = 0;

  /** @param unread counts answers, and long messages of streams, until the client has taken them. Default: nobody does. */
  constructor(
    private readonly sink: Sink,
    private readonly unread?: Pick<Unread, 'canTake' | 'take' | 'add' | 'settle' | 'close'>,
    readonly limitBytes = DEFAULT_LIMIT_BYTES,
  ) {}

  /** How many messages were handed to the socket. */
  get sentMessages(): number {
    return this.sent;
  }

  get sentBytes(): number {
    return this.sentByteCount;
  }

  /** How many cyclic messages were left out because the client did not keep up, or earlier ones took long to make. */
  get droppedMessages(): number {
    return this.droppedCount;
  }

  /** Counts messages that their maker has left out. */
  countDropped(count: number): void {
    this.droppedCount += count;
  }

  /** Whether the server should stop reading from this client until it has taken its replies. */
  get isFull(): boolean {
    const { pendingBytes, pendingWrites = 0 } = this.sink;
    return pendingBytes + pendingWrites * WRITE_BYTES > this.limitBytes;
  }

  /**
   * Sends an answer. Answers are never dropped; their number is bounded because a full client's commands are not read.
   */
  reply(message: Uint8Array, kind?: MessageKind): void {
    if (message.length === 0) return;
    this.sendEarlier();
    this.write(message, kind);
    this.replied(message.length);
  }

  /** As `reply`, for an answer in pieces, for a byte stream. */
  replyAll(pieces: readonly Uint8Array[], kind?: MessageKind): void {
    this.sendEarlier();
    let isSent = false;
    for (const piece of pieces) isSent = this.writePart(piece, kind) || isSent;
    if (isSent) this.sent++;
    this.replied(pieces.reduce((sum, { length }) => sum + length, 0));
  }

  /**
   * Messages that were due earlier go out first, unless the client would take them too late. Thousands of streams may
   * wait; each message takes time to make.
   */
  private sendEarlier(): void {
    if (this.held.size === 0) return;
    let left = MOST_BEFORE_ANSWER;
    this.sendHeld(() => !this.isFull && !this.sink.isBehind && left-- > 0);
  }

  /**
   * A stream has a new message, which is sent now, or when the peer has taken what was sent before: then it is the
   * latest one, so a slow reader gets new values.
   */
  offerLatest(stream: LatestStream): void {
    this.sink.followTaking?.();
    if (this.isReady && this.mayHold(stream)) {
      this.sendLatest(stream, 0, false);
      return;
    }
    const replaced = this.held.get(stream);
    if (replaced !== undefined) this.droppedCount++;
    this.held.set(stream, replaced === undefined ? 0 : replaced + 1);
    this.sendReady();
  }

  /** Whether a stream's message would go out now. */
  get isReady(): boolean {
    return this.held.size === 0 && this.hasRoom;
  }

  /** Whether a message of the stream waits for room. */
  holds(stream: LatestStream): boolean {
    return this.held.has(stream);
  }

  /** Says how long a stream's messages are, so that not even the first one is made before the client may hold it. */
  expect(stream: LatestStream, bytes: number): void {
    if (bytes > LONG_BYTES) this.lengths.set(stream, bytes);
  }

  /**
   * As `reply`, for an answer that may be long and that nobody has counted. False, and sends nothing, when the client may
   * not hold it.
   */
  replyCounted(message: Uint8Array, kind?: MessageKind): boolean {
    const bytes = this.toCount(message.length);
    if (bytes === undefined) return false;
    this.reply(message, kind);
    if (bytes > 0) this.count(bytes);
    return true;
  }

  /** Bytes of an answer that was written count until the client has taken them; they were taken as `unreadBytes`. */
  count(bytes: number): void {
    this.unread?.add(bytes);
  }

  /** The connection has ended: nobody waits for what its client does not take. */
  close(): void {
    this.unread?.close();
  }

  /** Counts what the client has taken since. */
  settle(): void {
    this.unread?.settle();
  }

  /** Sends held messages, because the peer has taken some bytes. */
  release(): void {
    this.settle();
    this.sendReady();
  }

  private sendReady(): void {
    if (this.held.size > 0) this.sendHeld(() => this.hasRoom);
  }

  /** Leaves out what a stream holds; returns how many messages that are. */
  withdraw(stream: LatestStream): number {
    const replaced = this.held.get(stream);
    this.held.delete(stream);
    return replaced === undefined ? 0 : replaced + 1;
  }

  /**
   * Sends one message of a stream, or drops it whole when too many bytes wait already. False when dropped. Behind many
   * bytes that wait, short messages count too.
   */
  offer(message: Uint8Array, kind?: MessageKind): boolean {
    if (message.length === 0) return true;
    const counts = this.sink.pendingBytes > LONG_BYTES ? this.unread : undefined;
    // Asked first, because a refusal that is counted costs more than the message, and thousands may be refused.
    if (this.isFull || counts?.canTake(message.length) === false) {
      this.droppedCount++;
      return false;
    }
    counts?.take(message.length);
    this.write(message, kind);
    counts?.add(message.length);
    return true;
  }

  /** Whether few bytes wait, here and on their way. Bytes written in this turn do not count: they had no chance to leave yet. */
  private get hasRoom(): boolean {
    const { pendingBytes, isBehind } = this.sink;
    if (isBehind) return false;
    const aheadBytes = Math.min(STREAM_AHEAD_BYTES, this.limitBytes);
    if (pendingBytes <= aheadBytes) return true;
    const turnBytes = this.writtenTurn === currentTurn() ? this.turnBytes : 0;
    return pendingBytes - turnBytes <= aheadBytes && pendingBytes <= this.limitBytes;
  }

  /** Whether the client may hold a message as long as the stream's last one. */
  private mayHold(stream: LatestStream): boolean {
    const bytes = this.unread && this.lengths.get(stream);
    return bytes === undefined || this.unread?.canTake(bytes) === true;
  }

  private sendHeld(mayGo: () => boolean): void {
    let passedOver = 0;
    for (const [stream, replaced] of this.held) {
      if (!mayGo()) return;
      if (this.mayHold(stream)) {
        this.held.delete(stream);
        this.sendLatest(stream, replaced, true);
      } else if (++passedOver === MOST_PASSED_OVER) return;
    }
  }

  private sendLatest(stream: LatestStream, replaced: number, isLate: boolean): void {
    const made = this.latestOf(stream, replaced, isLate);
    if (!made) return;
    const messages = made instanceof Uint8Array ? [made] : made;
    const bytes = messages.reduce((sum, { length }) => sum + length, 0);
    if (bytes > LONG_BYTES) this.noteLong(stream, messages, bytes);
    const toCount = this.toCount(bytes);
    if (toCount === undefined) {
      this.droppedCount++;
      return;
    }
    for (const message of messages) this.write(message, stream.kind);
    if (toCount > 0) this.count(toCount);
  }

  private latestOf(stream: LatestStream, replaced: number, isLate: boolean): Messages | undefined {
    try {
      return stream.latest(replaced, isLate);
    } catch (error) {
      this.failed(error);
      return undefined;
    }
  }

  /** What its maker has counted is counted here from now on; the next one of another stream is not made in vain. */
  private noteLong(stream: LatestStream, [first]: readonly Uint8Array[], bytes: number): void {
    const giveBack = first && counted.get(first);
    if (giveBack) giveBack();
    else this.lengths.set(stream, bytes);
  }

  /**
   * Takes what a message counts: 0 for a short one, and for one that may go out uncounted; undefined for one that must
   * not go out.
   */
  private toCount(bytes: number): number | undefined {
    if (!this.unread || bytes <= LONG_BYTES) return 0;
    if (this.unread.take(bytes)) return bytes;
    return bytes <= MOST_UNCOUNTED_BYTES ? 0 : undefined;
  }

  private write(message: Uint8Array, kind?: MessageKind): void {
    if (this.writePart(message, kind)) this.sent++;
  }

  private writePart(message: Uint8Array, kind?: MessageKind): boolean {
    if (message.length === 0 || !this.sink.write(message, kind)) return false;
    this.sentByteCount += message.length;
    const now = currentTurn();
    if (now !== this.writtenTurn) [this.writtenTurn, this.turnBytes] = [now, 0];
    this.turnBytes += message.length;
    return true;
  }
}
