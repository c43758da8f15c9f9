// Whether frames show a list, and whether what its pointers lead to is too much for any frame to show it.
import { Lease, Look } from '../../../model/frame/lease.js';
import type { Frame } from '../../../model/frame/reader.js';
import { TooManyPointersError } from '../../../model/state/reach.js';
import { OverBoundError } from '../../../serving/scheduling/account.js';
import { inRanges } from '../../../serving/scheduling/ranges.js';
import { valuesOfPages } from '../../../serving/session/value-count.js';
import type { TrickReference } from '../wire/reference.js';
import { isLong } from './list-maker.js';
import { isPointing, valuesBehind } from './list-size.js';

/** How long a list that asks for too much is not looked for again, because looking for it takes long. */
const RETRY_MILLIS = 1000;

interface ShownListEvents {
  /** Hears the sentence once, until the list can be shown again. */
  readonly refused: (sentence: string) => void;
  /** Counts what a frame carries that shows the list: values behind pointers, or whole pages. Throws an OverBoundError. */
  readonly countCarried: (values: number) => void;
  /** The latest frame. */
  readonly latest: () => Frame;
  /** The session's turn. */
  readonly turn: () => Promise<void>;
  /** In which time the list is read once; 0 for each frame. */
  readonly cycleSeconds?: () => number;
}

export class ShownList {
  private isBehindTooMuch = false;
  /** When the client could not have what the list asks for. */
  private refusedMillis = Number.NaN;
  /** Of what lies in the same place in every frame of a catalog. */
  private readonly fixed = new Lease();
  /** Of what may lie elsewhere in the next frame, so that each frame is looked at for it. */
  private readonly moving = new Lease();
  /** Which of the list these are, in the catalog that was looked at last. */
  private movingOnes: readonly TrickReference[] | undefined;
  private catalogVersion = Number.NaN;
  /** Counts how often the list or its cycle has changed. */
  private changes = 0;
  private looking: Promise<boolean> | undefined;
  private isClosed = false;

  constructor(
    private readonly list: readonly TrickReference[],
    private readonly events: ShownListEvents,
  ) {}

  /** Whether the pointers led to too much when the list was looked for last; then it is not sent. */
  get isRefused(): boolean {
    return this.isBehindTooMuch;
  }

  /** The list or its cycle has changed. */
  changed(): void {
    this.changes++;
    this.catalogVersion = Number.NaN;
    this.fixed.changed();
    this.refusedMillis = Number.NaN;
  }

  /** The list is not sent: frames need not carry it. */
  rest(): void {
    this.changed();
    this.fixed.rest();
    this.moving.rest();
  }

  /** The client has gone: a look that waits looks at nothing more. */
  close(): void {
    this.isClosed = true;
    this.changed();
    this.fixed.end();
    this.moving.end();
  }

  /**
   * As `isSettledIn`. A long list is looked at in turns, in the frames that come, once for all who ask meanwhile.
   */
  isCarriedBy(frame: Frame): boolean | Promise<boolean> {
    if (this.looking) return this.looking;
    if (!isLong(this.movingIn(frame) ?? this.list)) return this.isSettledIn(frame);
    this.looking = this.lookInTurns().finally(() => {
      this.looking = undefined;
    });
    return this.looking;
  }

  /** Whether there is nothing to wait for: a frame shows the list, or none ever does. From now on frames carry its values. */
  isSettledIn(frame: Frame): boolean {
    const { wallMillis } = frame.header;
    if (this.isPlainIn(frame) || this.isWaiting(wallMillis)) return true;
    try {
      const known = this.movingIn(frame);
      return this.looked(new ListLook(known).at(known ?? this.list, frame), frame);
    } catch (error) {
      return this.refuse(error, wallMillis);
    }
  }

  /** Whether it is a list without pointers in a state that frames carry whole, and was settled before. */
  isPlainIn(frame: Frame): boolean {
    if (frame.pages || this.isBehindTooMuch || !Number.isNaN(this.refusedMillis)) return false;
    return this.movingIn(frame)?.length === 0;
  }

  private async lookInTurns(): Promise<boolean> {
    const { latest, turn } = this.events;
    const { changes } = this;
    const { wallMillis } = latest().header;
    if (this.isWaiting(wallMillis)) return true;
    try {
      const known = this.movingIn(latest());
      const look = new ListLook(known);
      for (const some of inRanges([...(known ?? this.list)])) {
        await turn();
        if (this.isClosed || changes !== this.changes) return false;
        look.at(some, latest());
      }
      return this.looked(look, latest());
    } catch (error) {
      return this.refuse(error, wallMillis);
    }
  }

  /** Whether it is too early to look again for a list that asks for too much. The operator may set the clock back. */
  private isWaiting(wallMillis: number): boolean {
    return Math.abs(wallMillis - this.refusedMillis) < RETRY_MILLIS;
  }

  private refuse(error: unknown, wallMillis: number): true {
    const isOverBound = error instanceof OverBoundError;
    if (!isOverBound && !(error instanceof TooManyPointersError)) throw error;
    if (!this.isBehindTooMuch) this.events.refused(`${error.message}; the list is not sent`);
    this.rest();
    this.isBehindTooMuch = true;
    if (isOverBound) this.refusedMillis = wallMillis;
    return true;
  }

  /** The moving ones if they are known in the catalog of a frame, and the others are held. */
  private movingIn({ header: { catalogVersion } }: Frame): readonly TrickReference[] | undefined {
    return this.catalogVersion === catalogVersion ? this.movingOnes : undefined;
  }

  private looked(look: ListLook, frame: Frame): boolean {
    // Its message shows whether it can be made of a frame of the new catalog.
    if (look.hasCatalogs) return true;
    const { fixed, moving, behind, movingOnes } = look;
    const cycleSeconds = this.events.cycleSeconds?.() ?? 0;
    this.fixed.cycleSeconds = cycleSeconds;
    this.moving.cycleSeconds = cycleSeconds;
    // They are counted before they are held, so that nothing is held when they are too many.
    const mayHold = (): true => this.countPages(look, behind);
    let isShown = this.fixed.carries(frame) ?? true;
    if (fixed) {
      isShown = this.fixed.take(fixed, frame, mayHold);
      this.movingOnes = movingOnes;
      this.catalogVersion = frame.header.catalogVersion;
    }
    isShown = this.moving.take(moving, frame, mayHold) && isShown;
    if (!frame.pages) this.countPages(look, behind);
    this.isBehindTooMuch = false;
    return isShown;
  }

  private countPages({ fixed, moving }: ListLook, behind: number): true {
    const bytes = (fixed?.bytes ?? this.fixed.bytes) + moving.bytes;
    this.events.countCarried(Math.max(valuesOfPages(bytes), behind));
    return true;
  }
}

/** A look at a list, range by range: at all of it, or at its moving ones if these are known. */
class ListLook {
  readonly fixed: Look | undefined;
  readonly moving = new Look();
  readonly movingOnes: TrickReference[] = [];
  /** Values behind pointers. */
  behind = 0;
  /** Whether the catalog has changed since it began. */
  hasCatalogs = false;
  private catalogVersion: number | undefined;

  constructor(known: readonly TrickReference[] | undefined) {
    if (!known) this.fixed = new Look();
  }

  at(some: readonly TrickReference[], frame: Frame): this {
    const { catalogVersion } = frame.header;
    this.catalogVersion ??= catalogVersion;
    this.hasCatalogs ||= this.catalogVersion !== catalogVersion;
    let moving = some;
    if (this.fixed) {
      for (const reference of some) reference.variableIn(frame);
      moving = some.filter(({ isMoving }) => isMoving);
      for (const reference of moving) this.movingOnes.push(reference);
      if (frame.pages)
        this.fixed.at(
          some.filter(({ isMoving }) => !isMoving),
          frame,
        );
    }
    if (moving.length === 0) return this;
    if (frame.pages) this.moving.at(moving, frame);
    if (this.moving.isShown) this.behind += valuesBehind(moving.filter(isPointing), frame);
    return this;
  }
}
