// Texts as numbers, because samples are numbers: each new text gets the next.

/** A variable that never says the same twice must not fill the memory. */
const MOST_WORDS = 4096;

export class Words {
  private readonly numbers = new Map<string, number>();
  private readonly texts: string[] = [];

  /** NaN for a text beyond the most that are told apart. */
  numberOf(text: string): number {
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    if (this.texts.length >= MOST_WORDS) return Number.NaN;
    this.numbers.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }

  textOf(number: number): string {
    return this.texts[number] ?? '';
  }
}
