// Whether a client still waits for its answer. Each request has one, and an AbortSignal takes a kilobyte.

/** How many are told between two turns: that ends a call, and what follows from that takes as long again. */
const TOLD_AT_ONCE = 16;

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
   * @param turn awaited in between, because a client may have left a thousand calls. Default: all are told at once.
   */
  end(turn?: () => Promise<void>): void {
    if (this.isEnded) return;
    this.isEnded = true;
    const calls = this.calls ?? [];
    if (turn) void tellInTurns(calls, turn);
    else for (const call of calls) tell(call);
  }
}

async function tellInTurns(calls: Iterable<() => void>, turn: () => Promise<void>): Promise<void> {
  let told = 0;
  for (const call of calls) {
    tell(call);
    if (++told % TOLD_AT_ONCE === 0) await turn();
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
