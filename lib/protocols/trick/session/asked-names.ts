// The variables of one message that is not a list: counted as the client's while it is made.
import { type Account, OverBoundError } from '../../../serving/scheduling/account.js';
import { Held } from '../../../serving/scheduling/held.js';
import { LOOK_RANGE } from '../../../serving/scheduling/ranges.js';
import type { LogLevel } from '../../../source/source.js';
import type { ReferenceTable, TrickReference } from '../wire/reference.js';
import { keptBytes, shownBytes } from './list-size.js';

interface Settings {
  readonly references: Pick<ReferenceTable, 'unheld'>;
  readonly client: { readonly account: Account };
  readonly log: (text: string, level: LogLevel) => void;
}

export class AskedNames {
  readonly references: TrickReference[] = [];
  private readonly held: Held;
  private isReleased = false;
  private bytes = 0;
  /** The most bytes that the message takes, roughly. */
  messageBytes = 0;

  constructor(private readonly settings: Settings) {
    this.held = new Held(settings.client.account);
  }

  /** Adds each name in turns. False, with a line in the log, when the client may not hold so many, and when it has gone. */
  async addAll(names: Iterable<string>, turn: () => Promise<void>): Promise<boolean> {
    let added = 0;
    for (const name of names) {
      if (added++ % LOOK_RANGE === 0) {
        if (!this.count()) return false;
        await turn();
      }
      this.add(name);
    }
    return this.count();
  }

  /** Adds a variable, which counts from the next `count` on. */
  add(name: string): void {
    const reference = this.settings.references.unheld(name);
    this.references.push(reference);
    this.bytes += keptBytes(reference);
    this.messageBytes += shownBytes(reference);
  }

  /** False, with a line in the log, when the client may not hold so much. */
  private count(): boolean {
    if (this.isReleased) return false;
    try {
      this.held.set('keptBytes', this.bytes);
      return true;
    } catch (error) {
      if (!(error instanceof OverBoundError)) throw error;
      this.settings.log(`${error.message}; nothing is sent`, 'warning');
      return false;
    }
  }

  /** Counts nothing any more, also when the block that asked was dropped in the middle. */
  release(): void {
    this.isReleased = true;
    this.held.release();
  }
}
