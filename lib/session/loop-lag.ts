// How late this thread comes to what is due: what a server at its limit feels first.
import type { Clock } from './clock.js';

/** How often it is measured; only while somebody could feel it. */
const PERIOD_MILLIS = 50;
/** The worst is told for so long. */
const REMEMBERED_MILLIS = 10_000;
/** Later than this is worth a line in the log. */
const WORTH_TELLING_MILLIS = 100;
const LINE_EVERY_MILLIS = 1000;

export class LoopLag {
  private cancel: (() => void) | undefined;
  private worst = 0;
  private worstAtMillis = Number.NEGATIVE_INFINITY;
  private toldAtMillis = Number.NEGATIVE_INFINITY;

  /** @param late is told when this thread was much too late, once a second at most. */
  constructor(
    private readonly clock: Clock,
    private readonly late: (millis: number) => void,
  ) {}

  /** The worst of the last ten seconds, in milliseconds. */
  get worstMillis(): number {
    return this.clock.nowMillis() - this.worstAtMillis > REMEMBERED_MILLIS ? 0 : this.worst;
  }

  start(): void {
    if (!this.cancel) this.arm();
  }

  stop(): void {
    this.cancel?.();
    this.cancel = undefined;
  }

  private arm(): void {
    const dueMillis = this.clock.nowMillis() + PERIOD_MILLIS;
    this.cancel = this.clock.after(PERIOD_MILLIS, () => {
      this.note(Math.max(0, this.clock.nowMillis() - dueMillis));
      this.arm();
    });
  }

  private note(millis: number): void {
    const nowMillis = this.clock.nowMillis();
    if (millis >= this.worstMillis) {
      this.worst = millis;
      this.worstAtMillis = nowMillis;
    }
    if (millis < WORTH_TELLING_MILLIS || nowMillis - this.toldAtMillis < LINE_EVERY_MILLIS) return;
    this.toldAtMillis = nowMillis;
    this.late(millis);
  }
}
