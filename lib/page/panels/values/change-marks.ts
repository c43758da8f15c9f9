// Which values have just changed, so that the eye finds them.

/** How long a cell stays marked after its value has changed. */
export const CHANGE_MILLIS = 700;

/** Remembers the text of each row, and when it changed last. */
export class ChangeMarks {
  readonly #texts = new Map<string, string>();
  readonly #changedAt = new Map<string, number>();

  constructor(private readonly nowMillis: () => number) {}

  /** Notes what a row shows; the first text of a row is no change. */
  note(row: string, text: string): void {
    const before = this.#texts.get(row);
    if (before === text) return;
    this.#texts.set(row, text);
    if (before !== undefined) this.#changedAt.set(row, this.nowMillis());
  }

  isFresh(row: string): boolean {
    return this.nowMillis() - (this.#changedAt.get(row) ?? -Infinity) < CHANGE_MILLIS;
  }

  forget(row: string): void {
    this.#texts.delete(row);
    this.#changedAt.delete(row);
  }
}
