// Watches whether a client takes what waits for it.
import { LIMITS } from '../bounds/limits.js';
import type { Clock } from '../scheduling/clock.js';

/** So many bytes may wait for any time. */
export const HARMLESS_BYTES = 512 * 1024;
/** What waits must shrink within this time plus the time in which a slow line would carry it. */
const PATIENCE_MILLIS = LIMITS.untakenMillis.each;
const SLOW_BYTES_PER_MILLI = 64;

const sentenceOf = (bytes: number): string =>
  `its answers were not taken: ${bytes} bytes wait, and they have not become fewer for long`;

/** Where messages are written. */
export interface Taken {
  /** Bytes that the peer has not taken yet. */
  readonly pendingBytes: number;
}

export interface StallEnds {
  /** The client has taken some of it. It is watched no longer, unless this begins it anew. */
  moved(): void;
  /** The client has taken none of it; the sentence is for the log. */
  stalled(sentence: string): void;
}

export class StallWatch {
  private addedBytes = 0;
  private cancel: (() => void) | undefined;

  constructor(
    private readonly sink: Taken,
    private readonly clock: Clock,
    private readonly ends: StallEnds,
  ) {}

  /** Bytes were written, which wait too. */
  add(bytes: number): void {
    this.addedBytes += bytes;
  }

  /**
   * Begins to watch, unless it has begun already.
   * @param lineBytes how much the client's line has to carry, in bytes; asked again at the end, for more may have come.
   * Default: what waits here at the beginning.
   */
  start(lineBytes?: () => number): void {
    if (this.cancel) return;
    const { pendingBytes } = this.sink;
    const fromMillis = this.clock.nowMillis();
    const { addedBytes } = this;
    const dueMillis = (): number =>
      fromMillis + PATIENCE_MILLIS + (lineBytes?.() ?? pendingBytes) / SLOW_BYTES_PER_MILLI;
    const look = (): void => {
      const unmoved = pendingBytes + this.addedBytes - addedBytes;
      if (this.sink.pendingBytes < unmoved) this.end(() => this.ends.moved());
      else if (this.clock.nowMillis() < dueMillis()) this.lookAt(dueMillis(), look);
      else this.end(() => this.ends.stalled(sentenceOf(unmoved)));
    };
    this.lookAt(dueMillis(), look);
  }

  private lookAt(dueMillis: number, look: () => void): void {
    this.cancel = this.clock.after(dueMillis - this.clock.nowMillis(), look);
  }

  private end(tell: () => void): void {
    this.cancel = undefined;
    tell();
  }

  stop(): void {
    this.cancel?.();
    this.cancel = undefined;
  }
}
