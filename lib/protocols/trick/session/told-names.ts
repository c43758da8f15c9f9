// Unknown variables that the log of a session has named already: each once, and a bounded number of them.

import { inRanges } from '../../../serving/scheduling/ranges.js';
import type { TrickReference } from '../wire/reference.js';

const MOST = 100;
/** Characters that are kept of each name. */
const LONGEST = 100;

export class ToldNames {
  private readonly starts = new Set<string>();

  /** @param explain as the session's. @param publish takes the sentence. */
  constructor(
    private readonly explain: (name: string) => string,
    private readonly publish: (sentence: string) => void,
  ) {}

  /** Names a variable that does not exist in the log, once. Trick: VariableServerSession, make_error_ref */
  tell({ name, variable, isTime }: Pick<TrickReference, 'name' | 'variable' | 'isTime'>): void {
    if (variable || isTime || !this.isNew(name)) return;
    // A line end in a name must not begin a line of the log.
    const shown = name.replace(/\p{Cc}/gu, '?');
    const reason = shown === name ? this.explain(name) : '';
    const why = reason === '' ? '' : ` (${reason})`;
    this.publish(`Variable Server could not find variable ${shown}${why}.`);
  }

  /** As `tell`, of many, in turns. */
  async tellAll(references: readonly TrickReference[], turn: () => Promise<void>): Promise<void> {
    for (const some of inRanges(references)) {
      await turn();
      for (const reference of some) this.tell(reference);
    }
  }

  /** Whether a name has not been logged yet; the call notes that it has. */
  private isNew(name: string): boolean {
    if (this.starts.size >= MOST) return false;
    // A copy, because a part of a long text would keep the whole text.
    const start = Buffer.from(name.slice(0, LONGEST)).toString();
    if (this.starts.has(start)) return false;
    this.starts.add(start);
    return true;
  }
}
