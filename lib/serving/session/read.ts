// A read that is answered once, of a frame that carries what it needs. A large one waits for its turn: all clients' frames carry that.
import { Lease, Look } from '../../model/frame/lease.js';
import type { Frame, Shown } from '../../model/frame/reader.js';
import type { Part } from '../../model/state/reach.js';
import type { Type } from '../../model/state/type.js';
import type { Variable } from '../../model/state/variable.js';
import type { Source } from '../../source/source.js';
import type { FewAtATime, QueuePlace } from '../scheduling/few-at-a-time.js';
import { Held } from '../scheduling/held.js';
import type { Session } from './session.js';
import { MOST_FREE_BYTES } from './value-count.js';

/** Where large reads wait, such as the registry of sessions. */
export interface LargeReads {
  readonly largeReads: FewAtATime;
}

/** A part of a variable. */
export const shownPart = (variable: Variable, part: Part = 'all', mostBytes?: number): Shown => ({
  isCarriedBy: (frame) => frame.carries(variable, part, mostBytes),
});

/** What there is of these paths, each with a part of it; nothing to be looked for in a state that frames carry whole. */
export function shownParts(
  { frame, catalog }: Source,
  paths: Iterable<string>,
  part: Part = 'leaves',
  mostBytes?: (type: Type) => number,
): Shown[] {
  if (!frame.pages && part !== 'all') return [];
  const variables = [...paths].flatMap((path) => catalog.find(path) ?? []);
  return variables.map((variable) => shownPart(variable, part, mostBytes?.(variable.type)));
}

/** One read of a client, such as that of a call: until it ends, frames of a large state carry what it needs. */
export class Read {
  private readonly lease = new Lease();
  private readonly held: Held;
  private readonly isOperators: boolean;
  private place: QueuePlace | undefined;
  private isLarge = false;

  constructor(
    private readonly session: Session,
    private readonly parts: LargeReads,
  ) {
    this.held = new Held(session.account);
    this.isOperators = session.client === 'operator';
  }

  /**
   * Whether a frame carries all of this. If not, asks for one that does, unless the read must wait: look again after
   * `enter` or the session's `settled`. Throws the RequestError that says why no such frame can come, and a
   * TooManyPointersError when the values are behind too many.
   */
  ask(all: readonly Shown[], frame: Frame = this.session.source.frame): boolean {
    return this.take(new Look().at(all, frame), frame);
  }

  /** As `ask`, of what was looked at range by range. */
  take(look: Look, frame: Frame): boolean {
    const isShown = this.lease.take(look, frame, this.mayHold);
    if (!isShown && !this.mustWait && !this.session.account.isClosed) this.session.look();
    return isShown;
  }

  /** Many pages are held only in its turn; the operator waits for nobody. */
  private readonly mayHold = (bytes: number): boolean => {
    this.isLarge = bytes > MOST_FREE_BYTES && !this.isOperators;
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
    this.place = this.parts.largeReads.enter(this.session.account);
    return this.place.turn;
  }

  /** It is over, or its client has gone. Another read may follow. */
  end(): void {
    this.lease.rest();
    this.isLarge = false;
    if (!this.place) return;
    this.place.leave();
    this.place = undefined;
    this.held.release();
  }
}
