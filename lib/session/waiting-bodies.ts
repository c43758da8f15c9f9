// Limits the bytes of request bodies that have been read and whose answers are not made yet: a client that sends, leaves
// and sends again would fill the memory.

/** Bytes of all addresses, and of one. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_BYTES_OF_ADDRESS = 16 * 1024 * 1024;
/** A client whose long requests wait must not keep the short ones of its address out. */
const UNCOUNTED_BYTES = 16 * 1024;

export class WaitingBodies {
  private readonly byAddress = new Map<string, number>();
  private bytes = 0;

  /** Counts a body until `answer` is over. Returns false, and calls nothing, when there is no room for it. */
  async during(address: string, bytes: number, answer: () => Promise<void>): Promise<boolean> {
    const counted = bytes > UNCOUNTED_BYTES ? bytes : 0;
    if (!this.hold(address, counted)) return false;
    try {
      await answer();
    } finally {
      this.release(address, counted);
    }
    return true;
  }

  private hold(address: string, bytes: number): boolean {
    const ofAddress = (this.byAddress.get(address) ?? 0) + bytes;
    if (bytes > 0 && (ofAddress > MOST_BYTES_OF_ADDRESS || this.bytes + bytes > MOST_BYTES)) return false;
    if (ofAddress > 0) this.byAddress.set(address, ofAddress);
    this.bytes += bytes;
    return true;
  }

  private release(address: string, bytes: number): void {
    const left = (this.byAddress.get(address) ?? 0) - bytes;
    if (left > 0) this.byAddress.set(address, left);
    else this.byAddress.delete(address);
    this.bytes -= bytes;
  }
}
