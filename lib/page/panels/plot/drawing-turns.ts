// Who draws when: every plot that has news at most once an animation frame, and never longer than a frame's budget.

/** Of the 16.7 ms of a frame at 60 Hz; the rest is for messages, layout and painting. */
const BUDGET_MILLIS = 8;

export interface DrawingClock {
  readonly nowMillis: () => number;
  readonly onNextFrame: (draw: () => void) => void;
}

/**
 * Plots ask with `request` as often as they like. Those that do not fit into a frame are the first of the next one, so
 * that many plots are drawn less often, but none is left out and the page stays fluent.
 */
export class DrawingTurns {
  readonly #waiting = new Set<() => void>();
  #isAsked = false;

  constructor(
    private readonly clock: DrawingClock,
    private readonly budgetMillis: number = BUDGET_MILLIS,
  ) {}

  request(draw: () => void): void {
    this.#waiting.add(draw);
    this.#ask();
  }

  cancel(draw: () => void): void {
    this.#waiting.delete(draw);
  }

  #ask(): void {
    if (this.#isAsked || this.#waiting.size === 0) return;
    this.#isAsked = true;
    this.clock.onNextFrame(() => this.#drawFrame());
  }

  #drawFrame(): void {
    this.#isAsked = false;
    const end = this.clock.nowMillis() + this.budgetMillis;
    for (const draw of [...this.#waiting]) {
      this.#waiting.delete(draw);
      try {
        draw();
      } catch (error) {
        this.#ask();
        throw error;
      }
      if (this.clock.nowMillis() >= end) break;
    }
    this.#ask();
  }
}
