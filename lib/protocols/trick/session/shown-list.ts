// Whether frames show a list, and whether what its pointers lead to is too much for any frame to show it.
import { PageCount, pagesOf } from '../../../model/frame/page-map.js';
import type { Frame } from '../../../model/frame/reader.js';
import { PointerBudget, TooManyPointersError } from '../../../model/state/reach.js';
import { OverBoundError } from '../../../serving/scheduling/account.js';
import { inRanges } from '../../../serving/scheduling/ranges.js';
import { valuesOfPages } from '../../../serving/session/value-count.js';
import type { TrickReference } from '../wire/reference.js';
import { isLong } from './list-maker.js';
import { isPointing, valuesBehind } from './list-size.js';

/** How long a list that asks for too much is not looked for again, because looking for it makes frames carry it. */
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
}

/** What a list needs in the frames of a catalog. */
interface Needs {
  readonly catalogVersion: number;
  /** The pages of all values when they were counted. */
  readonly pages: Uint32Array;
  /** Those whose values may lie elsewhere in the next frame, so that each frame is looked at for them. */
  readonly moving: readonly TrickReference[];
  /** Whether the pages behind all pointers are among the pages. */
  readonly isWhole: boolean;
}

export class ShownList {
  private isBehindTooMuch = false;
  /** When the client could not have what the list asks for. */
  private refusedMillis = Number.NaN;
  /** Found again when the list or the catalog has changed. */
  private needs: Needs | undefined;
  /** Counts how often the list or its cycle has changed. */
  private changes = 0;
  private pageValues = 0;
  private behind = 0;
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
    this.needs = undefined;
    this.behind = 0;
    this.refusedMillis = Number.NaN;
  }

  /**
   * As `isSettledIn`. A long list is looked at in turns, in the frames that come, once for all who ask meanwhile.
   */
  isShownIn(frame: Frame): boolean | Promise<boolean> {
    if (this.looking) return this.looking;
    if (!isLong(this.needsIn(frame)?.moving ?? this.list)) return this.isSettledIn(frame);
    this.looking = this.lookInTurns().finally(() => {
      this.looking = undefined;
    });
    return this.looking;
  }

  /** Whether there is nothing to wait for: a frame shows the list, or none ever does. Otherwise asks for its values. */
  isSettledIn(frame: Frame): boolean {
    const { wallMillis } = frame.header;
    if (this.isPlainIn(frame) || this.isWaiting(wallMillis)) return true;
    try {
      const needs = this.needsIn(frame) ?? this.counted(new Counting(frame).count(this.list, frame));
      return this.looked(new Look(needs).look(needs.moving, frame), frame);
    } catch (error) {
      return this.refuse(error, wallMillis);
    }
  }

  /** Whether it is a list without pointers in a state that frames carry whole, and was settled before. */
  isPlainIn(frame: Frame): boolean {
    if (frame.pages || this.isBehindTooMuch || !Number.isNaN(this.refusedMillis)) return false;
    return this.needsIn(frame)?.moving.length === 0;
  }

  /** The client has gone: a look that waits looks at nothing more. */
  close(): void {
    this.isClosed = true;
  }

  private async lookInTurns(): Promise<boolean> {
    const { latest, turn } = this.events;
    const { wallMillis } = latest().header;
    if (this.isWaiting(wallMillis)) return true;
    try {
      const needs = this.needsIn(latest()) ?? (await this.countInTurns());
      if (!needs) return false;
      const look = new Look(needs);
      for (const some of inRanges(needs.moving)) {
        await turn();
        if (this.isClosed) return false;
        // Frames stop carrying what nobody asks for, and the session's turn may come late.
        latest().pages?.haveEach(needs.pages);
        look.look(some, latest());
      }
      return this.looked(look, latest());
    } catch (error) {
      return this.refuse(error, wallMillis);
    }
  }

  /** Undefined when the client has gone. */
  private async countInTurns(): Promise<Needs | undefined> {
    const { latest, turn } = this.events;
    const { changes } = this;
    const counting = new Counting(latest());
    for (const some of inRanges([...this.list])) {
      await turn();
      if (this.isClosed) return undefined;
      counting.count(some, latest());
    }
    return this.counted(counting, changes);
  }

  /** Whether it is too early to look again for a list that asks for too much. The operator may set the clock back. */
  private isWaiting(wallMillis: number): boolean {
    return Math.abs(wallMillis - this.refusedMillis) < RETRY_MILLIS;
  }

  private refuse(error: unknown, wallMillis: number): true {
    const isOverBound = error instanceof OverBoundError;
    if (!isOverBound && !(error instanceof TooManyPointersError)) throw error;
    if (!this.isBehindTooMuch) this.events.refused(`${error.message}; the list is not sent`);
    this.isBehindTooMuch = true;
    if (isOverBound) this.refusedMillis = wallMillis;
    return true;
  }

  private needsIn({ header: { catalogVersion } }: Frame): Needs | undefined {
    return this.needs?.isWhole && this.needs.catalogVersion === catalogVersion ? this.needs : undefined;
  }

  /** The pages are counted before they are asked for, so that nothing is asked for when they are too many. */
  private counted(counting: Counting, changes = this.changes): Needs {
    const needs = counting.needs();
    this.countPages(needs.pages.length);
    if (changes === this.changes) this.needs = needs;
    return needs;
  }

  private looked({ needs: { pages, catalogVersion }, isShown, behind }: Look, frame: Frame): boolean {
    let isSettled = isShown;
    // Its message shows whether it can be made of a frame of the new catalog.
    if (frame.header.catalogVersion !== catalogVersion) isSettled = true;
    else {
      if (pages.length > 0 && !frame.pages?.haveEach(pages)) isSettled = false;
      if (isSettled) this.countBehind(behind);
    }
    this.isBehindTooMuch = false;
    return isSettled;
  }

  private countPages(pages: number): void {
    this.pageValues = valuesOfPages(pages);
    this.events.countCarried(Math.max(this.pageValues, this.behind));
  }

  private countBehind(values: number): void {
    this.behind = values;
    this.events.countCarried(Math.max(this.pageValues, values));
  }
}

/** Counts what a list needs, range by range, and asks for nothing. */
class Counting {
  private readonly catalogVersion: number;
  private readonly moving: TrickReference[] = [];
  private isWhole = true;
  private readonly counted: PageCount;
  private readonly budget = new PointerBudget();

  constructor({ header, memory }: Frame) {
    this.catalogVersion = header.catalogVersion;
    this.counted = new PageCount(pagesOf(memory.bytes.length));
  }

  needs(): Needs {
    const { catalogVersion, moving, isWhole } = this;
    return { catalogVersion, pages: this.counted.numbers, moving, isWhole };
  }

  count(some: readonly TrickReference[], frame: Frame): this {
    const isCarried = !frame.pages || frame.showsAll(some.map(lookedAt), () => false, this.counted, this.budget);
    for (const reference of some) reference.variableIn(frame);
    const movingOnes = some.filter(({ isMoving }) => isMoving);
    if (!isCarried && movingOnes.length > 0) this.isWhole = false;
    for (const reference of movingOnes) this.moving.push(reference);
    return this;
  }
}

/** A look at the moving ones of a list, range by range. */
class Look {
  isShown: boolean;
  /** Values behind pointers. */
  behind = 0;
  private readonly budget = new PointerBudget();

  constructor(readonly needs: Needs) {
    this.isShown = needs.isWhole;
  }

  look(some: readonly TrickReference[], frame: Frame): this {
    if (some.length === 0) return this;
    if (frame.pages && !frame.showsAll(some, undefined, undefined, this.budget)) this.isShown = false;
    else this.behind += valuesBehind(some.filter(isPointing), frame);
    return this;
  }
}

/** Looks at the frame though the reference may have been looked at before, so that its pages are counted. */
const lookedAt = (reference: TrickReference): Pick<TrickReference, 'isShownIn'> => ({
  isShownIn: (frame) => reference.lookIn(frame),
});
