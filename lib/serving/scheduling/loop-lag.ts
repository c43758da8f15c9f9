// Measures how late this thread runs what is due, which is the first sign that a server is overloaded.
import type { Clock } from './clock.js';

/** Time between two measurements. */
const PERIOD_MILLIS = 50;
/** How long the worst lag is remembered. */
const REMEMBERED_MILLIS = 10_000;
/** A larger lag gets a line in the log. */
const WORTH_TELLING_MILLIS = 100;
const LINE_EVERY_MILLIS = 1000;

export class LoopLag {
  private cancel: (() => void) | undefined;
  private worst = 0;
  private worstAtMillis = Number.NEGATIVE_INFINITY;
  private toldAtMillis = Number.NEGATIVE_INFINITY;

  /** @param late called at most once a second, when this thread was more than 100 ms late. */
  constructor(
    private readonly clock: Clock,
    private readonly late: (millis: number) => void,
  ) {}

  /** The worst lag of the last ten seconds, in milliseconds. */
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
