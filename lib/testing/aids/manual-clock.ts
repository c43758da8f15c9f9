// A clock for tests, whose time a test moves by hand.
import type { Clock } from '../../serving/scheduling/clock.js';

interface Timer {
  readonly dueMillis: number;
  readonly call: () => void;
}

export class ManualClock implements Clock {
  private readonly timers = new Set<Timer>();

  constructor(private now = 0) {}

  nowMillis(): number {
    return this.now;
  }

  after(delayMillis: number, call: () => void): () => void {
    const timer = { dueMillis: this.now + delayMillis, call };
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  }

  /** Timers that have not fired yet. */
  get pending(): number {
    return this.timers.size;
  }

  /** How long until each timer fires, soonest first. */
  get delaysMillis(): number[] {
    return Array.from(this.timers, ({ dueMillis }) => dueMillis - this.now).sort((a, b) => a - b);
  }

  /** When the next timer fires; Infinity when there is none. */
  get nextMillis(): number {
    return Math.min(Number.POSITIVE_INFINITY, ...Array.from(this.timers, (timer) => timer.dueMillis));
  }

  /** Moves time on; each timer fires at its own moment, in order. */
  advance(millis: number): void {
    const end = this.now + millis;
    for (let next = this.earliest(); next && next.dueMillis <= end; next = this.earliest()) {
      this.now = Math.max(this.now, next.dueMillis);
      this.fire(next);
    }
    this.now = end;
  }

  /** Moves time in one step, as when the thread was held up, and then fires each due timer once. */
  leap(millis: number): void {
    this.now += millis;
    const due = [...this.timers].filter((timer) => timer.dueMillis <= this.now);
    for (const timer of due) if (this.timers.has(timer)) this.fire(timer);
  }

  private earliest(): Timer | undefined {
    let earliest: Timer | undefined;
    for (const timer of this.timers) if (!earliest || timer.dueMillis < earliest.dueMillis) earliest = timer;
    return earliest;
  }

  private fire(timer: Timer): void {
    this.timers.delete(timer);
    timer.call();
  }
}
