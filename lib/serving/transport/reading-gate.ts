// Holds whole messages while reading is paused, for sockets that cannot pause in the middle of what they read.

/** Stands where a message was, which is kept no longer. */
const DELIVERED = Buffer.alloc(0);
/** After so many delivered ones, their places in the list are given back. */
const MOST_DELIVERED = 1024;

export class ReadingGate {
  private held: Buffer[] = [];
  /** How many of these have been delivered. */
  private delivered = 0;
  private heldBytes = 0;
  private paused = false;
  private deliver: ((message: Buffer) => void) | undefined;

  /** @param messageBytes what a message takes besides its bytes. */
  constructor(
    private readonly limitBytes: number,
    private readonly messageBytes = 0,
  ) {}

  get isOpen(): boolean {
    return this.deliver !== undefined && !this.paused;
  }

  /** Returns false when the message was dropped because too much is held already. */
  push(message: Buffer): boolean {
    if (this.heldBytes + this.sizeOf(message) > this.limitBytes) return false;
    this.held.push(message);
    this.heldBytes += this.sizeOf(message);
    this.release();
    return true;
  }

  listen(deliver: (message: Buffer) => void): void {
    this.deliver = deliver;
    this.release();
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
    this.release();
  }

  /** Drops what is held; nothing more is delivered. */
  close(): void {
    this.deliver = undefined;
    this.held = [];
    this.delivered = 0;
    this.heldBytes = 0;
  }

  private release(): void {
    // A delivery may pause, close or listen again, so both are checked before each message.
    while (this.isOpen && this.delivered < this.held.length) {
      const message = this.held[this.delivered] as Buffer;
      this.held[this.delivered++] = DELIVERED;
      this.heldBytes -= this.sizeOf(message);
      if (this.delivered === this.held.length || this.delivered > MOST_DELIVERED) this.giveBackPlaces();
      this.deliver?.(message);
    }
  }

  private sizeOf({ length }: Buffer): number {
    return length + this.messageBytes;
  }

  private giveBackPlaces(): void {
    this.held = this.held.slice(this.delivered);
    this.delivered = 0;
  }
}
