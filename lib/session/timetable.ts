// Cadence by wall time: every entry is called on the multiples of its cycle from its own start, without drift.
import type { Clock } from './clock.js';

interface Entry {
  readonly cycleMillis: number;
  readonly call: () => void;
  dueMillis: number;
  isCancelled: boolean;
}

/** The shortest cycle; asking for less gives this. */
const SHORTEST_MILLIS = 1;
/** A timer may fire this much early; such an entry is due all the same. */
const EARLY_MILLIS = 0.5;

export class Timetable {
  /** Binary heap, earliest first. */
  private readonly heap: Entry[] = [];
  private cancelTimer: (() => void) | undefined;
  private timerMillis = Number.POSITIVE_INFINITY;

  constructor(private readonly clock: Clock) {}

  get size(): number {
    return this.heap.length;
  }

  /** Calls at once in the next turn, then every cycle. A late timer skips what it missed. */
  every(cycleSeconds: number, call: () => void): () => void {
    const cycleMillis = Math.max(SHORTEST_MILLIS, cycleSeconds * 1000);
    const entry: Entry = { cycleMillis, call, dueMillis: this.clock.nowMillis(), isCancelled: false };
    this.push(entry);
    this.arm();
    return () => {
      entry.isCancelled = true;
    };
  }

  private readonly run = (): void => {
    this.timerMillis = Number.POSITIVE_INFINITY;
    const now = this.clock.nowMillis() + EARLY_MILLIS;
    for (let first = this.heap[0]; first && first.dueMillis <= now; first = this.heap[0]) {
      this.pop();
      if (first.isCancelled) continue;
      const missed = Math.floor((now - first.dueMillis) / first.cycleMillis);
      first.dueMillis += (missed + 1) * first.cycleMillis;
      this.push(first);
      first.call();
    }
    this.arm();
  };

  private arm(): void {
    const first = this.heap[0];
    if (!first || first.dueMillis >= this.timerMillis) return;
    this.cancelTimer?.();
    this.timerMillis = first.dueMillis;
    this.cancelTimer = this.clock.after(Math.max(0, first.dueMillis - this.clock.nowMillis()), this.run);
  }

  private push(entry: Entry): void {
    const { heap } = this;
    let i = heap.length;
    heap.push(entry);
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if ((heap[parent] as Entry).dueMillis <= entry.dueMillis) break;
      heap[i] = heap[parent] as Entry;
      i = parent;
    }
    heap[i] = entry;
  }

  private pop(): void {
    const { heap } = this;
    const last = heap.pop() as Entry;
    if (heap.length === 0) return;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= heap.length) break;
      const right = heap[child + 1];
      if (right && right.dueMillis < (heap[child] as Entry).dueMillis) child++;
      if ((heap[child] as Entry).dueMillis >= last.dueMillis) break;
      heap[i] = heap[child] as Entry;
      i = child;
    }
    heap[i] = last;
  }
}
