// The block of memory with a simulation's whole state; a frame is a copy of its used part, or of the parts that readers
// use.
import { FreeMemory } from './free-memory.js';
import { Memory } from './memory.js';
import type { Range } from './pointers.js';
import { alignOf, NULL_OFFSET, roundUp, sizeOf, strideOf, type Type } from './type.js';

/** Nothing lies at offset 0, so that 0 can mean null. */
const FIRST_OFFSET_BYTES = 64;
const INITIAL_BYTES = 64 * 1024;
const MAX_BYTES = 2 ** 30;
/** A page of the system. */
const PAGE_BYTES = 4096;
const TOUCHED_BYTES = 64 * 1024;

/** Where a view lies in the arena, so that a pointer can be set to a view. */
interface Extent {
  readonly offsetBytes: number;
  readonly type: Type;
}

/** What so many values side by side take. */
export const allocatedBytes = (type: Type, count: number): number =>
  roundUp(Math.max(1, count === 0 ? 0 : strideOf(type) * (count - 1) + sizeOf(type)), 8);

/** The offset of a value that is put behind `usedBytes`. */
const endOf = (usedBytes: number, type: Type): number => roundUp(usedBytes, Math.max(8, alignOf(type)));

/** Where an arena puts so many values behind so many bytes, and what is in use then. */
export function appended(usedBytes: number, type: Type, count: number): { offsetBytes: number; usedBytes: number } {
  const offsetBytes = endOf(usedBytes, type);
  return { offsetBytes, usedBytes: offsetBytes + allocatedBytes(type, count) };
}

export class Arena {
  private readonly buffer = new SharedArrayBuffer(INITIAL_BYTES, { maxByteLength: MAX_BYTES });
  readonly memory = new Memory(this.buffer);
  private readonly extents = new WeakMap<object, Extent>();
  private readonly free = new FreeMemory();
  private endBytes = FIRST_OFFSET_BYTES;
  private going: Range | undefined;
  private touchedBytes = 0;

  /** Number of used bytes, counted from the start. */
  get usedBytes(): number {
    return this.endBytes;
  }

  /** Of these, the bytes that nothing has given back. */
  get takenBytes(): number {
    return this.endBytes - this.free.bytes;
  }

  /** Parts that have been given back: offset and size of each in turn, of so many at most. */
  freeParts(most: number): Float64Array {
    return this.free.someParts(most);
  }

  /** Allocates zeroed memory for `count` values of a type side by side. Returns its offset in bytes. */
  allocate(type: Type, count = 1): number {
    const { offsetBytes, usedBytes } = this.reserve(type, count);
    this.memory.bytes.fill(0, offsetBytes, offsetBytes + usedBytes);
    return offsetBytes;
  }

  /** As `allocate`, but the first `usedBytes` of the memory have been used before: the caller sets them to zero. */
  reserve(type: Type, count: number): { readonly offsetBytes: number; readonly usedBytes: number } {
    const sizeBytes = allocatedBytes(type, count);
    const reused = this.free.take(sizeBytes);
    if (reused !== undefined) return { offsetBytes: reused, usedBytes: sizeBytes };
    return { offsetBytes: this.append(type, count), usedBytes: 0 };
  }

  /** As `allocate`, at an offset that others chose by `freeParts` or behind all; returns whether it is free. */
  allocateAt(offsetBytes: number, type: Type, count: number): boolean {
    const sizeBytes = allocatedBytes(type, count);
    if (offsetBytes >= this.endBytes)
      return offsetBytes === endOf(this.endBytes, type) && this.append(type, count) === offsetBytes;
    if (!this.free.takeAt(offsetBytes, sizeBytes)) return false;
    this.memory.bytes.fill(0, offsetBytes, offsetBytes + sizeBytes);
    return true;
  }

  /** As `allocate`, but behind everything that is in use. Returns its offset in bytes. */
  append(type: Type, count: number): number {
    const offset = endOf(this.endBytes, type);
    const sizeBytes = allocatedBytes(type, count);
    this.makeRoom(offset + sizeBytes);
    this.endBytes = offset + sizeBytes;
    return offset;
  }

  /** What `usedBytes` would be at most after one value of each type had been allocated. */
  usedBytesWith(types: readonly Type[]): number {
    let endBytes = this.endBytes;
    let reused = 0;
    for (const type of types) {
      const sizeBytes = allocatedBytes(type, 1);
      // A part that is divided may have room for more of them, so this is the most that it can be.
      if (reused < this.free.countFor(sizeBytes)) reused++;
      else endBytes = roundUp(endBytes, 8) + sizeBytes;
    }
    return endBytes;
  }

  private makeRoom(endBytes: number): void {
    if (endBytes <= this.buffer.byteLength) return;
    if (endBytes > MAX_BYTES) throw new RangeError(`the state takes at most ${MAX_BYTES} bytes, not ${endBytes}`);
    this.buffer.grow(Math.min(MAX_BYTES, Math.max(endBytes, 2 * this.buffer.byteLength)));
    this.memory.remap();
  }

  /** Frees memory that `allocate` returned for the same type and count. */
  release(type: Type, offsetBytes: number, count = 1): void {
    if (offsetBytes === NULL_OFFSET) return;
    const sizeBytes = allocatedBytes(type, count);
    this.free.add(offsetBytes, sizeBytes);
  }

  /**
   * Uses memory for the first time, in pieces until `isOver`; returns whether all that is taken has been used. Otherwise who
   * copies all of it has to, and that takes ten times as long as the copy.
   */
  touch(isOver: () => boolean): boolean {
    const { bytes } = this.memory;
    while (this.touchedBytes < this.endBytes) {
      const end = Math.min(this.endBytes, this.touchedBytes + TOUCHED_BYTES);
      // What is written is what was there; nobody else writes to the state.
      for (let at = this.touchedBytes; at < end; at += PAGE_BYTES) bytes[at] = bytes[at] as number;
      this.touchedBytes = end;
      if (isOver()) break;
    }
    return this.touchedBytes === this.endBytes;
  }

  /** Memory into which code of the simulation sees no pointers, and sets none, while they become null in steps. */
  setGoing(going: Range | undefined): void {
    this.going = going;
  }

  isGoing(offsetBytes: number): boolean {
    return this.going !== undefined && offsetBytes >= this.going.startBytes && offsetBytes < this.going.endBytes;
  }

  register(view: object, extent: Extent): void {
    this.extents.set(view, extent);
  }

  /** Where a view lies; undefined for an object that is not a view of this arena. */
  extentOf(view: object): Extent | undefined {
    return this.extents.get(view);
  }
}
