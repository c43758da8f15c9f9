// Decides when plots are drawn: each plot with news at most once in an animation frame, all within the frame's budget.

/** Of the 16.7 ms of a frame at 60 Hz; the rest is for messages, layout and painting. */
const BUDGET_MILLIS = 8;
const LEAST_BUDGET_MILLIS = 0.5;
/** A frame that came later than this was late: what was drawn took the browser too long to paint. */
const LATE_MILLIS = 24;
const [LESS, MORE_MILLIS] = [0.7, 0.25];

export interface DrawingClock {
  readonly nowMillis: () => number;
  readonly onNextFrame: (draw: () => void) => void;
}

/**
 * Plots ask with `request` as often as they like. Those that do not fit into a frame are the first of the next one, so
 * that many plots are drawn less often, but none is left out and the page stays fluent. Where painting is slow, as
 * without a graphics card, frames come late, and fewer plots are drawn in each.
 */
export class DrawingTurns {
  private readonly waiting = new Set<() => void>();
  private isAsked = false;
  private budgetMillis = BUDGET_MILLIS;
  /** When the frame before was drawn, if this frame was requested then. */
  private lastMillis: number | undefined;

  constructor(private readonly clock: DrawingClock) {}

  request(draw: () => void): void {
    this.waiting.add(draw);
    this.ask();
  }

  cancel(draw: () => void): void {
    this.waiting.delete(draw);
  }

  private ask(): void {
    if (this.isAsked || this.waiting.size === 0) return;
    this.isAsked = true;
    this.clock.onNextFrame(() => this.drawFrame());
  }

  private drawFrame(): void {
    this.isAsked = false;
    const start = this.clock.nowMillis();
    this.adapt(start);
    const end = start + this.budgetMillis;
    for (const draw of [...this.waiting]) {
      this.waiting.delete(draw);
      try {
        draw();
      } catch (error) {
        this.ask();
        throw error;
      }
      if (this.clock.nowMillis() >= end) break;
    }
    this.lastMillis = this.waiting.size > 0 ? start : undefined;
    this.ask();
  }

  private adapt(now: number): void {
    if (this.lastMillis === undefined) return;
    const isLate = now - this.lastMillis > LATE_MILLIS;
    const changed = isLate ? this.budgetMillis * LESS : this.budgetMillis + MORE_MILLIS;
    this.budgetMillis = Math.min(Math.max(changed, LEAST_BUDGET_MILLIS), BUDGET_MILLIS);
  }
}
