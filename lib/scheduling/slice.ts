// Work in slices: what is larger than a piece of work yields when its slice is over, and knows no more of the turns.

/** How long one piece of work should compute at most. */
export const SLICE_MILLIS = 1;
/** How many steps pass between two looks at the clock. */
const STEPS_PER_LOOK = 64;

/** Work in slices: it yields when its slice is over. */
export type Sliced<T> = Generator<void, T>;

/** The time that one piece of work gets. */
export class Slice {
  private steps = 0;
  private startMillis: number;

  constructor(private readonly nowMillis: () => number) {
    this.startMillis = nowMillis();
  }

  /** Whether it is time to yield. Call it once per step; a step may take one to ten microseconds. */
  isOver(steps = 1): boolean {
    this.steps += steps;
    if (this.steps < STEPS_PER_LOOK) return false;
    this.steps = 0;
    return this.nowMillis() - this.startMillis >= SLICE_MILLIS;
  }

  /** Counts steps; the next call of `isOver` looks at the clock if they are many. */
  count(steps: number): void {
    this.steps += steps;
  }

  restart(): void {
    this.steps = 0;
    this.startMillis = this.nowMillis();
  }
}
