// Finds pointers into memory that is about to be freed, and sets them to null.
import type { Memory } from './memory.js';
import { bytesOfPiece, piecesOf, STEP_BYTES, type Values } from './pieces.js';
import { NULL_OFFSET, SEQUENCE_HEADER_BYTES, sizeOf, strideOf, type Type } from './type.js';
import { answeredOnce, typesIn } from './walk.js';

/** A part of the arena, in bytes from its start. */
export interface Range {
  readonly startBytes: number;
  readonly endBytes: number;
}

export const rangeOf = (type: Type, offsetBytes: number, count = 1): Range => ({
  startBytes: offsetBytes,
  endBytes: offsetBytes + strideOf(type) * (count - 1) + sizeOf(type),
});

/** Whether a type contains pointers at any depth. */
export const holdsPointers = answeredOnce(
  (type): boolean => type.kind === 'pointer' || typesIn(type).some(holdsPointers),
);

/**
 * Sets to null every pointer in the holders that points into one of the ranges. What a pointer points at is looked at
 * only if it is a holder itself.
 */
export function clearPointersInto(ranges: readonly Range[], memory: Memory, holders: Iterable<Values>): void {
  const gone = new Ranges(ranges);
  const words = new Uint32Array(memory.buffer, 0, memory.buffer.byteLength / WORD_BYTES);
  const clearIn = (type: Type, offsetBytes: number, count: number): void => {
    if (!holdsPointers(type)) return;
    const { kind } = type;
    if (kind === 'array') clearIn(type.element, offsetBytes, count * type.length);
    else if (kind === 'sequence') {
      const firstBytes = offsetBytes + SEQUENCE_HEADER_BYTES;
      for (let i = 0; i < count; i++) clearIn(type.element, firstBytes + i * strideOf(type), type.capacity);
    } else clearEach(pointersIn(type), offsetBytes / WORD_BYTES, strideOf(type) / WORD_BYTES, count);
  };
  const clearEach = (pointers: Int32Array, start: number, stride: number, count: number): void => {
    const end = start + count * stride;
    const pieceWords = stride * Math.ceil(PIECE_WORDS / stride);
    for (let from = start; from < end; from += pieceWords) {
      const to = Math.min(end, from + pieceWords);
      for (const pointer of pointers) clearEvery(stride, from + pointer, to, words, memory.view, gone);
    }
  };
  for (const { type, offsetBytes, count = 1 } of holders) clearIn(type, offsetBytes, count);
}

/** Looking at a holder takes as long as looking at so many bytes more. */
const HOLDER_BYTES = 1024;

/** The same in steps, between which holders may come and go: those that come are looked at last. */
export function* clearingPointers(
  ranges: readonly Range[],
  memory: Memory,
  holders: readonly ReadonlySet<Values>[],
): Generator<void, void> {
  let leftBytes = STEP_BYTES;
  for (const some of holders)
    for (const holder of some)
      for (const piece of piecesOf(holder)) {
        if (leftBytes <= 0) {
          yield;
          leftBytes = STEP_BYTES;
          if (!some.has(holder)) break;
        }
        clearPointersInto(ranges, memory, [piece]);
        leftBytes -= HOLDER_BYTES + bytesOfPiece(piece);
      }
}

/** Elements of so many words are looked at for one of their pointers, and then for the next: they stay in the cache. */
const PIECE_WORDS = 2048;

/** Clears pointers at equal distances. A function of its own, because it runs for millions of them. */
function clearEvery(stride: number, from: number, to: number, words: Uint32Array, view: DataView, gone: Ranges): void {
  for (let at = from; at < to; at += stride) {
    // Null is 0 in any order of bytes, and most pointers of a large array are null.
    if (words[at] === NULL_OFFSET || !gone.has(view.getUint32(at * WORD_BYTES, true))) continue;
    words[at] = NULL_OFFSET;
    words[at + 1] = 0;
  }
}

/** Pointers, and all that holds them, begin at whole words. */
const WORD_BYTES = 4;

/** Where the pointers of a value lie, in words from its start; those of unused elements of sequences too. */
const pointersIn = answeredOnce((type) => {
  const found: number[] = [];
  const find = (part: Type, offsetBytes: number): void => {
    if (!holdsPointers(part)) return;
    if (part.kind === 'pointer') found.push(offsetBytes / WORD_BYTES);
    else if (part.kind === 'struct')
      for (const member of part.members) find(member.type, offsetBytes + member.offsetBytes);
    else if (part.kind === 'array') findEach(part.element, offsetBytes, part.length);
    else if (part.kind === 'sequence') findEach(part.element, offsetBytes + SEQUENCE_HEADER_BYTES, part.capacity);
  };
  const findEach = (element: Type, offsetBytes: number, count: number): void => {
    for (let i = 0; i < count; i++) find(element, offsetBytes + i * strideOf(element));
  };
  find(type, 0);
  return Int32Array.from(found);
});

/** Ranges, in which an offset is found by halving. */
class Ranges {
  private readonly starts: readonly number[];
  /** The greatest end of a range and all before it. */
  private readonly ends: readonly number[];
  private readonly first: number;
  private readonly end: number;

  constructor(ranges: readonly Range[]) {
    const sorted = [...ranges].sort((one, other) => one.startBytes - other.startBytes);
    let end = 0;
    this.starts = sorted.map(({ startBytes }) => startBytes);
    this.ends = sorted.map(({ endBytes }) => {
      end = Math.max(end, endBytes);
      return end;
    });
    this.first = this.starts[0] ?? 0;
    this.end = end;
  }

  has(offsetBytes: number): boolean {
    if (offsetBytes < this.first || offsetBytes >= this.end) return false;
    let low = 0;
    let high = this.starts.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((this.starts[middle] as number) <= offsetBytes) low = middle;
      else high = middle;
    }
    return offsetBytes < (this.ends[low] as number);
  }
}
