// How much may be on its way to a client, so that what it reads is at most some seconds old: buffers of both ends hold
// megabytes that nobody can see. Markers, which the client answers when it has read all before them, measure it.

/** What is on its way should be no more than the client takes in so many milliseconds. */
export const LONGEST_ON_ITS_WAY_MILLIS = 2000;
/** A marker goes behind so many bytes, or behind half a window if that is less; */
const MARKER_BYTES = 64 * 1024;
/** behind fewer when the last one went so long ago. */
const MARKER_MILLIS = 2000;
/** So many may be unanswered. */
const MOST_MARKERS = 64;
/** The bytes that may be on their way once the first marker has been answered. */
const FIRST_WINDOW_BYTES = 128 * 1024;
/** Even to the slowest client. */
const LEAST_WINDOW_BYTES = 16 * 1024;
/** A slow client has become faster when it reads so many times as much. */
const SURELY_FASTER = 4;
const NUMBER_BYTES = 4;
/** The bytes of what a ping carries. */
export const MARKER_PAYLOAD_BYTES = NUMBER_BYTES;

/** A moment by two clocks. */
interface Moment {
  readonly millis: number;
  /** Milliseconds in which answers could come. */
  readonly readingMillis: number;
}

interface Marker {
  readonly number: number;
  /** Bytes that were written before it. */
  readonly atBytes: number;
  /** Those of them that were not known to be read. */
  readonly aheadBytes: number;
  readonly sent: Moment;
  /** Since when those bytes are read: after a pause, what the client has read in it is not known yet. */
  readonly from: Moment;
}

/**
 * A window on the bytes that are on their way, as TCP's congestion window: it grows while markers are answered soon, and
 * shrinks to what the client takes in 2 s when they are not. Before the first answer it has no bound, because some
 * clients answer none.
 */
export class DeliveryWindow {
  private windowBytes = Number.POSITIVE_INFINITY;
  private writtenBytes = 0;
  /** Written in earlier turns of the event loop. */
  private flushedBytes = 0;
  private takenBytes = 0;
  private markedBytes = 0;
  private markedMillis = Number.NEGATIVE_INFINITY;
  private lastNumber = 0;
  /** Unanswered, the oldest first. */
  private readonly markers: Marker[] = [];
  /** What a slow client has taken in 2 s: one turn of the event loop may write more than that. Of others infinity. */
  private slowBytes = Number.POSITIVE_INFINITY;
  private isFollowed = false;
  private pausedAt: number | undefined;
  private pausedMillis = 0;
  private lastPausedAt = Number.NEGATIVE_INFINITY;
  private resumedAt = Number.NEGATIVE_INFINITY;

  /** @param nowMillis milliseconds since some fixed moment. */
  constructor(private readonly nowMillis: () => number) {}

  /**
   * From now on markers are due behind what is written; what was written before is no longer waited for. Returns whether
   * one is due now: a client that reads slowly should have answered one before much is on its way.
   */
  follow(): boolean {
    if (this.isFollowed) return false;
    this.isFollowed = true;
    this.takenBytes = this.writtenBytes;
    this.markedBytes = this.writtenBytes;
    return true;
  }

  wrote(bytes: number): void {
    this.writtenBytes += bytes;
  }

  /** A turn of the event loop ends. Returns whether a marker is due behind what it has written. */
  endTurn(): boolean {
    this.flushedBytes = this.writtenBytes;
    return this.isMarkerDue;
  }

  /**
   * Whether a marker is due behind what has been written. Less than half a window is without one, so while the client is
   * behind, an answer is on its way.
   */
  get isMarkerDue(): boolean {
    const unmarked = this.flushedBytes - this.markedBytes;
    if (!this.isFollowed || unmarked <= 0) return false;
    // A client that has answered none may never do so.
    const most = this.windowBytes === Number.POSITIVE_INFINITY ? 1 : MOST_MARKERS;
    if (this.markers.length >= most) return false;
    if (unmarked >= Math.min(MARKER_BYTES, this.windowBytes / 2)) return true;
    return this.readingMillis() - this.markedMillis >= MARKER_MILLIS;
  }

  /**
   * Whether a marker should go although nothing has been written: no more is written to a client that is behind, and
   * some clients leave an answer out.
   */
  get isMarkerDueAgain(): boolean {
    if (!this.isBehind || this.markers.length >= MOST_MARKERS) return false;
    return this.readingMillis() - this.markedMillis > MARKER_MILLIS;
  }

  /** Notes a marker behind all that has been written; returns what it carries. */
  mark(): Buffer {
    const { writtenBytes } = this;
    this.markedBytes = writtenBytes;
    this.markedMillis = this.readingMillis();
    this.lastNumber++;
    const last = this.markers.at(-1);
    // One more behind the same bytes measures from the same moment.
    const sent = last?.atBytes === writtenBytes ? last.sent : this.now();
    const oldest = this.markers[0]?.sent;
    const from = oldest && hasPause(oldest, sent) ? oldest : sent;
    // Clients that answer none are sent one now and then nevertheless.
    if (this.markers.length >= MOST_MARKERS) this.markers.pop();
    const aheadBytes = writtenBytes - this.takenBytes;
    this.markers.push({ number: this.lastNumber, atBytes: writtenBytes, aheadBytes, sent, from });
    const payload = Buffer.allocUnsafe(MARKER_PAYLOAD_BYTES);
    payload.writeUInt32BE(this.lastNumber);
    return payload;
  }

  /**
   * The client has answered a marker, and so read all before it; of several it may answer the latest alone (RFC 6455,
   * 5.5.3). Answers to anything else are passed over.
   */
  answered(payload: Uint8Array): void {
    const number = numberIn(payload);
    if (number === undefined || number > this.lastNumber) return;
    let answered: Marker | undefined;
    while (this.markers[0] && this.markers[0].number <= number) answered = this.markers.shift();
    if (!answered) return;
    this.takenBytes = Math.max(this.takenBytes, answered.atBytes);
    // Those that went again behind the same bytes say nothing more.
    while (this.markers[0] && this.markers[0].atBytes <= this.takenBytes) this.markers.shift();
    this.adjust(answered);
  }

  /**
   * Whether what is written now would be read too late. While no answers can come, a client that was slow is taken to
   * read as it did, and others have no bound.
   */
  get isBehind(): boolean {
    if (this.pausedAt === undefined || !this.awaitsAnswer) return this.awaitsAnswer;
    const pausedMillis = this.nowMillis() - this.pausedAt;
    const mayBeTaken = Math.min(this.windowBytes, this.slowBytes) * (pausedMillis / LONGEST_ON_ITS_WAY_MILLIS);
    return this.isSlow && this.writtenBytes - this.takenBytes - mayBeTaken > this.windowBytes;
  }

  private get isSlow(): boolean {
    return this.slowBytes !== Number.POSITIVE_INFINITY;
  }

  /** Whether more must wait for an answer, as soon as one can come. */
  get awaitsAnswer(): boolean {
    if (this.windowBytes === Number.POSITIVE_INFINITY) return false;
    const sentBytes = this.isSlow ? this.writtenBytes : this.flushedBytes;
    return sentBytes - this.takenBytes > this.windowBytes || this.isUnanswered;
  }

  /** Whether a marker has waited for its answer for longer than what is written should be on its way. */
  get isUnanswered(): boolean {
    const [oldest] = this.markers;
    return oldest !== undefined && this.readingMillis() - oldest.sent.readingMillis > LONGEST_ON_ITS_WAY_MILLIS;
  }

  /** No answers can come, because nothing is read from the client or it is sending something else: its time stands still. */
  pause(): void {
    this.pausedAt ??= this.nowMillis();
  }

  resume(): void {
    if (this.pausedAt === undefined) return;
    this.lastPausedAt = this.pausedAt;
    this.resumedAt = this.nowMillis();
    this.pausedMillis += this.resumedAt - this.pausedAt;
    this.pausedAt = undefined;
  }

  /** Milliseconds in which answers could come. */
  private readingMillis(): number {
    return (this.pausedAt ?? this.nowMillis()) - this.pausedMillis;
  }

  private now(): Moment {
    return { millis: this.nowMillis(), readingMillis: this.readingMillis() };
  }

  private adjust({ aheadBytes, sent, from }: Marker): void {
    const now = this.now();
    const millis = now.millis - from.millis;
    if (!hasPause(from, now) || millis <= LONGEST_ON_ITS_WAY_MILLIS) this.measured(aheadBytes, millis);
    else this.measuredInPause(aheadBytes, this.unansweredUntil(now.millis) - sent.millis);
  }

  /** An answer that had to wait for the end of a pause may tell that a client is slow, and never that it is fast. */
  private measuredInPause(aheadBytes: number, leastMillis: number): void {
    if (this.windowBytes === Number.POSITIVE_INFINITY) this.windowBytes = FIRST_WINDOW_BYTES;
    if (leastMillis <= LONGEST_ON_ITS_WAY_MILLIS) return;
    const inTime = (aheadBytes * LONGEST_ON_ITS_WAY_MILLIS) / leastMillis;
    this.windowBytes = Math.min(this.windowBytes, Math.max(LEAST_WINDOW_BYTES, inTime));
    this.slowBytes = Math.min(this.slowBytes, this.windowBytes);
  }

  /** Until when a client that answers now could have answered, if it had read all: soon after a pause, until its begin. */
  private unansweredUntil(nowMillis: number): number {
    if (this.pausedAt !== undefined) return this.pausedAt;
    return nowMillis - this.resumedAt <= LONGEST_ON_ITS_WAY_MILLIS / 2 ? this.lastPausedAt : nowMillis;
  }

  /** A client has read so much in so long. */
  private measured(aheadBytes: number, millis: number): void {
    const { windowBytes } = this;
    const inTime = (aheadBytes * LONGEST_ON_ITS_WAY_MILLIS) / millis;
    if (millis > LONGEST_ON_ITS_WAY_MILLIS) {
      this.windowBytes = Math.max(LEAST_WINDOW_BYTES, inTime);
      this.slowBytes = this.windowBytes;
    } else if (windowBytes === Number.POSITIVE_INFINITY) {
      this.windowBytes = Math.max(FIRST_WINDOW_BYTES, 2 * aheadBytes);
    } else if (millis <= LONGEST_ON_ITS_WAY_MILLIS / 2) {
      // Little on the way of a slow client is read soon, too.
      if (inTime > SURELY_FASTER * this.slowBytes) this.slowBytes = Number.POSITIVE_INFINITY;
      // A window that is not needed becomes smaller, because the client may be slower later.
      const kept = Math.min(windowBytes, Math.max(FIRST_WINDOW_BYTES, 0.875 * windowBytes));
      this.windowBytes = Math.max(2 * aheadBytes, kept);
    } else {
      // A long way takes as long with little on it: a window that has shrunk there grows again.
      this.windowBytes = Math.max(inTime, windowBytes);
      this.slowBytes = Math.max(LEAST_WINDOW_BYTES, inTime);
    }
  }
}

/** Sums of fractions are not exact. */
const hasPause = (from: Moment, to: Moment): boolean =>
  to.millis - from.millis > to.readingMillis - from.readingMillis + 1;

function numberIn({ buffer, byteOffset, byteLength }: Uint8Array): number | undefined {
  return byteLength === NUMBER_BYTES ? new DataView(buffer, byteOffset, byteLength).getUint32(0) : undefined;
}
