// How fast blocks of clients may make texts and lists. The system takes long ones that are thrown away back in one piece,
// 0.15 ms a megabyte, and everybody waits for that.
import type { Clock } from './clock.js';

const BYTES_A_SECOND = 48 * 1024 * 1024;
const BYTES_AT_ONCE = 64 * 1024 * 1024;

export class MemoryPace {
  private left = BYTES_AT_ONCE;
  private sinceMillis: number;
  private resting: Promise<void> | undefined;

  constructor(private readonly clock: Clock) {
    this.sinceMillis = clock.nowMillis();
  }

  /** Counts bytes that were made. */
  spend(bytes: number): void {
    this.refill();
    this.left -= bytes;
  }

  /** Resolves when clients may make more; undefined when they may now. */
  get rest(): Promise<void> | undefined {
    if (this.resting) return this.resting;
    this.refill();
    if (this.left > 0) return undefined;
    this.resting = new Promise((resolve) => {
      this.clock.after(1 + (-1000 * this.left) / BYTES_A_SECOND, () => {
        this.resting = undefined;
        resolve();
      });
    });
    return this.resting;
  }

  private refill(): void {
    const nowMillis = this.clock.nowMillis();
    const earned = ((nowMillis - this.sinceMillis) * BYTES_A_SECOND) / 1000;
    this.left = Math.min(BYTES_AT_ONCE, this.left + earned);
    this.sinceMillis = nowMillis;
  }
}
