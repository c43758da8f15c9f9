// Copies of frames, and of parts of them, for messages that take many turns: made in the memory of earlier copies, because
// large memory is costly to get and to free.
import type { Frame } from '../frame/reader.js';
import { untouchedMemory } from '../frame/untouched-memory.js';
import { Memory } from '../model/memory.js';
import type { Clock } from '../scheduling/clock.js';
import type { Slice, Sliced } from '../scheduling/turns.js';

/** Memory of earlier copies that is kept for later ones, and for how long. */
export const MOST_SPARE_BYTES = 32 * 1024 * 1024;
const SPARE_MILLIS = 5000;
/** Less is cheap to get, and few pieces are quick to look through. */
const LEAST_SPARE_BYTES = 64 * 1024;

/** What the system gives at once. */
const SYSTEM_PAGE_BYTES = 4096;

interface Spare {
  readonly copy: Frame | Memory;
  readonly sinceMillis: number;
}

const memoryOf = (spare: Frame | Memory): Memory => (spare instanceof Memory ? spare : spare.memory);

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
    const { latest } = this;
    const isThere = latest?.header.number === frame.header.number && frame.isLike(latest);
    const copy = isThere ? latest : this.copied(frame);
    this.latest = copy;
    this.readers.set(copy, 1 + (this.readers.get(copy) ?? 0));
    return copy;
  }

  private copied(frame: Frame): Frame {
    const spare = this.pop((one): one is Frame => !(one instanceof Memory) && frame.isLike(one));
    return frame.copy(spare);
  }

  /** Memory of that size for a copy of parts of a frame. It has any bytes until the copy is made. */
  takeMemory(bytes: number): Memory {
    const spare = this.pop((one): one is Memory => one instanceof Memory && one.bytes.length === bytes);
    return spare ?? (bytes < LEAST_SPARE_BYTES ? new Memory(new ArrayBuffer(bytes)) : untouchedMemory(bytes));
  }

  /** As `takeMemory`. New memory is touched in slices, so that a copy into it takes no longer than into used one. */
  *takeTouched(bytes: number, slice: Slice): Sliced<Memory> {
    const before = this.spareBytes;
    const memory = this.takeMemory(bytes);
    const isUsed = this.spareBytes < before;
    for (let at = 0; !isUsed && at < bytes; at += SYSTEM_PAGE_BYTES) {
      memory.bytes[at] = 0;
      if (slice.isOver()) yield;
    }
    return memory;
  }

  /** Lets later copies use the memory of one that nobody reads any more. */
  giveBack(copy: Frame | Memory): void {
    if (!(copy instanceof Memory) && this.isStillRead(copy)) return;
    const bytes = memoryOf(copy).bytes.length;
    if (bytes < LEAST_SPARE_BYTES || bytes > MOST_SPARE_BYTES || this.isClosed) return;
    while (this.spareBytes + bytes > MOST_SPARE_BYTES) this.pop(() => true);
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
