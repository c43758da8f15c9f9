// Copies of frames, and of parts of them, for messages that take many turns: made in the memory of earlier copies, because
// large memory is costly to get and to free.
import type { Frame } from '../../model/frame/reader.js';
import { untouchedMemory } from '../../model/frame/untouched-memory.js';
import { Memory } from '../../model/state/memory.js';
import type { Clock } from '../scheduling/clock.js';

/** Memory of earlier copies that is kept for later ones, and for how long. */
export const MOST_SPARE_BYTES = 32 * 1024 * 1024;
const SPARE_MILLIS = 5000;
/** Less is cheap to get, and few pieces are quick to look through. */
const LEAST_SPARE_BYTES = 64 * 1024;

/** What the system gives at once. */
const SYSTEM_PAGE_BYTES = 4096;

/** Copies that carry less take a millisecond or two, whatever memory they get. */
const LEAST_TOUCHED_BYTES = 512 * 1024;

/** A copy counts as so many bytes at most, so that one client may read a state of any size. */
const MOST_COUNTED_BYTES = 8 * 1024 * 1024;

/** Bytes that a copy of a frame counts as for its client. */
export const countedBytesOf = ({ memory }: Frame): number => Math.min(memory.bytes.length, MOST_COUNTED_BYTES);

interface Spare {
  readonly copy: Frame | Memory;
  readonly sinceMillis: number;
}

const memoryOf = (spare: Frame | Memory): Memory => (spare instanceof Memory ? spare : spare.memory);

const isFrame = (spare: Frame | Memory): spare is Frame => !(spare instanceof Memory);

/** How many pages are touched between two pauses. */
const TOUCHED_AT_ONCE = 64;

/** Touches memory, of which the system gives a page at a time; yields after every few. */
function* touched({ bytes }: Memory, start: number, end: number): Generator<void, void> {
  let count = 0;
  for (let at = start; at < end; at += SYSTEM_PAGE_BYTES) {
    bytes[at] = 0;
    if (++count % TOUCHED_AT_ONCE === 0) yield;
  }
}

export class FrameCopies {
  /** The oldest first. */
  private spare: Spare[] = [];
  private spareBytes = 0;
  private cancel: (() => void) | undefined;
  private isClosed = false;
  /** By how many a copy is read. A reader that never gives it back keeps nothing. */
  private readonly readers = new WeakMap<Frame, number>();
  private latest: Frame | undefined;

  constructor(private readonly clock: Clock) {}

  /** A copy that stays as it is until it is given back; who asks for the same frame meanwhile gets the same copy. */
  take(frame: Frame): Frame {
    const copy = this.latestOf(frame) ?? this.copied(frame);
    this.latest = copy;
    this.readers.set(copy, 1 + (this.readers.get(copy) ?? 0));
    return copy;
  }

  /** The copy of the same frame, if it is the latest and is still read. */
  private latestOf(frame: Frame): Frame | undefined {
    const { latest } = this;
    return latest?.header.number === frame.header.number && frame.isLike(latest) ? latest : undefined;
  }

  /** Whether a copy of the frame is cheap: it is there, or the frame carries little, or it goes into memory that has been used. */
  isCheap(frame: Frame): boolean {
    if (this.latestOf(frame)) return true;
    const carries = frame.pages?.carried.bytesOf(frame.memory.bytes.length) ?? 0;
    return carries < LEAST_TOUCHED_BYTES || this.spare.some(({ copy }) => isFrame(copy) && frame.isLike(copy));
  }

  /** Makes memory for a copy of such a frame in turns, after which one is cheap. */
  async prepareInTurns(frame: Frame, turn: () => Promise<void>): Promise<void> {
    const copy = frame.another();
    if (frame.pages) copy.pages?.carried.take(frame.pages.carried);
    for (const [start, end] of copy.pages?.carried.ranges(copy.memory.bytes.length) ?? [])
      for (const _ of touched(copy.memory, start, end)) await turn();
    this.keep(copy);
  }

  private copied(frame: Frame): Frame {
    const spare = this.pop((one): one is Frame => isFrame(one) && frame.isLike(one));
    return frame.copy(spare);
  }

  /** Memory of that size for a copy of parts of a frame. It has any bytes until the copy is made. */
  takeMemory(bytes: number): Memory {
    const spare = this.pop((one): one is Memory => one instanceof Memory && one.bytes.length === bytes);
    return spare ?? (bytes < LEAST_SPARE_BYTES ? new Memory(new ArrayBuffer(bytes)) : untouchedMemory(bytes));
  }

  /** As `takeMemory`. New memory is touched in turns, so that a copy into it takes no longer than into used one. */
  async takeTouched(bytes: number, turn: () => Promise<void>): Promise<Memory> {
    const before = this.spareBytes;
    const memory = this.takeMemory(bytes);
    const isUsed = this.spareBytes < before;
    if (!isUsed) for (const _ of touched(memory, 0, bytes)) await turn();
    return memory;
  }

  /** Lets later copies use the memory of one that nobody reads any more. */
  giveBack(copy: Frame | Memory): void {
    if (!isFrame(copy) || !this.isStillRead(copy)) this.keep(copy);
  }

  private keep(copy: Frame | Memory): void {
    const bytes = memoryOf(copy).bytes.length;
    if (bytes < LEAST_SPARE_BYTES || this.isClosed) return;
    // The copy of a large state has touched what it carried, and not all of its memory: one of any size is kept.
    if (copy instanceof Memory && bytes > MOST_SPARE_BYTES) return;
    while (this.spare.length > 0 && this.spareBytes + bytes > MOST_SPARE_BYTES) this.pop(() => true);
    this.spare.push({ copy, sinceMillis: this.clock.nowMillis() });
    this.spareBytes += bytes;
    this.cancel ??= this.clock.after(SPARE_MILLIS, () => this.forgetOld());
  }

  private isStillRead(copy: Frame): boolean {
    const others = (this.readers.get(copy) ?? 1) - 1;
    this.readers.set(copy, others);
    if (others === 0 && this.latest === copy) this.latest = undefined;
    return others > 0;
  }

  /** Keeps nothing from now on. */
  close(): void {
    this.isClosed = true;
    this.latest = undefined;
    this.cancel?.();
    this.forget(() => true);
  }

  /** Forgets what nobody has used for a while. */
  private forgetOld(): void {
    const nowMillis = this.clock.nowMillis();
    this.forget(({ sinceMillis }) => nowMillis - sinceMillis >= SPARE_MILLIS);
    const [oldest] = this.spare;
    this.cancel = oldest && this.clock.after(oldest.sinceMillis + SPARE_MILLIS - nowMillis, () => this.forgetOld());
  }

  private forget(isOld: (spare: Spare) => boolean): void {
    this.spare = this.spare.filter((spare) => !isOld(spare));
    this.spareBytes = this.spare.reduce((sum, { copy }) => sum + memoryOf(copy).bytes.length, 0);
  }

  private pop<T extends Frame | Memory>(fits: (one: Frame | Memory) => one is T): T | undefined;
  private pop(fits: (one: Frame | Memory) => boolean): Frame | Memory | undefined;
  private pop(fits: (one: Frame | Memory) => boolean): Frame | Memory | undefined {
    const index = this.spare.findIndex(({ copy }) => fits(copy));
    if (index < 0) return undefined;
    const [one] = this.spare.splice(index, 1);
    if (one) this.spareBytes -= memoryOf(one.copy).bytes.length;
    return one?.copy;
  }
}
