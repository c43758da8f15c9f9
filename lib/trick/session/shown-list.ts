// Whether frames show a list, and whether what its pointers lead to is too much for any frame to show it.
import type { Frame } from '../../frame/reader.js';
import { TooManyPointersError } from '../../model/reach.js';
import { OverBoundError } from '../../scheduling/account.js';
import { valuesOfPages } from '../../session/value-count.js';
import type { TrickReference } from '../wire/reference.js';
import { isPointing, valuesBehind } from './list-size.js';

/** How long a list that asks for too much is not looked for again, because looking for it makes frames carry it. */
const RETRY_MILLIS = 1000;

interface ShownListEvents {
  /** Hears the sentence once, until the list can be shown again. */
  readonly refused: (sentence: string) => void;
  /** Counts what a frame carries that shows the list: values behind pointers, or whole pages. Throws an OverBoundError. */
  readonly countCarried: (values: number) => void;
}

export class ShownList {
  private isBehindTooMuch = false;
  /** When the client could not have what the list asks for. */
  private refusedMillis = Number.NaN;
  /** Those of the list that hold pointers in a catalog; found again when the list or the catalog has changed. */
  private pointing: readonly TrickReference[] = [];
  private version = -1;
  /** The catalog in which the pages of the list have been counted. */
  private countedVersion = -1;
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
    this.version = -1;
    this.countedVersion = -1;
    this.behind = 0;
    this.refusedMillis = Number.NaN;
  }

  /** Whether there is nothing to wait for: a frame shows the list, or none ever does. Otherwise asks for its values. */
  isSettledIn(frame: Frame): boolean {
    const { wallMillis } = frame.header;
    // The operator may set the clock back.
    if (Math.abs(wallMillis - this.refusedMillis) < RETRY_MILLIS) return true;
    try {
      const isShown = !frame.pages || this.isShownIn(frame);
      this.findPointing(frame);
      if (isShown) this.countBehind(valuesBehind(this.pointing, frame));
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

  /** Pages are counted once for a list and a catalog, because later looks find most references looked at. */
  private isShownIn(frame: Frame): boolean {
    const { catalogVersion } = frame.header;
    if (this.countedVersion === catalogVersion) return frame.showsAll(this.list);
    const looks = this.list.map((reference) => ({ isShownIn: (shown: Frame) => reference.lookIn(shown) }));
    const isShown = frame.showsAll(looks, (pages) => this.countPages(pages));
    if (isShown) this.countedVersion = catalogVersion;
    return isShown;
  }

  /** Counts before the pages are asked for, so that nothing is asked for when they are too many. */
  private countPages(pages: number): true {
    this.pageValues = valuesOfPages(pages);
    this.events.countCarried(Math.max(this.pageValues, this.behind));
    return true;
  }

  private countBehind(values: number): void {
    this.behind = values;
    this.events.countCarried(Math.max(this.pageValues, values));
  }

  private findPointing(frame: Frame): void {
    const { catalogVersion } = frame.header;
    if (this.version === catalogVersion) return;
    this.version = catalogVersion;
    this.pointing = this.list.filter((reference) => reference.variableIn(frame) && isPointing(reference));
  }
}
