// The readers' end of the ring: reads whole frames in order, and counts those that were overwritten unread.
import { Memory } from '../state/memory.js';
import { holdsPointers } from '../state/pointers.js';
import { hasFixedPlace, isReachable, type Part, PointerBudget } from '../state/reach.js';
import type { Variable } from '../state/variable.js';
import { decodeHeader, decodeReason, type FrameHeader, Reason } from './header.js';
import { PageLeases } from './page-leases.js';
import { PageMap, pageBytesOf, pagesOf } from './page-map.js';
import { CONTROL_BYTES, ControlWord, type RingDescription, type Slot, slotsOf, wantedPages } from './ring.js';
import { untouchedMemory } from './untouched-memory.js';

/** The pages that a frame of a large state carries, and who holds pages of later frames. */
export class FramePages {
  readonly carried: PageMap;

  constructor(
    readonly leases: PageLeases,
    arenaBytes: number,
    pageBytes = pageBytesOf(arenaBytes),
  ) {
    this.carried = new PageMap(new Uint8Array(pagesOf(arenaBytes, pageBytes)), pageBytes);
  }
}

/** What is needed of a state to read something. */
export interface Needed {
  readonly pages: Set<number>;
  /** Whether it may be elsewhere in the next frame. */
  isMoving: boolean;
}

/** Something that is read from frames, such as a reference. */
export interface Shown {
  /** Whether a frame carries all of it. */
  isCarriedBy(frame: Frame): boolean;
}

const isHere = (): boolean => true;

/** A snapshot in the reader's own memory. Borrowed: the next read into it replaces it. */
export class Frame {
  header: FrameHeader;
  readonly memory: Memory;
  /** Of the variables that are looked at together. */
  private budget: PointerBudget | undefined;
  private needed: Needed | undefined;

  /** @param pages undefined for a frame that carries the whole state. */
  constructor(
    arenaBytes: number,
    header: FrameHeader,
    readonly pages?: FramePages,
  ) {
    this.memory = pages ? untouchedMemory(arenaBytes) : new Memory(new ArrayBuffer(arenaBytes));
    this.header = header;
  }

  /** Simulation time in seconds, computed from tics as Trick does. */
  get timeSeconds(): number {
    return this.header.timeTics / this.header.ticsPerSecond;
  }

  /**
   * A copy that stays as it is. It costs as much as reading a frame does.
   * @param spare a copy that nobody reads any more, of a frame like this one; its memory is used.
   */
  copy(spare?: Frame): Frame {
    const copy = spare ?? this.another();
    copy.header = this.header;
    if (copy.pages && this.pages) {
      copy.pages.carried.take(this.pages.carried);
      this.pages.carried.copy(this.memory.bytes, copy.memory.bytes);
    } else copy.memory.bytes.set(this.memory.bytes);
    return copy;
  }

  /** A frame of the same state that carries nothing yet. */
  another(): Frame {
    const arenaBytes = this.memory.bytes.length;
    const { pages } = this;
    const own = pages && new FramePages(pages.leases, arenaBytes, pages.carried.pageBytes);
    return new Frame(arenaBytes, this.header, own);
  }

  /** Whether a copy of another frame may become one of this. */
  isLike({ memory, pages }: Frame): boolean {
    return memory.bytes.length === this.memory.bytes.length && pages?.leases === this.pages?.leases;
  }

  /**
   * Whether the variable, found in this frame's catalog, can be read here. Frames of a large state carry only what
   * readers hold a lease of. Throws a TooManyPointersError when reading all of it would follow too many.
   * @param mostBytes so many are read of elements that lie side by side; undefined for all.
   */
  carries(variable: Variable, part: Part = 'all', mostBytes?: number): boolean {
    const { pages, needed } = this;
    if (!pages && (part !== 'all' || !holdsPointers(variable.type))) return true;
    if (needed) needed.isMoving ||= isMoving(variable);
    return isReachable(variable, part, this.memory, pages ? this.has : isHere, this.budget, mostBytes);
  }

  /**
   * As `carries` for what is read together. Throws a TooManyPointersError when reading them would follow too many.
   * @param needed gets the pages of a large state that they need.
   * @param budget the pointers that what is read together may still follow, range by range.
   */
  carriesAll(all: readonly Shown[], needed?: Needed, budget = new PointerBudget()): boolean {
    this.needed = needed;
    this.budget = budget;
    try {
      let isComplete = true;
      for (const one of all) isComplete = one.isCarriedBy(this) && isComplete;
      return isComplete;
    } finally {
      this.needed = undefined;
      this.budget = undefined;
    }
  }

  private readonly has = (offsetBytes: number, lengthBytes: number): boolean => {
    const { carried } = this.pages as FramePages;
    if (this.needed) carried.addPages(this.needed.pages, offsetBytes, lengthBytes);
    return carried.has(offsetBytes, lengthBytes);
  };
}

/** Whether what is read of a variable may lie elsewhere, or be longer, in the next frame. */
const isMoving = ({ hops, type }: Variable): boolean => hops.length > 0 || !hasFixedPlace(type);

/** A frame that is copied in pieces: its number, and the page to go on with. */
interface Copying {
  readonly number: number;
  page: number;
}

/** Pages that are copied between two looks at the clock: in memory that is touched for the first time, in half a millisecond or one. */
const PAGES_AT_ONCE = 64;

const never = (): boolean => false;

/** Copies piece after piece; false when it has given way before the end. */
function copiesAll(
  copying: Copying,
  from: Uint8Array,
  to: Uint8Array,
  carried: PageMap,
  isOver: () => boolean,
): boolean {
  for (;;) {
    const next = carried.copySome(from, to, copying.page, PAGES_AT_ONCE);
    if (next === undefined) return true;
    copying.page = next;
    if (isOver()) return false;
  }
}

export class FrameReader {
  private readonly slots: Slot[];
  private readonly control: Int32Array;
  private readonly hasPages: boolean;
  private seen: number;
  private lappedCount = 0;
  /** The frame of which some pages have been copied. */
  private begun: Copying | undefined;

  /**
   * @param lastSeen reading starts with the frame after this number.
   * @param leases of the state, whatever ring its frames come in.
   */
  constructor(
    private readonly ring: RingDescription,
    lastSeen = 0,
    private readonly leases = new PageLeases(),
  ) {
    this.slots = slotsOf(ring);
    this.control = new Int32Array(ring.buffer, 0, CONTROL_BYTES / 4);
    const wanted = wantedPages(ring);
    leases.serve(wanted);
    this.hasPages = wanted !== undefined;
    this.seen = lastSeen;
  }

  /** How many frames were overwritten before this reader could read them. */
  get lapped(): number {
    return this.lappedCount;
  }

  /** Makes a frame to read into. */
  createFrame(header: FrameHeader): Frame {
    const { arenaBytes, pageBytes } = this.ring;
    const pages = this.hasPages ? new FramePages(this.leases, arenaBytes, pageBytes) : undefined;
    return new Frame(arenaBytes, header, pages);
  }

  /** Whether a frame is like those of `createFrame`. */
  canReadInto({ memory, pages }: Frame): boolean {
    return memory.bytes.length === this.ring.arenaBytes && (pages !== undefined) === this.hasPages;
  }

  /** Allows the writer to wake this thread again; call it before reading. */
  acknowledge(): void {
    Atomics.store(this.control, ControlWord.poked, 0);
  }

  /** How many frames have not been read. */
  get waiting(): number {
    // The latest number is kept in 32 bits; the distance is exact as long as fewer than 2^31 frames wait.
    return Math.max(0, (Atomics.load(this.control, ControlWord.latest) - (this.seen | 0)) | 0);
  }

  /** Whether so many frames wait that they may soon be overwritten. */
  get isHalfFull(): boolean {
    return 2 * this.waiting > this.slots.length;
  }

  /** Continues with the latest frame that is not a scheduled one; returns how many frames before it are skipped. */
  skipToLatest(): number {
    const before = this.seen;
    let number = before + this.waiting;
    while (number > before + 1 && this.isScheduled(number)) number--;
    this.seen = Math.max(before, number - 1);
    return this.seen - before;
  }

  /**
   * Reads the next frame in order, and skips overwritten ones; false when there is none yet.
   * @param isOver whether it is time to give way: then the next call goes on with the frame, into the same memory.
   */
  next(into: Frame, isOver: () => boolean = never): boolean | 'begun' {
    for (;;) {
      const { waiting } = this;
      if (waiting === 0) return false;
      const room = this.slots.length - 1;
      if (waiting > room) this.skip(waiting - room);
      const number = this.seen + 1;
      if (this.begun?.number !== number) this.begun = { number, page: 0 };
      const isWhole = this.readSome(this.begun, into, isOver);
      if (isWhole === undefined) return 'begun';
      this.seen++;
      if (isWhole) return true;
      this.lappedCount++;
    }
  }

  /** Reads one frame by number; false when the ring does not hold it whole. */
  read(number: number, into: Frame): boolean {
    return this.readSome({ number, page: 0 }, into, never) === true;
  }

  /** As `read`, and undefined when it has given way. */
  private readSome(copying: Copying, into: Frame, isOver: () => boolean): boolean | undefined {
    const { number } = copying;
    const slot = number > 0 ? this.slots[number % this.slots.length] : undefined;
    if (!slot) return false;
    const sequence = (2 * number) | 0;
    if (Atomics.load(slot.sequence, 0) !== sequence) return false;
    const header = decodeHeader(slot.header);
    if (slot.carried && into.pages) {
      if (copying.page === 0) into.pages.carried.take(slot.carried);
      if (!copiesAll(copying, slot.arena, into.memory.bytes, into.pages.carried, isOver)) return undefined;
    } else into.memory.bytes.set(slot.arena);
    // A read-modify-write keeps the reads above from moving below it on weakly ordered processors.
    if (Atomics.compareExchange(slot.sequence, 0, sequence, sequence) !== sequence) return false;
    // The sequence identifies numbers only modulo 2^31.
    if (header.number !== number) return false;
    into.header = header;
    return true;
  }

  /** Number of the oldest frame in the ring; it may be overwritten a moment later. */
  get oldest(): number {
    return Math.max(1, this.seen - this.slots.length + 2);
  }

  /** May be wrong for a slot that is being written; `next` works from there all the same. */
  private isScheduled(number: number): boolean {
    const slot = this.slots[number % this.slots.length] as Slot;
    return decodeReason(slot.header) === Reason.scheduled;
  }

  private skip(count: number): void {
    this.seen += count;
    this.lappedCount += count;
  }
}
