// Whether a value that is shown is still what the simulation says, and whether it has just changed.

/** How long a cell stays marked after its value has changed. */
export const CHANGE_MILLIS = 700;
/** A stream that is silent for so many of its cycles is stale; pauses of the browser are no news. */
const SILENT_CYCLES = 5;
const LEAST_SILENCE_MILLIS = 2000;

/** Wall time without a message after which values are stale; a freeze sends on, so that it is not taken for one. */
export const staleAfterMillis = (cycleMillis: number): number =>
  Math.max(SILENT_CYCLES * cycleMillis, LEAST_SILENCE_MILLIS);

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
