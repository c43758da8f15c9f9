// Time that moves when told, for the tests of this folder.
import type { Clock } from '../../client/clock.js';

export class TestClock implements Clock {
  private now = 0;
  private readonly timers = new Set<{ readonly dueMillis: number; readonly call: () => void }>();

  nowMillis(): number {
    return this.now;
  }

  after(delayMillis: number, call: () => void): () => void {
    const timer = { dueMillis: this.now + delayMillis, call };
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  }

  /** How long until each timer fires, soonest first. */
  get delaysMillis(): number[] {
    return [...this.timers].map(({ dueMillis }) => dueMillis - this.now).sort((a, b) => a - b);
  }

  advance(millis: number): void {
    this.now += millis;
    for (const timer of [...this.timers]) {
      if (timer.dueMillis > this.now || !this.timers.delete(timer)) continue;
      timer.call();
    }
  }
}
