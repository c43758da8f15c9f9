// A log for what clients cause: one line a second, however often it happens.
import type { Clock } from './clock.js';
import type { Log } from './log.js';

const LINE_EVERY_MILLIS = 1000;

export class SparseLog {
  private saidMillis = Number.NEGATIVE_INFINITY;
  private leftOut = 0;

  constructor(
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** Says it, and how many were left out before; or leaves it out. */
  readonly say: Log = (level, text, facts) => {
    const nowMillis = this.clock.nowMillis();
    if (nowMillis - this.saidMillis < LINE_EVERY_MILLIS) {
      this.leftOut++;
      return;
    }
    const { leftOut } = this;
    this.saidMillis = nowMillis;
    this.leftOut = 0;
    if (leftOut === 0) this.log(level, text, facts);
    else this.log(level, `${text} (${leftOut} more like this since the last line)`, { ...facts, leftOut });
  };
}
