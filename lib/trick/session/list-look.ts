// Looks whether frames show a session's list: a short list at once, a long one in the session's turns.
import type { Frame } from '../../frame/reader.js';
import type { Account } from '../../scheduling/account.js';
import type { Slice, Sliced } from '../../scheduling/slice.js';
import type { Turns } from '../../scheduling/turns.js';
import type { Source } from '../../source/source.js';
import { isLong } from './long-lists.js';
import { STEPS_OF_PIECE } from './pieces.js';
import type { ShownList } from './shown-list.js';

interface Looker {
  readonly account: Account;
  readonly source: Pick<Source, 'frame'>;
}

export class ListLook {
  private looking: Promise<boolean> | undefined;
  private isClosed = false;

  constructor(
    private readonly shown: Pick<ShownList, 'lengthOfLook' | 'isSettledIn' | 'settling' | 'askAgain'>,
    private readonly client: Looker,
    private readonly turns: Turns,
  ) {}

  /**
   * Whether a frame shows the list, or none ever does; if not, asks for its values. What takes long is one look in turns at
   * the frames that come, for all who ask meanwhile.
   */
  isShownIn(frame: Frame): boolean | Promise<boolean> {
    if (this.looking) return this.looking;
    if (!isLong({ length: this.shown.lengthOfLook(frame) })) return this.shown.isSettledIn(frame);
    const looking = this.turns.run(this.client.account, (slice) => this.inSlices(slice));
    this.looking = looking.finally(() => {
      this.looking = undefined;
    });
    return this.looking;
  }

  private *inSlices(slice: Slice): Sliced<boolean> {
    const latest = (): Frame => this.client.source.frame;
    const pieces = this.shown.settling(latest);
    while (!this.isClosed) {
      const step = pieces.next();
      if (step.done) return step.value;
      if (!slice.isOver(STEPS_OF_PIECE)) continue;
      yield;
      // Frames stop carrying what nobody asks for, and the session's turn may come late.
      this.shown.askAgain(latest());
    }
    return false;
  }

  /** The client has gone: a look that waits looks at nothing more. */
  close(): void {
    this.isClosed = true;
  }
}
