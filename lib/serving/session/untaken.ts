// Counts what a client has not taken from its connection, and tells of a client that takes none of it.
import { LIMITS } from '../../model/bounds/limits.js';
import type { Clock } from '../scheduling/clock.js';

/** So many bytes may wait for any time. */
export const HARMLESS_BYTES = 512 * 1024;
/** What waits must shrink within this time plus the time in which a slow line would carry it. */
const PATIENCE_MILLIS = LIMITS.untakenMillis.each;
const SLOW_BYTES_PER_MILLI = 64;

/** Where messages are written. */
export interface Taken {
  /** Bytes that the peer has not taken yet. */
  readonly pendingBytes: number;
}

/** Who has the bytes: a client, or an address with all of its connections. */
interface Holder {
  /** So many bytes more are held, or fewer. */
  changed(bytes: number): void;
  /** Whether what is held may wait for any time; so much of it waits here. */
  isHarmless(heldBytes: number): boolean;
  /** What the client's line has to carry, in bytes; asked again at the end. Default: what waits here at the beginning. */
  lineBytes?(): number;
}

export class Untaken {
  private heldBytes = 0;
  private addedBytes = 0;
  private cancel: (() => void) | undefined;

  /** @param letGo called when the client has taken nothing for too long, with a sentence that says so. */
  constructor(
    private readonly sink: Taken,
    private readonly clock: Clock,
    private readonly holder: Holder,
    private readonly letGo: (sentence: string) => void,
  ) {}

  /** Bytes of an answer were written. */
  add(bytes: number): void {
    this.addedBytes += bytes;
    this.hold(this.heldBytes + bytes);
    this.settle();
  }

  /** Counts what the client has taken since. Whoever takes some has its time anew, for what is left. */
  settle(): void {
    if (this.heldBytes === 0) return;
    const waiting = Math.min(this.heldBytes, this.sink.pendingBytes);
    if (waiting < this.heldBytes) this.close();
    this.hold(waiting);
    if (this.isHarmless) this.close();
    else this.watch();
  }

  /** The connection has ended: what waits is watched no more. */
  close(): void {
    this.cancel?.();
    this.cancel = undefined;
  }

  private get isHarmless(): boolean {
    return this.heldBytes === 0 || this.holder.isHarmless(this.heldBytes);
  }

  private hold(bytes: number): void {
    this.holder.changed(bytes - this.heldBytes);
    this.heldBytes = bytes;
  }

  private watch(): void {
    if (this.cancel) return;
    const { pendingBytes } = this.sink;
    const { addedBytes } = this;
    const fromMillis = this.clock.nowMillis();
    const look = (): void => {
      const leftMillis =
        fromMillis +
        PATIENCE_MILLIS +
        (this.holder.lineBytes?.() ?? pendingBytes) / SLOW_BYTES_PER_MILLI -
        this.clock.nowMillis();
      const unmoved = pendingBytes + this.addedBytes - addedBytes;
      const hasMoved = this.sink.pendingBytes < unmoved;
      this.cancel = undefined;
      if (!hasMoved && leftMillis > 0) this.cancel = this.clock.after(leftMillis, look);
      else if (hasMoved) this.settle();
      else if (!this.isHarmless)
        this.letGo(`its answers were not taken: ${unmoved} bytes wait, and they have not become fewer for long`);
    };
    look();
  }
}
