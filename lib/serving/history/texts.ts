// Texts as numbers, because samples are numbers: each new text of a variable gets the next.

/** A variable that never says the same twice must not fill the memory. */
const MOST_TEXTS = 256;
/** What is longer is cut: a band of a plot shows less. */
const LONGEST_TEXT = 100;
const BYTES_PER_CHARACTER = 2;

export class Texts {
  private readonly numbers = new Map<string, number>();
  readonly all: string[] = [];
  private count = 0;

  get bytes(): number {
    return BYTES_PER_CHARACTER * this.count;
  }

  /** Undefined for a text beyond the most that are told apart. */
  numberOf(text: string): number | undefined {
    const short = text.slice(0, LONGEST_TEXT);
    const known = this.numbers.get(short);
    if (known !== undefined || this.all.length >= MOST_TEXTS) return known;
    this.count += short.length;
    this.numbers.set(short, this.all.length);
    return this.all.push(short) - 1;
  }
}
