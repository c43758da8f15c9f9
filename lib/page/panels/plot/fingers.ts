// What fingers on a plot do: one moves it, two zoom it and move it.

/** In pixels, to the right and down. */
export interface Pixels {
  readonly x: number;
  readonly y: number;
}

/** A movement, in pixels from the left upper corner. */
export interface FingerMove {
  /** How far the visible part moves over the plot. */
  readonly pixels: Pixels;
  /** The zoom factor: above 1 shows less. */
  readonly factor: number;
  /** The place that stays under the fingers. */
  readonly center: Pixels;
}

/** Fingers that are nearer than this do not zoom by any factor. */
const LEAST_DISTANCE = 16;

export class Fingers {
  private readonly places = new Map<number, Pixels>();

  get count(): number {
    return this.places.size;
  }

  down(id: number, place: Pixels): void {
    // A third finger adds nothing.
    if (this.places.size < 2) this.places.set(id, place);
  }

  up(id: number): void {
    this.places.delete(id);
  }

  /** Undefined for a finger that is not down. */
  move(id: number, place: Pixels): FingerMove | undefined {
    if (!this.places.has(id)) return undefined;
    const before = this.span();
    this.places.set(id, place);
    const after = this.span();
    return {
      pixels: { x: before.center.x - after.center.x, y: before.center.y - after.center.y },
      factor: this.places.size === 2 ? after.distance / before.distance : 1,
      center: before.center,
    };
  }

  private span(): { readonly center: Pixels; readonly distance: number } {
    const [one = { x: 0, y: 0 }, other = one] = this.places.values();
    const distance = Math.hypot(one.x - other.x, one.y - other.y);
    const center = { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
    return { center, distance: Math.max(distance, LEAST_DISTANCE) };
  }
}
