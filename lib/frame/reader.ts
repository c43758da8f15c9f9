// The readers' end of the ring: whole frames in order, with those that were overwritten before they were read counted.
import { Memory } from '../model/memory.js';
import { isReachable, type Part } from '../model/reach.js';
import type { Variable } from '../model/variable.js';
import { decodeHeader, decodeReason, type FrameHeader, Reason } from './header.js';
import { PageMap, pagesOf } from './page-map.js';
import { CONTROL_BYTES, Control, type RingDescription, type Slot, slotsOf, wantedPages } from './ring.js';

/** The pages of a frame of a large state, and where to ask for those that the next one should carry. */
export class FramePages {
  readonly carried: PageMap;

  constructor(
    readonly wanted: PageMap,
    arenaBytes: number,
  ) {
    this.carried = new PageMap(new Uint8Array(pagesOf(arenaBytes)));
  }

  /** Whether a range is carried; it is asked for in any case. */
  readonly have = (offsetBytes: number, lengthBytes: number): boolean => {
    this.wanted.ask(offsetBytes, lengthBytes);
    return this.carried.has(offsetBytes, lengthBytes);
  };
}

/** What is read from frames. */
export interface Shown {
  /** Whether a frame carries all of it; what it does not, those published from now on will. */
  isShownIn(frame: Frame): boolean;
}

/** A snapshot in the reader's own memory. Borrowed: the next read into it replaces it. */
export class Frame {
  header: FrameHeader;
  readonly memory: Memory;

  /** @param pages none for a frame that carries the whole state. */
  constructor(
    arenaBytes: number,
    header: FrameHeader,
    readonly pages?: FramePages,
  ) {
    this.memory = new Memory(new ArrayBuffer(arenaBytes));
    this.header = header;
  }

  /** Simulation time in seconds, as Trick computes it from tics. */
  get timeSeconds(): number {
    return this.header.timeTics / this.header.ticsPerSecond;
  }

  /**
   * Whether the variable, found in this frame's catalog, can be read here. Frames of a large state carry only what has
   * been asked for, and this is how to ask: those published from now on carry it, for 10 s and more.
   */
  shows(variable: Variable, part: Part = 'all'): boolean {
    return !this.pages || isReachable(variable, part, this.memory, this.pages.have);
  }

  /** The same of many; each is asked for. */
  showsAll(all: readonly Shown[]): boolean {
    let isComplete = true;
    if (this.pages) for (const one of all) isComplete = one.isShownIn(this) && isComplete;
    return isComplete;
  }
}

export class FrameReader {
  private readonly slots: Slot[];
  private readonly control: Int32Array;
  private readonly wanted: PageMap | undefined;
  private seen: number;
  private lappedCount = 0;

  /** @param lastSeen number of the last frame not wanted; frames after it are read. */
  constructor(
    private readonly ring: RingDescription,
    lastSeen = 0,
  ) {
    this.slots = slotsOf(ring);
    this.control = new Int32Array(ring.buffer, 0, CONTROL_BYTES / 4);
    this.wanted = wantedPages(ring);
    this.seen = lastSeen;
  }

  /** Frames that were overwritten before this reader came to them. */
  get lapped(): number {
    return this.lappedCount;
  }

  /** A frame to read into. */
  createFrame(header: FrameHeader): Frame {
    const { wanted } = this;
    const { arenaBytes } = this.ring;
    return new Frame(arenaBytes, header, wanted && new FramePages(wanted, arenaBytes));
  }

  /** Whether a frame was made by `createFrame` of a reader of the same ring. */
  canReadInto({ memory, pages }: Frame): boolean {
    return memory.bytes.length === this.ring.arenaBytes && pages?.wanted === this.wanted;
  }

  /** Says that the poke has been heard; call it before reading. */
  acknowledge(): void {
    Atomics.store(this.control, Control.poked, 0);
  }

  /** Frames that have not been read. */
  get waiting(): number {
    // The latest number is kept in 32 bits; the distance is exact as long as fewer than 2^31 frames wait.
    return Math.max(0, (Atomics.load(this.control, Control.latest) - (this.seen | 0)) | 0);
  }

  /** Whether so many frames wait that they may soon be overwritten. */
  get isHalfFull(): boolean {
    return 2 * this.waiting > this.slots.length;
  }

  /** Goes on with the latest frame that is not a scheduled one; returns how many before it are passed over. */
  skipToLatest(): number {
    const before = this.seen;
    let number = before + this.waiting;
    while (number > before + 1 && this.isScheduled(number)) number--;
    this.seen = Math.max(before, number - 1);
    return this.seen - before;
  }

  /** Reads the next frame in order, skipping overwritten ones; false when there is none yet. */
  next(into: Frame): boolean {
    for (;;) {
      const { waiting } = this;
      if (waiting === 0) return false;
      const room = this.slots.length - 1;
      if (waiting > room) this.skip(waiting - room);
      this.seen++;
      if (this.read(this.seen, into)) return true;
      this.lappedCount++;
    }
  }

  /** Reads one frame by number; false when it is not, or no longer, whole in the ring. */
  read(number: number, into: Frame): boolean {
    const slot = number > 0 ? this.slots[number % this.slots.length] : undefined;
    if (!slot) return false;
    const sequence = (2 * number) | 0;
    if (Atomics.load(slot.sequence, 0) !== sequence) return false;
    const header = decodeHeader(slot.header);
    if (slot.carried && into.pages) {
      into.pages.carried.take(slot.carried);
      into.pages.carried.copy(slot.arena, into.memory.bytes);
    } else into.memory.bytes.set(slot.arena);
    // A read-modify-write keeps the reads above from moving below it on weakly ordered processors.
    if (Atomics.compareExchange(slot.sequence, 0, sequence, sequence) !== sequence) return false;
    // The sequence tells numbers apart modulo 2^31 only.
    if (header.number !== number) return false;
    into.header = header;
    return true;
  }

  /** Number of the oldest frame that can still be read, roughly: it may be gone a moment later. */
  get oldest(): number {
    return Math.max(1, this.seen - this.slots.length + 2);
  }

  /** What a slot says that is being written may be wrong; `next` goes on from there all the same. */
  private isScheduled(number: number): boolean {
    const slot = this.slots[number % this.slots.length] as Slot;
    return decodeReason(slot.header) === Reason.scheduled;
  }

  private skip(count: number): void {
    this.seen += count;
    this.lappedCount += count;
  }
}
