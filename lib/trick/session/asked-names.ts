// The variables of one message that is not a list: held while it is made, and counted as the client's.
import { type Account, OverBoundError } from '../../session/account.js';
import { Held } from '../../session/held.js';
import type { LogLevel } from '../../source/source.js';
import type { ReferenceTable, TrickReference } from '../wire/reference.js';
import { keptBytes } from './list-size.js';
import { releaseAll } from './release.js';

interface Settings {
  readonly references: Pick<ReferenceTable, 'hold' | 'release'>;
  readonly registry: Parameters<typeof releaseAll>[1]['registry'];
  readonly client: { readonly account: Account };
  readonly log: (text: string, level: LogLevel) => void;
}

export class AskedNames {
  readonly references: TrickReference[] = [];
  private readonly held: Held;
  private bytes = 0;

  constructor(private readonly settings: Settings) {
    this.held = new Held(settings.client.account);
  }

  /** Holds a variable, which counts from the next `count` on. */
  hold(name: string): void {
    const reference = this.settings.references.hold(name);
    this.references.push(reference);
    this.bytes += keptBytes(reference);
  }

  /** False, with a line in the log, when the client may not hold so much. */
  count(): boolean {
    try {
      this.held.set('keptBytes', this.bytes);
      return true;
    } catch (error) {
      if (!(error instanceof OverBoundError)) throw error;
      this.settings.log(`${error.message}; nothing is sent`, 'warning');
      return false;
    }
  }

  /** Gives everything back, also when the block that asked was dropped in the middle. */
  release(): void {
    releaseAll(this.references, this.settings);
    this.held.release();
  }
}
