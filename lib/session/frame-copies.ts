// Copies of frames for messages that take many turns, made in the memory of earlier copies: large memory is costly to get.
import type { Frame } from '../frame/reader.js';
import type { Clock } from '../scheduling/clock.js';

/** Memory of earlier copies that is kept for later ones, and for how long. */
export const MOST_SPARE_BYTES = 32 * 1024 * 1024;
const SPARE_MILLIS = 5000;

export class FrameCopies {
  private spare: Frame[] = [];
  private spareBytes = 0;
  private cancel: (() => void) | undefined;

  constructor(private readonly clock: Clock) {}

  /** Makes a copy that stays as it is until it is given back. */
  take(frame: Frame): Frame {
    const spare = this.spare.pop();
    this.spareBytes -= spare?.memory.bytes.length ?? 0;
    return frame.copy(spare);
  }

  /** Lets later copies use the memory of one that nobody reads any more. */
  giveBack(copy: Frame): void {
    const bytes = copy.memory.bytes.length;
    if (this.spareBytes + bytes > MOST_SPARE_BYTES) return;
    this.spare.push(copy);
    this.spareBytes += bytes;
    this.cancel?.();
    this.cancel = this.clock.after(SPARE_MILLIS, () => this.close());
  }

  /** Frees all memory that is kept. */
  close(): void {
    this.cancel?.();
    this.cancel = undefined;
    this.spare = [];
    this.spareBytes = 0;
  }
}
