// Cadence by wall time: every entry is called on the multiples of its cycle from its own start, without drift.
import type { Clock } from './clock.js';
import { type Due, DueHeap } from './due-heap.js';

interface Entry extends Due {
  readonly startMillis: number;
  readonly cycleMillis: number;
  readonly alongMillis: number;
  readonly call: () => void;
}

/** The shortest cycle; asking for less gives this. */
const SHORTEST_MILLIS = 1;
/** A timer may fire this much early; such an entry is due all the same. */
const EARLY_MILLIS = 0.5;
/** So much of its cycle, and no more than this, an entry goes along early with one that is due: wake-ups are dear. */
const ALONG_SHARE = 0.1;
const ALONG_MILLIS = 5;
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
   * Calls at once in the next turn, then every cycle until the result is called. A late timer skips what it missed. A
   * call may come early, by at most a tenth of its cycle and 5 ms, together with one that is due; its grid stays. Throws a RangeError for a cycle that is no number.
   */
  every(cycleSeconds: number, call: () => void, delaySeconds = 0): () => void {
    if (Number.isNaN(cycleSeconds)) throw new RangeError('a cycle is a number of seconds, not NaN');
    const startMillis = this.clock.nowMillis() + delaySeconds * 1000;
    const cycleMillis = Math.max(SHORTEST_MILLIS, cycleSeconds * 1000);
    const alongMillis = Math.max(EARLY_MILLIS, Math.min(ALONG_MILLIS, ALONG_SHARE * cycleMillis));
    const places = { dueMillis: startMillis, place: -1, order: this.lastOrder++ };
    const entry = { cycleMillis, alongMillis, call, startMillis, ...places };
    this.entries.add(entry);
    this.arm();
    return () => {
      this.entries.remove(entry);
      if (this.size === 0) this.disarm();
    };
  }

  private readonly run = (): void => {
    this.disarm();
    const now = this.clock.nowMillis();
    // Nothing goes along with a timer that finds nothing due.
    let isAwake = false;
    try {
      for (let first = this.entries.first; first; first = this.entries.first) {
        const limit = now + (isAwake ? first.alongMillis : EARLY_MILLIS);
        if (first.dueMillis > limit) break;
        isAwake = true;
        // One that is late may be as near to its next turn as one that goes along.
        first.dueMillis = nextDue(first, now + first.alongMillis);
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
