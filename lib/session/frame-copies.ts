// Copies of frames, and of parts of them, for messages that take many turns: made in the memory of earlier copies, because
// large memory is costly to get and to free.
import type { Frame } from '../frame/reader.js';
import { Memory } from '../model/memory.js';
import type { Clock } from '../scheduling/clock.js';

/** Memory of earlier copies that is kept for later ones, and for how long. */
export const MOST_SPARE_BYTES = 32 * 1024 * 1024;
const SPARE_MILLIS = 5000;
/** Less is cheap to get, and few pieces are quick to look through. */
const LEAST_SPARE_BYTES = 64 * 1024;

const memoryOf = (spare: Frame | Memory): Memory => (spare instanceof Memory ? spare : spare.memory);

export class FrameCopies {
  /** The oldest first. */
  private spare: (Frame | Memory)[] = [];
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
    return spare ?? new Memory(new ArrayBuffer(bytes));
  }

  /** Lets later copies use the memory of one that nobody reads any more. */
  giveBack(copy: Frame | Memory): void {
    if (!(copy instanceof Memory) && this.isStillRead(copy)) return;
    const bytes = memoryOf(copy).bytes.length;
    if (bytes < LEAST_SPARE_BYTES || bytes > MOST_SPARE_BYTES || this.isClosed) return;
    while (this.spareBytes + bytes > MOST_SPARE_BYTES) this.pop(() => true);
    this.spare.push(copy);
    this.spareBytes += bytes;
    this.cancel ??= this.clock.after(SPARE_MILLIS, () => this.forget());
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
    this.forget();
  }

  private forget(): void {
    this.cancel = undefined;
    this.spare = [];
    this.spareBytes = 0;
  }

  private pop<T extends Frame | Memory>(fits: (one: Frame | Memory) => one is T): T | undefined;
  private pop(fits: (one: Frame | Memory) => boolean): Frame | Memory | undefined;
  private pop(fits: (one: Frame | Memory) => boolean): Frame | Memory | undefined {
    const index = this.spare.findIndex(fits);
    if (index < 0) return undefined;
    const [one] = this.spare.splice(index, 1);
    if (one) this.spareBytes -= memoryOf(one).bytes.length;
    return one;
  }
}
