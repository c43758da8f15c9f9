// Cadence by wall time: every entry is called on the multiples of its cycle from its own start, without drift.
import type { Clock } from './clock.js';
import { type Due, DueHeap } from './due-heap.js';

interface Entry extends Due {
  readonly startMillis: number;
  readonly cycleMillis: number;
  readonly call: () => void;
}

/** The shortest cycle; asking for less gives this. */
const SHORTEST_MILLIS = 1;
/** A timer may fire this much early; such an entry is due all the same. */
const EARLY_MILLIS = 0.5;
/** Node's timers take no longer delay; a timer that finds nothing due is set again. */
const LONGEST_TIMER_MILLIS = 2 ** 31 - 1;

export class Timetable {
  private readonly entries = new DueHeap<Entry>();
  private cancelTimer: (() => void) | undefined;
  private timerMillis = Number.POSITIVE_INFINITY;
  private lastOrder = 0;

  constructor(private readonly clock: Clock) {}

  get size(): number {
    return this.entries.size;
  }

  /**
   * Calls at once in the next turn, then every cycle until the result is called. A late timer skips what it missed.
   * Throws a RangeError for a cycle that is no number.
   */
  every(cycleSeconds: number, call: () => void, delaySeconds = 0): () => void {
    if (Number.isNaN(cycleSeconds)) throw new RangeError('a cycle is a number of seconds, not NaN');
    const startMillis = this.clock.nowMillis() + delaySeconds * 1000;
    const cycleMillis = Math.max(SHORTEST_MILLIS, cycleSeconds * 1000);
    const entry = { cycleMillis, call, startMillis, dueMillis: startMillis, place: -1, order: this.lastOrder++ };
    this.entries.add(entry);
    this.arm();
    return () => {
      this.entries.remove(entry);
      if (this.size === 0) this.disarm();
    };
  }

  private readonly run = (): void => {
    this.disarm();
    const now = this.clock.nowMillis() + EARLY_MILLIS;
    try {
      for (let first = this.entries.first; first && first.dueMillis <= now; first = this.entries.first) {
        first.dueMillis = nextDue(first, now);
        this.entries.moved(first);
        first.call();
      }
    } finally {
      this.arm();
    }
  };

  private arm(): void {
    const dueMillis = this.entries.first?.dueMillis ?? Number.POSITIVE_INFINITY;
    if (dueMillis >= this.timerMillis) return;
    this.disarm();
    this.timerMillis = dueMillis;
    const delayMillis = Math.max(0, dueMillis - this.clock.nowMillis());
    this.cancelTimer = this.clock.after(Math.min(LONGEST_TIMER_MILLIS, delayMillis), this.run);
  }

  private disarm(): void {
    this.cancelTimer?.();
    this.cancelTimer = undefined;
    this.timerMillis = Number.POSITIVE_INFINITY;
  }
}

/** The first multiple of the cycle after now. */
function nextDue({ startMillis, cycleMillis }: Entry, now: number): number {
  if (cycleMillis === Number.POSITIVE_INFINITY) return cycleMillis;
  const turns = Math.floor((now - startMillis) / cycleMillis) + 1;
  const due = startMillis + turns * cycleMillis;
  // Rounding may put the multiple at now itself.
  return due > now ? due : due + cycleMillis;
}
