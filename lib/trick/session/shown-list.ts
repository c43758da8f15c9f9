// Whether frames show a list, and whether what its pointers lead to is too much for any frame to be looked through for it.
import type { Frame } from '../../frame/reader.js';
import { TooManyPointersError } from '../../model/reach.js';
import type { TrickReference } from '../wire/reference.js';

export class ShownList {
  private isBehindTooMuch = false;

  /** @param refused hears the sentence once, until the list can be shown again. */
  constructor(
    private readonly list: readonly TrickReference[],
    private readonly refused: (sentence: string) => void,
  ) {}

  /** Whether the pointers led to too much when the list was looked for last; then it is not sent. */
  get isRefused(): boolean {
    return this.isBehindTooMuch;
  }

  /** Whether there is nothing to wait for: a frame shows the list, or none ever does. Otherwise asks for its values. */
  isSettledIn(frame: Frame): boolean {
    if (!frame.pages) return true;
    try {
      const isShown = frame.showsAll(this.list);
      this.isBehindTooMuch = false;
      return isShown;
    } catch (error) {
      if (!(error instanceof TooManyPointersError)) throw error;
      if (!this.isBehindTooMuch) this.refused(`${error.message}; the list is not sent`);
      this.isBehindTooMuch = true;
      return true;
    }
  }
}
