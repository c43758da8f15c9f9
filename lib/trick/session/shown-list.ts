// Whether frames show a list, and whether what its pointers lead to is too much for any frame to show it.
import { PageCount, pagesOf } from '../../frame/page-map.js';
import type { Frame } from '../../frame/reader.js';
import { PointerBudget, TooManyPointersError } from '../../model/reach.js';
import { OverBoundError } from '../../scheduling/account.js';
import { valuesOfPages } from '../../session/value-count.js';
import type { TrickReference } from '../wire/reference.js';
import { isPointing, valuesBehind } from './list-size.js';
import { eachPiece } from './pieces.js';

/** How long a list that asks for too much is not looked for again, because looking for it makes frames carry it. */
const RETRY_MILLIS = 1000;

interface ShownListEvents {
  /** Hears the sentence once, until the list can be shown again. */
  readonly refused: (sentence: string) => void;
  /** Counts what a frame carries that shows the list: values behind pointers, or whole pages. Throws an OverBoundError. */
  readonly countCarried: (values: number) => void;
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

  /** How many references a look at a frame looks at. */
  lengthOfLook(frame: Frame): number {
    return (this.needsIn(frame)?.moving ?? this.list).length;
  }

  /** Whether there is nothing to wait for: a frame shows the list, or none ever does. Otherwise asks for its values. */
  isSettledIn(frame: Frame): boolean {
    if (this.isPlainIn(frame)) return true;
    const looking = this.settling(() => frame);
    for (;;) {
      const step = looking.next();
      if (step.done) return step.value;
    }
  }

  /** Whether it is a list without pointers in a state that frames carry whole, and was settled before. */
  isPlainIn(frame: Frame): boolean {
    if (frame.pages || this.isBehindTooMuch || !Number.isNaN(this.refusedMillis)) return false;
    return this.needsIn(frame)?.moving.length === 0;
  }

  /** As `isSettledIn`, of the frame that is the latest at each piece; yields after each. */
  *settling(latest: () => Frame): Generator<void, boolean> {
    const { wallMillis } = latest().header;
    // The operator may set the clock back.
    if (Math.abs(wallMillis - this.refusedMillis) < RETRY_MILLIS) return true;
    try {
      const isShown = yield* this.looking(latest);
      this.isBehindTooMuch = false;
      return isShown;
    } catch (error) {
      const isOverBound = error instanceof OverBoundError;
      if (!isOverBound && !(error instanceof TooManyPointersError)) throw error;
      if (!this.isBehindTooMuch) this.events.refused(`${error.message}; the list is not sent`);
      this.isBehindTooMuch = true;
      if (isOverBound) this.refusedMillis = wallMillis;
      return true;
    }
  }

  /** Asks again for the pages that the list is known to need. */
  askAgain(frame: Frame): void {
    const pages = this.needsIn(frame)?.pages;
    if (pages) frame.pages?.haveEach(pages);
  }

  private *looking(latest: () => Frame): Generator<void, boolean> {
    const { catalogVersion, moving, pages, isWhole } = this.needsIn(latest()) ?? (yield* this.counting(latest));
    const budget = new PointerBudget();
    let isShown = isWhole;
    let behind = 0;
    yield* eachPiece(moving, (some) => {
      const frame = latest();
      if (frame.pages && !frame.showsAll(some, undefined, undefined, budget)) isShown = false;
      else behind += valuesBehind(some.filter(isPointing), frame);
    });
    const frame = latest();
    // Its message shows whether it can be made of a frame of the new catalog.
    if (frame.header.catalogVersion !== catalogVersion) return true;
    if (pages.length > 0 && !frame.pages?.haveEach(pages)) isShown = false;
    if (isShown) this.countBehind(behind);
    return isShown;
  }

  private needsIn({ header: { catalogVersion } }: Frame): Needs | undefined {
    return this.needs?.isWhole && this.needs.catalogVersion === catalogVersion ? this.needs : undefined;
  }

  /** Counts the pages before they are asked for, so that nothing is asked for when they are too many. */
  private *counting(latest: () => Frame): Generator<void, Needs> {
    const { changes } = this;
    const { header, memory } = latest();
    const counted = new PageCount(pagesOf(memory.bytes.length));
    const budget = new PointerBudget();
    const moving: TrickReference[] = [];
    let isWhole = true;
    yield* eachPiece([...this.list], (some) => {
      const frame = latest();
      const isCarried = !frame.pages || frame.showsAll(some.map(lookedAt), () => false, counted, budget);
      for (const reference of some) reference.variableIn(frame);
      const movingOnes = some.filter(({ isMoving }) => isMoving);
      if (!isCarried && movingOnes.length > 0) isWhole = false;
      moving.push(...movingOnes);
    });
    this.countPages(counted.count);
    const needs = { catalogVersion: header.catalogVersion, pages: counted.numbers, moving, isWhole };
    if (changes === this.changes) this.needs = needs;
    return needs;
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

/** Looks at the frame though the reference may have been looked at before, so that its pages are counted. */
const lookedAt = (reference: TrickReference): Pick<TrickReference, 'isShownIn'> => ({
  isShownIn: (frame) => reference.lookIn(frame),
});
