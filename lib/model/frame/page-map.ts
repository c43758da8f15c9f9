// Which pages of a large state frames carry: those that readers need.

/** Frames carry a state of up to this size whole. */
export const WHOLE_BYTES = 2 ** 20;
export const PAGE_BYTES = 4 * 1024;

/** The size of the pages of a state of that size; 0 if frames carry it whole. */
export const pageBytesOf = (arenaBytes: number): number => (arenaBytes <= WHOLE_BYTES ? 0 : PAGE_BYTES);

/** Number of pages of a state of that size; 0 if frames carry it whole. */
export const pagesOf = (arenaBytes: number, pageBytes: number): number =>
  pageBytes === 0 ? 0 : Math.ceil(arenaBytes / pageBytes);

/** One mark per page: 1 for a page that is carried, 0 for others. Threads may share the marks. */
export class PageMap {
  constructor(
    private readonly marks: Uint8Array,
    readonly pageBytes = PAGE_BYTES,
  ) {}

  /** Adds the pages of a range to a set. */
  addPages(needed: Set<number>, offsetBytes: number, lengthBytes: number): void {
    const end = this.endOf(offsetBytes, lengthBytes);
    for (let page = this.firstOf(offsetBytes); page < end; page++) needed.add(page);
  }

  /** Whether some page of a range is marked. */
  hasSome(offsetBytes: number, lengthBytes: number): boolean {
    const end = this.endOf(offsetBytes, lengthBytes);
    for (let page = this.firstOf(offsetBytes); page < end; page++) if (this.marks[page]) return true;
    return false;
  }

  /** Marks all pages of a range. */
  markRange(offsetBytes: number, lengthBytes: number): void {
    const end = this.endOf(offsetBytes, lengthBytes);
    for (let page = this.firstOf(offsetBytes); page < end; page++) this.marks[page] = 1;
  }

  /** Takes the marks of another map off; returns how many. */
  takeOff({ marks: others }: PageMap): number {
    let count = 0;
    for (const page of this.pages()) {
      if (!others[page]) continue;
      this.marks[page] = 0;
      count++;
    }
    return count;
  }

  /** Whether some page is marked in both. */
  meets({ marks }: PageMap): boolean {
    return this.marks.some((mark, page) => mark && marks[page]);
  }

  /** One bit a page, for messages. */
  bits(): Uint8Array {
    const bits = new Uint8Array(Math.ceil(this.marks.length / 8));
    for (const page of this.pages()) (bits[page >> 3] as number) |= 1 << (page & 7);
    return bits;
  }

  /** Marks what `bits` has made; what it has beyond the last page is left out. */
  takeBits(bits: Uint8Array): void {
    for (let page = 0; page < this.marks.length; page++) this.marks[page] = ((bits[page >> 3] ?? 0) >> (page & 7)) & 1;
  }

  /** The marked pages by number. */
  marked(): Uint32Array {
    return Uint32Array.from(this.pages());
  }

  /** A map of the pages that are not marked in this one. */
  inverse(): PageMap {
    return new PageMap(
      this.marks.map((mark) => (mark ? 0 : 1)),
      this.pageBytes,
    );
  }

  copyOfMarks(): PageMap {
    return new PageMap(this.marks.slice(), this.pageBytes);
  }

  /** Whether the marks are the same as those of another map. */
  equals({ marks }: PageMap): boolean {
    return Buffer.compare(marks, this.marks) === 0;
  }

  /** Whether all pages of a range are marked. */
  has(offsetBytes: number, lengthBytes: number): boolean {
    const end = this.endOf(offsetBytes, lengthBytes);
    for (let page = this.firstOf(offsetBytes); page < end; page++) if (!this.marks[page]) return false;
    return true;
  }

  /** As `has`, for pages by number. */
  hasEach(pages: Uint32Array): boolean {
    for (const page of pages) if (!this.marks[page]) return false;
    return true;
  }

  /** How many pages there are. */
  get length(): number {
    return this.marks.length;
  }

  mark(page: number, isWanted: boolean): void {
    if (page < this.marks.length) Atomics.store(this.marks, page, isWanted ? 1 : 0);
  }

  markAll(): void {
    this.marks.fill(1);
  }

  /**
   * Keeps of the marked pages those that have been used, and so many new ones, which it notes as used. Returns how many it
   * does not keep.
   */
  admit(used: Uint8Array, most: number): number {
    let left = most;
    for (const page of this.pages()) {
      if (used[page]) continue;
      if (left > 0) used[page] = 1;
      else this.marks[page] = 0;
      left--;
    }
    return Math.max(0, -left);
  }

  /** Keeps of the marked pages so many, the first ones; returns how many it does not keep. */
  keepFirst(most: number): number {
    let count = 0;
    for (const page of this.pages()) if (count++ >= most) this.marks[page] = 0;
    return Math.max(0, count - Math.ceil(most));
  }

  /** How many of the marked pages `admit` would keep. */
  countAdmitted(used: Uint8Array, most: number): number {
    let [known, added] = [0, 0];
    for (const page of this.pages())
      if (used[page]) known++;
      else added++;
    return known + Math.min(added, most);
  }

  /** Copies the marks of another map, as many as both have. */
  take({ marks }: PageMap): void {
    this.marks.set(marks.length > this.marks.length ? marks.subarray(0, this.marks.length) : marks);
  }

  /** Copies the bytes of the marked pages to the same offsets. */
  copy(from: Uint8Array, to: Uint8Array): void {
    this.copySome(from, to, 0, Number.POSITIVE_INFINITY);
  }

  /** Copies as `copy`, from a page on and so many pages at most; returns the page to go on with, undefined at the end. */
  copySome(from: Uint8Array, to: Uint8Array, first: number, most: number): number | undefined {
    let left = most;
    for (const [page, runEnd] of this.runs(first)) {
      if (left <= 0) return page;
      const end = Math.min(runEnd, page + left);
      const start = page * this.pageBytes;
      if (start < from.length) to.set(from.subarray(start, end * this.pageBytes), start);
      if (end < runEnd) return end;
      left -= end - page;
    }
    return undefined;
  }

  /** How many bytes the marked pages have, in an arena of that size. */
  bytesOf(arenaBytes: number): number {
    let bytes = 0;
    for (const [start, end] of this.ranges(arenaBytes)) bytes += end - start;
    return bytes;
  }

  /** The byte ranges of the marked pages. */
  *ranges(arenaBytes: number): Generator<readonly [start: number, end: number]> {
    for (const [page, end] of this.runs()) {
      const start = page * this.pageBytes;
      if (start < arenaBytes) yield [start, Math.min(arenaBytes, end * this.pageBytes)];
    }
  }

  /** Ranges of marked pages. The engine looks for them: a loop over all marks takes ten times as long. */
  private *runs(from = 0): Generator<readonly [first: number, end: number]> {
    const { marks } = this;
    for (let first = marks.indexOf(1, from); first >= 0; ) {
      const unmarked = marks.indexOf(0, first);
      const end = unmarked < 0 ? marks.length : unmarked;
      yield [first, end];
      first = marks.indexOf(1, end);
    }
  }

  /** The marked pages by number. */
  private *pages(): Generator<number> {
    for (const [first, end] of this.runs()) for (let page = first; page < end; page++) yield page;
  }

  private firstOf(offsetBytes: number): number {
    return Math.floor(offsetBytes / this.pageBytes);
  }

  /** The page after the last one of a range; an empty range has no pages. */
  private endOf(offsetBytes: number, lengthBytes: number): number {
    if (lengthBytes === 0) return 0;
    return Math.min(this.marks.length, Math.ceil((offsetBytes + lengthBytes) / this.pageBytes));
  }
}
