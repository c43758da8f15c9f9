// Holds whole messages while reading is paused, for sockets that cannot pause in the middle of what they read.

export class ReadingGate {
  private readonly limitBytes: number;
  private readonly held: Buffer[] = [];
  private heldBytes = 0;
  private paused = false;
  private deliver: ((message: Buffer) => void) | undefined;

  constructor(limitBytes: number) {
    this.limitBytes = limitBytes;
  }

  get isOpen(): boolean {
    return this.deliver !== undefined && !this.paused;
  }

  /** Returns false when the message was dropped because too much is held already. */
  push(message: Buffer): boolean {
    if (this.heldBytes + message.length > this.limitBytes) return false;
    this.held.push(message);
    this.heldBytes += message.length;
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
    this.held.length = 0;
  }

  private release(): void {
    // A delivery may pause, close or listen again, so both are checked before each message.
    while (this.isOpen && this.held.length > 0) {
      const message = this.held.shift()!;
      this.heldBytes -= message.length;
      this.deliver?.(message);
    }
  }
}
