// Remembers what the last blocks parsed to: clients that poll send the same text again and again.
// compat-tests/bench/optimizations.md has what it saves, and how to measure that again.

/** Longer blocks are rarely sent twice. */
const maxTextLength = 4096;
/** A tree takes some thirty bytes for each character of its text. */
const mostCharacters = 256 * 1024;

/**
 * A bounded map from text to anything. It keeps two generations: what is used moves to the young one, and when that is
 * full the old one is dropped, so a hit among the young costs one lookup.
 */
export class BlockCache<Value> {
  private young = new Map<string, Value>();
  private old = new Map<string, Value>();
  private youngCharacters = 0;
  private readonly generationSize: number;

  /** `capacity` is how many entries it holds at most; half of them, the last used, are never dropped. */
  constructor(capacity: number) {
    this.generationSize = Math.max(1, Math.floor(capacity / 2));
  }

  get size(): number {
    return this.young.size + this.old.size;
  }

  get(text: string): Value | undefined {
    const value = this.young.get(text);
    if (value !== undefined) return value;
    const older = this.old.get(text);
    if (older !== undefined) {
      this.old.delete(text);
      this.keep(text, older);
    }
    return older;
  }

  /** Keeps the value unless its text is too long to be worth it. */
  set(text: string, value: Value): void {
    if (text.length < maxTextLength) this.keep(text, value);
  }

  private keep(text: string, value: Value): void {
    if (this.young.size >= this.generationSize || this.youngCharacters >= mostCharacters) {
      this.old = this.young;
      this.young = new Map();
      this.youngCharacters = 0;
    }
    this.young.set(text, value);
    this.youngCharacters += text.length;
  }
}
