// What a reader needs of the state for as long as it reads: frames carry it until the lease ends.
import { PointerBudget } from '../state/reach.js';
import type { PageLeases } from './page-leases.js';
import type { Frame, Shown } from './reader.js';

const NO_PAGES = new Uint32Array(0);

const always = (): boolean => true;

/** A look at what is read together, range by range. */
export class Look {
  /** Whether the frames that were looked at carry all of it. */
  isShown = true;
  /** Whether what it needs may be elsewhere in the next frame, because it lies behind pointers. */
  isMoving = false;
  readonly pages = new Set<number>();
  private pageBytes = 0;
  private readonly budget = new PointerBudget();

  /** Throws a TooManyPointersError. */
  at(some: readonly Shown[], frame: Frame): this {
    if (!frame.carriesAll(some, this, this.budget)) this.isShown = false;
    this.pageBytes = frame.pages?.carried.pageBytes ?? 0;
    return this;
  }

  /** Of the pages. */
  get bytes(): number {
    return this.pages.size * this.pageBytes;
  }
}

/** For who reads the same again and again: as long as it lasts, frames of a large state carry what is read. */
export class Lease {
  private leases: PageLeases | undefined;
  private held = NO_PAGES;
  private cycle = 0;
  /** Of the catalog of which what is held need not be looked for again. */
  private catalogVersion = Number.NaN;
  private isOver = false;

  /**
   * Whether a frame carries all that is read; from now on frames do. Throws a TooManyPointersError.
   * @param all the same at each call, until `changed`.
   * @param mayHold called with how many bytes of pages they need; they are not held when it returns false or throws.
   */
  ask(all: readonly Shown[], frame: Frame, mayHold: (bytes: number) => boolean = always): boolean {
    return this.carries(frame) ?? this.take(new Look().at(all, frame), frame, mayHold);
  }

  /** As `ask`, of what need not be looked for in a frame; undefined if it must. */
  carries({ pages, header }: Frame): boolean | undefined {
    if (!pages || header.catalogVersion !== this.catalogVersion) return undefined;
    return pages.carried.hasEach(this.held);
  }

  /** Holds what a look has found to be needed. */
  take(look: Look, { pages, header }: Frame, mayHold: (bytes: number) => boolean = always): boolean {
    if (!pages || this.isOver || !mayHold(look.bytes)) return look.isShown;
    this.hold(pages.leases, look.pages);
    this.catalogVersion = look.isMoving ? Number.NaN : header.catalogVersion;
    return look.isShown;
  }

  /** Other things are read from now on. */
  changed(): void {
    this.catalogVersion = Number.NaN;
  }

  /** Of the pages that are held. */
  get bytes(): number {
    return this.held.length * (this.leases?.pageBytes ?? 0);
  }

  /** What is held is read once in so many seconds of simulation time; 0, as at first, for every frame. */
  set cycleSeconds(seconds: number) {
    if (seconds === this.cycle) return;
    this.changed();
    this.leases?.setCycle(this.cycle, seconds);
    this.cycle = seconds;
  }

  /** Holds nothing until it is asked again. */
  rest(): void {
    this.leases?.release(this.held, this.cycle);
    this.leases = undefined;
    this.held = NO_PAGES;
    this.changed();
  }

  /** Holds nothing any more, also when somebody asks who has not heard yet that its reader has gone. */
  end(): void {
    this.isOver = true;
    this.rest();
  }

  private hold(leases: PageLeases, needed: ReadonlySet<number>): void {
    const { held } = this;
    if (leases === this.leases && needed.size === held.length && held.every((page) => needed.has(page))) return;
    const pages = Uint32Array.from(needed);
    // Before the others are given back, so that no frame lacks what both have.
    leases.hold(pages, this.cycle);
    this.leases?.release(held, this.cycle);
    this.leases = leases;
    this.held = pages;
  }
}
