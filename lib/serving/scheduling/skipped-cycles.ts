// Counts what was due to clients and left out for lack of time, and tells when that goes on: a server may be short of time
// without being late for anything.
import type { Clock } from './clock.js';

/** After so long without a skipped cycle, the next one begins anew. */
const PAUSE_MILLIS = 500;
/** A moment of haste is no sign of too much to do: only what has gone on for so long is told. */
const LASTING_MILLIS = 1000;

export class SkippedCycles {
  private count = 0;
  private sinceMillis = Number.NEGATIVE_INFINITY;
  private lastMillis = Number.NEGATIVE_INFINITY;

  /**
   * @param lasting called each time that more is skipped while cycles have been skipped for a second, with how many were
   * so far.
   */
  constructor(
    private readonly clock: Pick<Clock, 'nowMillis'>,
    private readonly lasting: (total: number) => void = () => undefined,
  ) {}

  get total(): number {
    return this.count;
  }

  add(count: number): void {
    if (count <= 0) return;
    this.count += count;
    const nowMillis = this.clock.nowMillis();
    if (nowMillis - this.lastMillis > PAUSE_MILLIS) this.sinceMillis = nowMillis;
    this.lastMillis = nowMillis;
    if (nowMillis - this.sinceMillis >= LASTING_MILLIS) this.lasting(this.count);
  }
}
