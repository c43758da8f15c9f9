// Whether a client still waits for its answer. Each request has one, and an AbortSignal takes a kilobyte.

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

  /** The client has gone. All are told, whatever one of them throws, which is thrown later. */
  end(): void {
    if (this.isEnded) return;
    this.isEnded = true;
    for (const call of this.calls ?? []) {
      try {
        call();
      } catch (error) {
        process.nextTick(() => {
          throw error;
        });
      }
    }
    this.calls = undefined;
  }
}
