// Records of a few numbers each, in the order in which they came: new ones are added, the oldest go by chunks.

/** Records of a chunk, as a power of two. */
const CHUNK_BITS = 8;
const CHUNK = 1 << CHUNK_BITS;

export class Records {
  private chunks: (Float64Array | undefined)[] = [];
  /** Places of chunks that are forgotten; they go many at once, because moving the others costs as much as their number. */
  private empty = 0;
  private count = 0;

  /** @param width numbers of a record. */
  constructor(private readonly width: number) {}

  get length(): number {
    return this.count;
  }

  get bytes(): number {
    return (this.chunks.length - this.empty) * CHUNK * this.width * Float64Array.BYTES_PER_ELEMENT;
  }

  /** A number of a record; the oldest record is 0. */
  at(index: number, field: number): number {
    const chunk = this.chunks[this.empty + (index >> CHUNK_BITS)] as Float64Array;
    return chunk[(index & (CHUNK - 1)) * this.width + field] as number;
  }

  /** Copies a record's numbers. */
  push(record: Float64Array): void {
    if (this.count === (this.chunks.length - this.empty) * CHUNK)
      this.chunks.push(new Float64Array(CHUNK * this.width));
    const place = (this.count & (CHUNK - 1)) * this.width;
    (this.chunks[this.empty + (this.count >> CHUNK_BITS)] as Float64Array).set(record, place);
    this.count++;
  }

  /** Forgets the newest record. */
  pop(): void {
    this.count--;
  }

  /** Index of the first record that the oldest chunk does not have; undefined while all are in one. */
  get afterFirstChunk(): number | undefined {
    return this.count > CHUNK ? CHUNK : undefined;
  }

  /** Forgets the oldest chunk. */
  shift(): void {
    this.chunks[this.empty++] = undefined;
    this.count -= CHUNK;
    if (2 * this.empty < this.chunks.length) return;
    this.chunks = this.chunks.slice(this.empty);
    this.empty = 0;
  }

  /** The first record of which this is true; it is true of all later ones. */
  first(isTrue: (index: number) => boolean): number {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isTrue(middle)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
