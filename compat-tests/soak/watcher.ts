// A client that stays for a whole soak: each of its messages is checked, and none may be missing without a reason.
import { demand } from '../demand.js';
import type { Succession } from './ball-course.js';
import type { Logbook } from './logbook.js';

export interface Watcher {
  readonly name: string;
  readonly succession: Succession;
  /** Resolves when it has got more messages. */
  alive(): Promise<void>;
  drop(): void;
}

/** What is not in the messages of some watchers, compared with what the server says it has left out. */
export class Completeness {
  private readonly missing = new Map<Watcher, number>();
  /** What the server had left out at the last looks, the latest last. */
  private readonly leftOut: number[] = [0];

  /**
   * @param leftOut asks the server how many frames and cycles it has left out so far for lack of time.
   * @param logbook gets the counts.
   * Throws when a watcher misses more than the server has left out since the look before the last: a message that tells of it
   * may have been on its way since then.
   */
  async look(watchers: readonly Watcher[], leftOut: () => Promise<number>, logbook: Logbook): Promise<void> {
    const more = watchers.map((watcher) => {
      const { missing } = watcher.succession;
      const before = this.missing.get(watcher) ?? 0;
      this.missing.set(watcher, missing);
      return [watcher.name, missing - before] as const;
    });
    const now = await leftOut();
    const explained = now - (this.leftOut.at(-2) ?? 0);
    logbook.did('left out by the server', now - (this.leftOut.at(-1) ?? 0));
    this.leftOut.push(now);
    for (const [name, count] of more) logbook.did(`missed by ${name}`, count);
    for (const [name, count] of more)
      demand(count <= explained, `${name}: ${count} messages are missing, and the server has left out ${explained}`);
  }
}
