// A read that makes frames of a large state carry much, which waits for its turn: all clients' frames carry what it needs.
import type { Account } from '../scheduling/account.js';
import type { Clock } from '../scheduling/clock.js';
import type { FewAtATime, Place } from '../scheduling/few-at-a-time.js';
import { Held } from '../scheduling/held.js';
import { MOST_FREE_PAGES } from './value-count.js';

/** Frames carry what a large read has asked for a while longer, and then nothing of it for a while. */
const REST_MILLIS = 200;

/** Where large reads wait, such as the registry of sessions. */
export interface LargeReads {
  readonly largeReads: FewAtATime;
  readonly clock: Pick<Clock, 'after'>;
}

export class LargeRead {
  private readonly held: Held;
  private place: Place | undefined;
  private isLarge = false;
  private hasTurn = false;

  /** @param isOperators whether it is the operator's own, which waits for nobody. */
  constructor(
    private readonly parts: LargeReads,
    private readonly account: Account,
    private readonly isOperators = false,
  ) {
    this.held = new Held(account);
  }

  /** Whether so many pages may be asked for, as `Frame.showsAll` wants to know: many only in its turn. */
  readonly mayAsk = (pages: number): boolean => {
    this.isLarge = pages > MOST_FREE_PAGES && !this.isOperators;
    return !this.mustWait;
  };

  /** Whether it has not asked for what it needs, because that is much and it has no turn yet. */
  get mustWait(): boolean {
    return this.isLarge && !this.place;
  }

  /**
   * Queues a read that must wait. Resolves when its turn has come or it has ended; undefined when it need not wait. Throws
   * an OverBoundError when too many large reads of this client are not over.
   */
  enter(): Promise<void> | undefined {
    if (!this.mustWait) return undefined;
    this.held.set('largeReads', 1);
    const place = this.parts.largeReads.enter(this.account);
    this.place = place;
    this.hasTurn = place.turn === undefined;
    return place.turn?.then(() => {
      this.hasTurn ||= this.place === place;
    });
  }

  /** It is over, or its client has gone. Another read may follow. */
  end(): void {
    const { place, hasTurn } = this;
    this.isLarge = false;
    if (!place) return;
    this.place = undefined;
    this.hasTurn = false;
    this.held.release();
    if (hasTurn) this.parts.clock.after(REST_MILLIS, place.leave);
    else place.leave();
  }
}
