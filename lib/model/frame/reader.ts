// The readers' end of the ring: reads whole frames in order, and counts those that were overwritten unread.
import { Memory } from '../state/memory.js';
import { holdsPointers } from '../state/pointers.js';
import { isReachable, type Part, PointerBudget } from '../state/reach.js';
import type { Variable } from '../state/variable.js';
import { decodeHeader, decodeReason, type FrameHeader, Reason } from './header.js';
import { PageCount, PageMap, pagesOf } from './page-map.js';
import { CONTROL_BYTES, ControlWord, type RingDescription, type Slot, slotsOf, wantedPages } from './ring.js';
import { untouchedMemory } from './untouched-memory.js';

/** The pages that a frame of a large state carries, and the map in which to ask for pages of later frames. */
export class FramePages {
  readonly carried: PageMap;
  /** Offset and length of each range that is needed, in bytes. */
  private readonly needed: number[] = [];
  private readonly neededOnce: PageCount;
  /** What counts the needed pages now. */
  private counting: PageCount;

  constructor(
    readonly wanted: PageMap,
    arenaBytes: number,
  ) {
    this.carried = new PageMap(new Uint8Array(pagesOf(arenaBytes)));
    this.neededOnce = new PageCount(pagesOf(arenaBytes));
    this.counting = this.neededOnce;
  }

  /** How many pages the values need that were looked for last, and those that were counted with them. */
  get neededPages(): number {
    return this.counting.count;
  }

  /** Begins to look for values that are read together, also with those that have been counted before. */
  begin(counted?: PageCount): void {
    this.forgetNeeded();
    if (!counted) this.neededOnce.begin();
    this.counting = counted ?? this.neededOnce;
  }

  /** Whether the frame carries a range. In any case the range is needed: `askForNeeded` asks for it. */
  readonly have = (offsetBytes: number, lengthBytes: number): boolean => {
    if (!this.wanted.isAsked(offsetBytes, lengthBytes)) this.needed.push(offsetBytes, lengthBytes);
    this.counting.add(offsetBytes, lengthBytes);
    return this.carried.has(offsetBytes, lengthBytes);
  };

  askForNeeded(): void {
    const { needed } = this;
    for (let at = 0; at < needed.length; at += 2) this.wanted.ask(needed[at] as number, needed[at + 1] as number);
    this.forgetNeeded();
  }

  /** Whether the frame carries all of these pages, which are asked for in any case. */
  haveEach(pages: Uint32Array): boolean {
    this.wanted.askEach(pages);
    return this.carried.hasEach(pages);
  }

  /** Drops the ranges without asking for them. */
  private forgetNeeded(): void {
    this.needed.length = 0;
  }
}

/** Something that is read from frames, such as a reference. */
export interface Shown {
  /** Whether a frame carries all of it. If not, frames published from now on will. */
  isShownIn(frame: Frame): boolean;
}

const isHere = (): boolean => true;

/** Whether so many pages may be asked for. */
export type MayAsk = (pages: number) => boolean;

const always: MayAsk = () => true;

/** A snapshot in the reader's own memory. Borrowed: the next read into it replaces it. */
export class Frame {
  header: FrameHeader;
  readonly memory: Memory;
  /** Of the variables that are looked at together. */
  private budget: PointerBudget | undefined;
  private refused = 0;

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
    return new Frame(arenaBytes, this.header, this.pages && new FramePages(this.pages.wanted, arenaBytes));
  }

  /** Whether a copy of another frame may become one of this. */
  isLike({ memory, pages }: Frame): boolean {
    return memory.bytes.length === this.memory.bytes.length && pages?.wanted === this.pages?.wanted;
  }

  /**
   * Whether the variable, found in this frame's catalog, can be read here. Frames of a large state carry only what
   * readers ask for, and this call asks: frames published from now on carry it for a while. Throws a
   * TooManyPointersError when reading all of it would follow too many.
   * @param mostBytes so many are read of elements that lie side by side; undefined for all.
   */
  shows(variable: Variable, part: Part = 'all', mostBytes?: number): boolean {
    if (!this.pages && (part !== 'all' || !holdsPointers(variable.type))) return true;
    const reach = (): boolean =>
      isReachable(variable, part, this.memory, this.pages?.have ?? isHere, this.budget, mostBytes);
    return this.budget ? reach() : this.asking(reach);
  }

  /**
   * As `shows` for what is read together; all of them are asked for. Throws a TooManyPointersError when reading them would
   * follow too many; then none of them is asked for.
   * @param mayAsk called with how many pages of a large state they need; nothing is asked for when it returns false or throws.
   * @param counted counts the pages of what is read together piece by piece.
   * @param budget the pointers that what is read together may still follow, piece by piece.
   */
  showsAll(all: readonly Shown[], mayAsk: MayAsk = always, counted?: PageCount, budget = new PointerBudget()): boolean {
    this.budget = budget;
    try {
      return this.asking(
        () => {
          let isComplete = true;
          for (const one of all) isComplete = one.isShownIn(this) && isComplete;
          return isComplete;
        },
        mayAsk,
        counted,
      );
    } finally {
      this.budget = undefined;
    }
  }

  /** How often what was needed has not been asked for. */
  get refusals(): number {
    return this.refused;
  }

  /** Asks for what has been needed when it is known not to be too much. */
  private asking(isShown: () => boolean, mayAsk = always, counted?: PageCount): boolean {
    const { pages } = this;
    pages?.begin(counted);
    try {
      const answer = isShown();
      if (pages && mayAsk(pages.neededPages)) pages.askForNeeded();
      else if (pages) this.refused++;
      return answer;
    } catch (error) {
      this.refused++;
      throw error;
    }
  }
}

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
  private readonly wanted: PageMap | undefined;
  private seen: number;
  private lappedCount = 0;
  /** The frame of which some pages have been copied. */
  private begun: Copying | undefined;

  /** @param lastSeen reading starts with the frame after this number. */
  constructor(
    private readonly ring: RingDescription,
    lastSeen = 0,
  ) {
    this.slots = slotsOf(ring);
    this.control = new Int32Array(ring.buffer, 0, CONTROL_BYTES / 4);
    this.wanted = wantedPages(ring);
    this.seen = lastSeen;
  }

  /** How many frames were overwritten before this reader could read them. */
  get lapped(): number {
    return this.lappedCount;
  }

  /** Makes a frame to read into. */
  createFrame(header: FrameHeader): Frame {
    const { wanted } = this;
    const { arenaBytes } = this.ring;
    return new Frame(arenaBytes, header, wanted && new FramePages(wanted, arenaBytes));
  }

  /** Whether a frame was made by `createFrame` of a reader of the same ring. */
  canReadInto({ memory, pages }: Frame): boolean {
    return memory.bytes.length === this.ring.arenaBytes && pages?.wanted === this.wanted;
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
