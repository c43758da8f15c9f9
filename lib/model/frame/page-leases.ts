// Who needs which pages of a large state, on the readers' thread: frames carry the pages that somebody holds.
import type { PageMap } from './page-map.js';

/** Who has read little often reads it again: frames carry pages of so many bytes for a second or two more. */
const LINGERING_BYTES = 2 ** 20;
const LINGER_MILLIS = 1000;

export class PageLeases {
  /** Of each page, how many hold it. */
  private counts = new Uint32Array(0);
  /** Pages that nobody holds any longer and frames still carry: of this second, and of the one before. */
  private left = new Set<number>();
  private leftBefore = new Set<number>();
  private sinceMillis = 0;
  /** How many read on each cycle, by its seconds. */
  private readonly cycles = new Map<number, number>();

  /** @param wanted the map that the writer of frames looks at. */
  constructor(private wanted?: PageMap) {}

  /** From now on another writer makes the frames: its map gets what is held. */
  serve(wanted: PageMap | undefined): void {
    this.wanted = wanted;
    if (!wanted) return;
    for (let page = 0; page < wanted.length; page++) wanted.mark(page, Boolean(this.counts[page]));
  }

  get pageBytes(): number {
    return this.wanted?.pageBytes ?? 0;
  }

  /** The cycles in seconds on which somebody reads; 0 for every frame. */
  get cycleSeconds(): Iterable<number> {
    return this.cycles.keys();
  }

  /** A reader has another cycle from now on. */
  setCycle(before: number, now: number): void {
    this.count(now, 1);
    this.count(before, -1);
  }

  hold(pages: Uint32Array, cycleSeconds = 0): void {
    this.count(cycleSeconds, 1);
    for (const page of pages) {
      if (page >= this.counts.length) this.grow(page);
      if ((this.counts[page] as number)++ === 0) this.wanted?.mark(page, true);
    }
  }

  release(pages: Uint32Array, cycleSeconds = 0): void {
    this.count(cycleSeconds, -1);
    const lingers = pages.length * this.pageBytes <= LINGERING_BYTES;
    for (const page of pages) {
      if (--(this.counts[page] as number) > 0) continue;
      if (lingers) this.left.add(page);
      else this.wanted?.mark(page, false);
      this.leftBefore.delete(page);
    }
  }

  /** Frames have come up to this wall time. The operator may set the clock back. */
  passed(wallMillis: number): void {
    if (Math.abs(wallMillis - this.sinceMillis) < LINGER_MILLIS) return;
    this.sinceMillis = wallMillis;
    for (const page of this.leftBefore) if (this.counts[page] === 0) this.wanted?.mark(page, false);
    this.leftBefore = this.left;
    this.left = new Set();
  }

  private count(cycleSeconds: number, change: 1 | -1): void {
    const count = (this.cycles.get(cycleSeconds) ?? 0) + change;
    if (count > 0) this.cycles.set(cycleSeconds, count);
    else this.cycles.delete(cycleSeconds);
  }

  private grow(page: number): void {
    const counts = new Uint32Array(Math.max(page + 1, this.wanted?.length ?? 0));
    counts.set(this.counts);
    this.counts = counts;
  }
}
