// Freed parts of the arena: neighbours become one part, and a larger part is divided. Otherwise memory that is taken
// and freed in ever new sizes would never be used again.

/** So many parts of about the wanted size are looked at. */
const MOST_LOOKED_AT = 32;

/** The bin of a size: all of its parts are at least half as large as those of the next bin. */
const binOf = (sizeBytes: number): number => 31 - Math.clz32(sizeBytes);

export class FreeMemory {
  private readonly sizes = new Map<number, number>();
  /** Where the part begins that ends at an offset. */
  private readonly ends = new Map<number, number>();
  /** The offsets of parts by the size, and by the bin of the size. */
  private readonly bySize = new Map<number, Set<number>>();
  private readonly bins = Array.from({ length: 32 }, () => new Set<number>());
  private total = 0;

  get bytes(): number {
    return this.total;
  }

  /** Offset and size of each part in turn, of so many at most: the larger ones, roughly. */
  someParts(most: number): Float64Array {
    const parts: number[] = [];
    for (const bin of this.bins.toReversed())
      for (const offset of bin) {
        if (parts.length >= 2 * most) return Float64Array.from(parts);
        parts.push(offset, this.sizes.get(offset) as number);
      }
    return Float64Array.from(parts);
  }

  /** Takes the end of a part, where `take` would have found it; returns whether it is there. */
  takeAt(offset: number, sizeBytes: number): boolean {
    const start = this.ends.get(offset + sizeBytes);
    if (start === undefined || start > offset) return false;
    this.remove(start);
    if (start < offset) this.insert(start, offset - start);
    return true;
  }

  /** Adds a part that nothing uses. */
  add(offset: number, sizeBytes: number): void {
    let [start, end] = [offset, offset + sizeBytes];
    const before = this.ends.get(start);
    if (before !== undefined) {
      this.remove(before);
      start = before;
    }
    const after = this.sizes.get(end);
    if (after !== undefined) {
      this.remove(end);
      end += after;
    }
    this.insert(start, end - start);
  }

  /** Takes so many bytes; returns their offset, or undefined when no part has as many. */
  take(sizeBytes: number): number | undefined {
    const found = this.find(sizeBytes);
    if (found === undefined) return undefined;
    const left = (this.sizes.get(found) as number) - sizeBytes;
    this.remove(found);
    // The end is given, so that the address of something that is gone seldom becomes that of something smaller.
    if (left > 0) this.insert(found, left);
    return found + left;
  }

  /** How many parts of this size, or of a larger bin, there are. */
  countFor(sizeBytes: number): number {
    const larger = this.bins.slice(binOf(sizeBytes) + 1).reduce((count, bin) => count + bin.size, 0);
    return larger + (this.bySize.get(sizeBytes)?.size ?? 0);
  }

  private find(sizeBytes: number): number | undefined {
    const [exact] = this.bySize.get(sizeBytes) ?? [];
    if (exact !== undefined) return exact;
    for (let bin = binOf(sizeBytes) + 1; bin < this.bins.length; bin++)
      for (const offset of this.bins[bin] as Set<number>) return offset;
    let looked = 0;
    for (const offset of this.bins[binOf(sizeBytes)] as Set<number>) {
      if ((this.sizes.get(offset) as number) >= sizeBytes) return offset;
      if (++looked >= MOST_LOOKED_AT) break;
    }
    return undefined;
  }

  private insert(offset: number, sizeBytes: number): void {
    this.sizes.set(offset, sizeBytes);
    this.ends.set(offset + sizeBytes, offset);
    const same = this.bySize.get(sizeBytes) ?? new Set();
    this.bySize.set(sizeBytes, same.add(offset));
    this.bins[binOf(sizeBytes)]?.add(offset);
    this.total += sizeBytes;
  }

  private remove(offset: number): void {
    const sizeBytes = this.sizes.get(offset) as number;
    this.sizes.delete(offset);
    this.ends.delete(offset + sizeBytes);
    const same = this.bySize.get(sizeBytes);
    same?.delete(offset);
    if (same?.size === 0) this.bySize.delete(sizeBytes);
    this.bins[binOf(sizeBytes)]?.delete(offset);
    this.total -= sizeBytes;
  }
}
