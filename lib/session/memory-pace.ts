// How fast clients may make long texts and lists: everybody waits while the collector copies those that are in use, and
// while the system takes those that are thrown away back, 0.15 ms a megabyte.
import type { Clock } from './clock.js';

const BYTES_A_SECOND = 48 * 1024 * 1024;
const BYTES_AT_ONCE = 64 * 1024 * 1024;
/** However many clients make them, none rests longer for a piece of its work. */
const LONGEST_REST_MILLIS = 1000;

export class MemoryPace {
  /** Bytes that may be made at once; negative while more was made than the pace allows. */
  private left = BYTES_AT_ONCE;
  private sinceMillis: number;
  private readonly resters = new Set<() => void>();

  constructor(private readonly clock: Clock) {
    this.sinceMillis = clock.nowMillis();
  }

  /** How many clients rest. */
  get resting(): number {
    return this.resters.size;
  }

  /** Counts bytes that a client has made; returns when it may go on, which may be now. */
  spend(bytes: number): number {
    const nowMillis = this.clock.nowMillis();
    const earned = ((nowMillis - this.sinceMillis) * BYTES_A_SECOND) / 1000;
    this.left = Math.min(BYTES_AT_ONCE, this.left + earned) - bytes;
    this.left = Math.max(this.left, (-BYTES_A_SECOND * LONGEST_REST_MILLIS) / 1000);
    this.sinceMillis = nowMillis;
    return nowMillis + Math.max(0, (-1000 * this.left) / BYTES_A_SECOND);
  }

  isOver(untilMillis: number): boolean {
    return this.clock.nowMillis() >= untilMillis;
  }

  /** Calls when a client has rested. */
  rest(untilMillis: number, goOn: () => void): void {
    const cancel = this.clock.after(untilMillis - this.clock.nowMillis(), () => {
      this.resters.delete(cancel);
      goOn();
    });
    this.resters.add(cancel);
  }

  /** Forgets who rests, as the server ends. */
  close(): void {
    for (const cancel of this.resters) cancel();
    this.resters.clear();
  }
}
