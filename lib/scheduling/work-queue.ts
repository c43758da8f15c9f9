// Work that waits for its turn, first come, first served.
import type { Account } from './account.js';

export interface Waiting {
  readonly account: Account;
  readonly work: () => void;
  /** Whether it continues work that has begun. */
  readonly goesOn: boolean;
}

/** How many taken entries may stay at the front of the array. */
const MOST_TAKEN = 256;

/** A queue whose entries are taken in constant time, however many wait. */
export class WorkQueue {
  private entries: Waiting[] = [];
  private taken = 0;

  get length(): number {
    return this.entries.length - this.taken;
  }

  push(waiting: Waiting): void {
    this.entries.push(waiting);
  }

  shift(): Waiting | undefined {
    if (this.length === 0) return undefined;
    const waiting = this.entries[this.taken++];
    if (this.taken === this.entries.length) this.clear();
    else if (this.taken >= MOST_TAKEN && 2 * this.taken >= this.entries.length) {
      this.entries.splice(0, this.taken);
      this.taken = 0;
    }
    return waiting;
  }

  /** Takes the first entry of a network, though others came before it; this looks at each entry. */
  takeOf(network: string): Waiting | undefined {
    const place = this.entries.findIndex(({ account }, index) => index >= this.taken && account.network === network);
    if (place < 0) return undefined;
    const [waiting] = this.entries.splice(place, 1);
    if (this.length === 0) this.clear();
    return waiting;
  }

  clear(): void {
    this.entries = [];
    this.taken = 0;
  }
}
