// Wall time for cadences; a test passes one that moves when told.
import { performance } from 'node:perf_hooks';

export interface Clock {
  /** Milliseconds from any fixed point, never going back. */
  nowMillis(): number;
  /** Calls once after a delay; the result cancels. */
  after(delayMillis: number, call: () => void): () => void;
}

export const systemClock: Clock = {
  nowMillis: () => performance.now(),
  after(delayMillis, call) {
    const timer = setTimeout(call, delayMillis);
    return () => clearTimeout(timer);
  },
};
