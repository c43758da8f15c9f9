// An answer of the simulation that many clients ask for: it is asked for once in a second.
import { performance } from 'node:perf_hooks';

const KEPT_MILLIS = 1000;

export class Recent<T> {
  private answer: Promise<T> | undefined;
  private askedMillis = 0;

  get(ask: () => Promise<T>): Promise<T> {
    const now = performance.now();
    if (this.answer && now - this.askedMillis < KEPT_MILLIS) return this.answer;
    this.askedMillis = now;
    this.answer = ask();
    return this.answer;
  }

  /** What is asked for now may be another. */
  forget(): void {
    this.answer = undefined;
  }
}
