// Unknown variables that the log of a session has named already: each once, and a bounded number of them.

const MOST = 100;
/** Characters that are kept of each name. */
const LONGEST = 100;

export class ToldNames {
  private readonly starts = new Set<string>();

  /** Whether a name has not been logged yet; the call notes that it has. */
  isNew(name: string): boolean {
    if (this.starts.size >= MOST) return false;
    // A copy, because a part of a long text would keep the whole text.
    const start = Buffer.from(name.slice(0, LONGEST)).toString();
    if (this.starts.has(start)) return false;
    this.starts.add(start);
    return true;
  }
}
