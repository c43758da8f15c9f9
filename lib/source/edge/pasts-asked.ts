// The pasts that an edge has asked its source for.
import type { Earlier } from '../source.js';
import type { PastAnswered, PastAsked } from './carrier.js';

/** A plot goes on with what is kept here, if no answer comes. */
const PATIENCE_MILLIS = 5000;

export class PastsAsked {
  private readonly open = new Map<number, (earlier?: Earlier) => void>();
  private lastId = 0;

  constructor(private readonly ask: (past: PastAsked) => void) {}

  /** Resolves with undefined for a past that is nowhere, or not told. */
  of(path: string): Promise<Earlier | undefined> {
    return new Promise((resolve) => {
      const id = ++this.lastId;
      const settle = (earlier?: Earlier): void => {
        clearTimeout(late);
        this.open.delete(id);
        resolve(earlier);
      };
      const late = setTimeout(settle, PATIENCE_MILLIS);
      this.open.set(id, settle);
      this.ask({ id, path });
    });
  }

  answered({ id, times, values }: PastAnswered): void {
    this.open.get(id)?.(times && values && { times, values });
  }

  /** The source is gone. */
  giveUp(): void {
    for (const settle of this.open.values()) settle();
  }
}
