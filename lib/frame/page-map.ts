// Which parts of a large state frames carry: the pages that somebody has asked for of late.

/** A state of up to this size is carried whole. */
export const WHOLE_BYTES = 2 ** 20;
export const PAGE_BYTES = 16 * 1024;

/** What a page that was just asked for is marked with; it is carried no more when as many ages have passed. */
const FRESH = 2;

/** Pages in a map for a state of that size; none for one that is carried whole. */
export const pagesOf = (arenaBytes: number): number =>
  arenaBytes <= WHOLE_BYTES ? 0 : Math.ceil(arenaBytes / PAGE_BYTES);

const firstOf = (offsetBytes: number): number => Math.floor(offsetBytes / PAGE_BYTES);

/** A mark for each page, 0 for one that is not in; its bytes may be shared between threads. */
export class PageMap {
  constructor(private readonly marks: Uint8Array) {}

  /** Whether all pages of a range are in. */
  has(offsetBytes: number, lengthBytes: number): boolean {
    const end = this.endOf(offsetBytes, lengthBytes);
    for (let page = firstOf(offsetBytes); page < end; page++) if (!this.marks[page]) return false;
    return true;
  }

  /** Puts the pages of a range in, for two ages. */
  ask(offsetBytes: number, lengthBytes: number): void {
    const end = this.endOf(offsetBytes, lengthBytes);
    for (let page = firstOf(offsetBytes); page < end; page++) {
      // Seldom written: the line of cache stays with all who read it.
      if (this.marks[page] !== FRESH) Atomics.store(this.marks, page, FRESH);
    }
  }

  askAll(): void {
    this.marks.fill(FRESH);
  }

  /** An age has passed: what has not been asked for since the last one but one goes out. */
  age(): void {
    const { marks } = this;
    for (let page = 0; page < marks.length; page++) {
      const mark = marks[page] as number;
      // One that is asked for at this moment stays.
      if (mark > 0) Atomics.compareExchange(marks, page, mark, mark - 1);
    }
  }

  /** Takes over the marks of another map, as many as there are. */
  take({ marks }: PageMap): void {
    this.marks.set(marks.length > this.marks.length ? marks.subarray(0, this.marks.length) : marks);
  }

  /** Copies the pages that are in to their places. */
  copy(from: Uint8Array, to: Uint8Array): void {
    const { marks } = this;
    for (let page = 0; page < marks.length; page++) {
      if (!marks[page]) continue;
      const start = page * PAGE_BYTES;
      while (marks[page]) page++;
      if (start < from.length) to.set(from.subarray(start, page * PAGE_BYTES), start);
    }
  }

  /** Bytes of the pages that are in, in an arena of that size. */
  bytesOf(arenaBytes: number): number {
    let bytes = 0;
    for (const [start, end] of this.ranges(arenaBytes)) bytes += end - start;
    return bytes;
  }

  /** The ranges of the pages that are in, from and up to which byte. */
  *ranges(arenaBytes: number): Generator<readonly [start: number, end: number]> {
    const { marks } = this;
    for (let page = 0; page < marks.length; page++) {
      if (!marks[page]) continue;
      const start = page * PAGE_BYTES;
      while (marks[page]) page++;
      if (start < arenaBytes) yield [start, Math.min(arenaBytes, page * PAGE_BYTES)];
    }
  }

  /** An empty range has no pages. */
  private endOf(offsetBytes: number, lengthBytes: number): number {
    return lengthBytes === 0 ? 0 : Math.min(this.marks.length, Math.ceil((offsetBytes + lengthBytes) / PAGE_BYTES));
  }
}
