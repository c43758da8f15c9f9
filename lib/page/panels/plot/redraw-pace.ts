// Whether new samples would make a plot look different: lines lie at whole pixels, so a plot moves by whole pixels.

/** In pixels; less than one, because times are sums of fractions. */
const STEP = 0.9;

/** What a plot would show. */
export interface Shown {
  /** Time at the right edge. */
  readonly to: number;
  /** Time of the latest sample; NaN before the first. */
  readonly latest: number;
  readonly secondsPerPixel: number;
}

export class RedrawPace {
  /** @param longestMillis what changes within a pixel is drawn after this long. */
  constructor(private readonly longestMillis = 100) {}

  private drawn: Shown | undefined;
  private drawnMillis = 0;

  /** Makes the next drawing due, because something other than samples has changed. */
  reset(): void {
    this.drawn = undefined;
  }

  isDue({ to, latest, secondsPerPixel }: Shown, nowMillis: number): boolean {
    const drawn = this.drawn;
    if (!drawn) return true;
    if (!this.isWaiting({ to, latest, secondsPerPixel })) return false;
    const moved = latest - drawn.latest;
    return !(moved >= 0 && moved < STEP * secondsPerPixel) || nowMillis - this.drawnMillis >= this.longestMillis;
  }

  /** Whether samples have come that are not drawn yet. */
  isWaiting({ to, latest }: Shown): boolean {
    const drawn = this.drawn;
    // A plot that stands still shows no samples after its right edge.
    return drawn === undefined || !(to === drawn.to && latest > to && drawn.latest > to);
  }

  drew(shown: Shown, nowMillis: number): void {
    this.drawn = shown;
    this.drawnMillis = nowMillis;
  }
}
