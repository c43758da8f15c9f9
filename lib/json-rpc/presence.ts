// Whether a client still waits for its answer. Each request has one, and an AbortSignal takes a kilobyte.
import type { Slice, Sliced } from '../scheduling/slice.js';

/** Who is told of an end counts as so many steps of work: it ends a call, and what follows from that takes as long again. */
const STEPS_PER_CALL = 4;

/** Carries out work in slices, such as `Turns.run` for an account. */
export type InSlices = (start: (slice: Slice) => Sliced<void>) => unknown;

export class Presence {
  private isEnded = false;
  private calls: Set<() => void> | undefined;

  get isOver(): boolean {
    return this.isEnded;
  }

  /** Calls once when the client goes: now if it has gone. Returns a function after which it is not called. */
  onEnd(call: () => void): () => void {
    if (this.isEnded) {
      call();
      return () => {};
    }
    this.calls ??= new Set();
    this.calls.add(call);
    return () => this.calls?.delete(call);
  }

  /**
   * The client has gone. All are told, whatever one of them throws, which is thrown later.
   * @param inSlices tells them, because a client may have left a thousand calls. Default: all are told at once.
   */
  end(inSlices?: InSlices): void {
    if (this.isEnded) return;
    this.isEnded = true;
    const calls = this.calls ?? [];
    if (inSlices) inSlices((slice) => this.telling(calls, slice));
    else for (const call of calls) tell(call);
  }

  private *telling(calls: Iterable<() => void>, slice: Slice): Sliced<void> {
    for (const call of calls) {
      tell(call);
      if (slice.isOver(STEPS_PER_CALL)) yield;
    }
  }
}

function tell(call: () => void): void {
  try {
    call();
  } catch (error) {
    process.nextTick(() => {
      throw error;
    });
  }
}
