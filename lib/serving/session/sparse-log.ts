// A log for events that clients cause: one line a second at most, however many events happen.
import type { Clock } from '../scheduling/clock.js';
import type { Log } from './log.js';

const LINE_EVERY_MILLIS = 1000;

export class SparseLog {
  private saidMillis = Number.NEGATIVE_INFINITY;
  private leftOut = 0;

  constructor(
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** Logs a line with the number of lines left out before it, or leaves it out. */
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
