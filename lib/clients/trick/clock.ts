// Wall time for time limits and pauses; a test passes a clock that moves when told.

/** Wall time for time limits and pauses; a test moves one by hand. */
export interface Clock {
  /** Milliseconds from any fixed point, never going back. */
  nowMillis(): number;
  /** Calls `call` once after a delay; the returned function cancels it. */
  after(delayMillis: number, call: () => void): () => void;
}

export const systemClock: Clock = {
  nowMillis: () => performance.now(),
  after(delayMillis, call) {
    const timer = setTimeout(call, delayMillis);
    return () => clearTimeout(timer);
  },
};
