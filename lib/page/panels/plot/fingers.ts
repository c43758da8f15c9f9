// What fingers on a plot do: one moves it, two zoom it and move it.

/** A movement, in pixels from the left. */
export interface FingerMove {
  /** How far the plot goes to the later side. */
  readonly pixels: number;
  /** Above 1 shows less time. */
  readonly factor: number;
  /** What stays under the fingers. */
  readonly center: number;
}

/** Fingers that are nearer than this do not zoom by any factor. */
const LEAST_DISTANCE = 16;

export class Fingers {
  readonly #places = new Map<number, number>();

  get count(): number {
    return this.#places.size;
  }

  down(id: number, x: number): void {
    // A third finger says nothing that two do not.
    if (this.#places.size < 2) this.#places.set(id, x);
  }

  up(id: number): void {
    this.#places.delete(id);
  }

  /** Undefined for a finger that is not down. */
  move(id: number, x: number): FingerMove | undefined {
    if (!this.#places.has(id)) return undefined;
    const before = this.#span();
    this.#places.set(id, x);
    const after = this.#span();
    return {
      pixels: before.center - after.center,
      factor: this.#places.size === 2 ? after.distance / before.distance : 1,
      center: before.center,
    };
  }

  #span(): { readonly center: number; readonly distance: number } {
    const [one = 0, other = one] = this.#places.values();
    return { center: (one + other) / 2, distance: Math.max(Math.abs(one - other), LEAST_DISTANCE) };
  }
}
