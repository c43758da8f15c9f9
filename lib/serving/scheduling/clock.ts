// Wall time for cadences; a test passes a clock that it moves by hand.
import { performance } from 'node:perf_hooks';

/** Wall time for whatever waits; a test moves one by hand. */
export interface Clock {
  /** Milliseconds since some fixed moment; never goes back. */
  nowMillis(): number;
  /** Calls `call` once after a delay. The returned function cancels it. */
  after(delayMillis: number, call: () => void): () => void;
}

export const systemClock: Clock = {
  nowMillis: () => performance.now(),
  after(delayMillis, call) {
    const timer = setTimeout(call, delayMillis);
    return () => clearTimeout(timer);
  },
};
