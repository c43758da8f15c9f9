// News that people read: told to all of a page's readers at once, some times a second, so that layout is done once.

/** The wall clock. */
export interface NewsClock {
  readonly nowMillis: () => number;
  readonly after: (millis: number, call: () => void) => void;
}

/** As often as people can read. */
const MILLIS = 125;

export class SlowNews {
  private readonly waiting = new Set<() => void>();
  private isAsked = false;
  private toldMillis = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly clock: NewsClock,
    /** Runs all updates as one change. */
    private readonly together: (tell: () => void) => void = (tell) => tell(),
  ) {}

  /** Calls `tell` soon, and once however often it is requested. */
  request(tell: () => void): void {
    this.waiting.add(tell);
    if (this.isAsked) return;
    this.isAsked = true;
    const wait = this.toldMillis + MILLIS - this.clock.nowMillis();
    this.clock.after(Math.max(wait, 0), () => this.tell());
  }

  cancel(tell: () => void): void {
    this.waiting.delete(tell);
  }

  private tell(): void {
    this.isAsked = false;
    this.toldMillis = this.clock.nowMillis();
    const told = [...this.waiting];
    this.waiting.clear();
    this.together(() => {
      for (const tell of told) tell();
    });
  }
}
