// How far the client of a WebSocket has read: one ping at a time goes behind what was written, and its answer tells. The
// buffers of both ends hold megabytes that nobody can see, so what a slow client reads would else be minutes old.

/** What is on its way should be no more than the client takes in so many milliseconds. */
export const LONGEST_ON_ITS_WAY_MILLIS = 2000;
/** A ping goes behind so many bytes, or behind half of what may be on its way if that is less; */
const MARKER_BYTES = 64 * 1024;
/** behind fewer when the last one went so long ago. */
const MARKER_MILLIS = 2000;
/** The bytes that may be on their way once the first ping has been answered. */
const FIRST_WINDOW_BYTES = 128 * 1024;
/** Even to the slowest client. */
const LEAST_WINDOW_BYTES = 16 * 1024;
/** A slow client has become faster when it reads so many times as much. */
const SURELY_FASTER = 2;
const NUMBER_BYTES = 4;
/** The bytes of what a ping carries. */
export const MARKER_PAYLOAD_BYTES = NUMBER_BYTES;

/** A ping that has no answer yet. */
interface Marker {
  /** Bytes that were written before it. */
  readonly atBytes: number;
  /** Those of them that were not known to be read. */
  readonly aheadBytes: number;
  readonly sentMillis: number;
  /** Whether answers could not come for a while, so that this one does not tell how fast the client reads. */
  readonly isLate: boolean;
}

export class PingMarker {
  /** What may be on its way. Before the first answer it has no bound, because some clients answer none. */
  private windowBytes = Number.POSITIVE_INFINITY;
  private isSlow = false;
  private writtenBytes = 0;
  /** Written in earlier turns of the event loop. */
  private flushedBytes = 0;
  private readBytes = 0;
  private lastNumber = 0;
  private markedMillis = Number.NEGATIVE_INFINITY;
  private marker: Marker | undefined;
  private isFollowed = false;
  private isPaused = false;
  /** Whether it was paused since the last ping went, so that more may have been read than is known. */
  private wasPaused = false;

  /** @param nowMillis milliseconds since some fixed moment. */
  constructor(private readonly nowMillis: () => number) {}

  /**
   * From now on pings are due; what was written before is no longer waited for. Returns whether one is due now: a client
   * that reads slowly should have answered one before much is on its way.
   */
  follow(): boolean {
    if (this.isFollowed) return false;
    this.isFollowed = true;
    this.readBytes = this.writtenBytes;
    return true;
  }

  wrote(bytes: number): void {
    this.writtenBytes += bytes;
  }

  /** A turn of the event loop ends: what it wrote counts from now on also for a client that is not slow. */
  endTurn(): void {
    this.flushedBytes = this.writtenBytes;
  }

  /** Whether a ping should go: behind what has been written, or once more, because some clients leave an answer out. */
  get isDue(): boolean {
    if (!this.isFollowed) return false;
    const isLongAgo = this.nowMillis() - this.markedMillis >= MARKER_MILLIS;
    if (this.marker) return isLongAgo && this.isBehind;
    const bytes = this.flushedBytes - this.readBytes;
    return bytes > 0 && (isLongAgo || bytes >= Math.min(MARKER_BYTES, this.windowBytes / 2));
  }

  /** Notes a ping behind all that has been written; returns what it carries, the same until it is answered. */
  mark(): Buffer {
    this.markedMillis = this.nowMillis();
    if (!this.marker) {
      const { writtenBytes: atBytes, markedMillis: sentMillis, wasPaused: isLate } = this;
      this.marker = { atBytes, aheadBytes: atBytes - this.readBytes, sentMillis, isLate };
      this.wasPaused = this.isPaused;
      this.lastNumber++;
    }
    const payload = Buffer.allocUnsafe(MARKER_PAYLOAD_BYTES);
    payload.writeUInt32BE(this.lastNumber);
    return payload;
  }

  /** The client has answered a ping, and so read all before it. Answers to anything else are passed over. */
  answered(payload: Uint8Array): void {
    const { marker } = this;
    if (!marker || numberIn(payload) !== this.lastNumber) return;
    this.marker = undefined;
    this.readBytes = Math.max(this.readBytes, marker.atBytes);
    if (!marker.isLate) this.measured(marker.aheadBytes, Math.max(1, this.nowMillis() - marker.sentMillis));
    else if (this.windowBytes === Number.POSITIVE_INFINITY) this.windowBytes = FIRST_WINDOW_BYTES;
  }

  /** Whether what is written now would be read too late. While no answers can come, only a slow client is. */
  get isBehind(): boolean {
    return (this.isSlow || !this.isPaused) && this.awaitsAnswer;
  }

  /** Whether more must wait for an answer, as soon as one can come. */
  get awaitsAnswer(): boolean {
    if (this.windowBytes === Number.POSITIVE_INFINITY) return false;
    const sentBytes = this.isSlow ? this.writtenBytes : this.flushedBytes;
    return sentBytes - this.readBytes > this.windowBytes || this.isOverdue;
  }

  private get isOverdue(): boolean {
    if (!this.marker || this.isPaused) return false;
    return this.nowMillis() - this.marker.sentMillis > LONGEST_ON_ITS_WAY_MILLIS;
  }

  /** No answers can come, because nothing is read from the client or it is sending something else. */
  pause(): void {
    this.isPaused = true;
    this.wasPaused = true;
  }

  resume(): void {
    if (!this.isPaused) return;
    this.isPaused = false;
    if (this.marker) this.marker = { ...this.marker, sentMillis: this.nowMillis(), isLate: true };
  }

  /** A client has read so much in so long. */
  private measured(bytes: number, millis: number): void {
    const inTime = (bytes * LONGEST_ON_ITS_WAY_MILLIS) / millis;
    const windowBytes = this.windowBytes === Number.POSITIVE_INFINITY ? FIRST_WINDOW_BYTES : this.windowBytes;
    if (millis > LONGEST_ON_ITS_WAY_MILLIS / 2) this.isSlow = true;
    else if (inTime > SURELY_FASTER * windowBytes) this.isSlow = false;
    if (millis > LONGEST_ON_ITS_WAY_MILLIS) {
      this.windowBytes = Math.max(LEAST_WINDOW_BYTES, inTime);
      return;
    }
    // A window that is not needed becomes smaller, because the client may be slower later.
    const kept = Math.min(windowBytes, Math.max(FIRST_WINDOW_BYTES, 0.875 * windowBytes));
    this.windowBytes = Math.max(kept, Math.min(inTime, 4 * bytes));
  }
}

function numberIn({ buffer, byteOffset, byteLength }: Uint8Array): number | undefined {
  return byteLength === NUMBER_BYTES ? new DataView(buffer, byteOffset, byteLength).getUint32(0) : undefined;
}
