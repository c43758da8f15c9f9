// Gathers the writes of one turn of the event loop into one socket write, and tells when a backlog is gone.

export interface Corkable {
  cork(): void;
  uncork(): void;
}

export class WriteTurn {
  readonly #socket: Corkable;
  readonly #pendingBytes: () => number;
  readonly #drained: () => void;
  #open = false;
  #behind = false;

  constructor(socket: Corkable, pendingBytes: () => number, drained: () => void) {
    this.#socket = socket;
    this.#pendingBytes = pendingBytes;
    this.#drained = drained;
  }

  /** Call before each write. */
  begin(): void {
    if (this.#open) return;
    this.#open = true;
    this.#socket.cork();
    process.nextTick(this.#flush);
  }

  /** The completion callback of each write. */
  readonly taken = (error?: Error | null): void => {
    if (error || !this.#behind || this.#pendingBytes() > 0) return;
    this.#behind = false;
    this.#drained();
  };

  readonly #flush = (): void => {
    this.#open = false;
    this.#socket.uncork();
    if (this.#pendingBytes() > 0) this.#behind = true;
  };
}
