// Memory for copies of the state. Used memory is kept, because memory that is touched for the first time takes many times
// as long as the copy: docs/performance.md has the figures.

/** Sizes are rounded up to this, so that a state that grew a little still fits. */
const STEP_BYTES = 64 * 1024;

/** Not from Buffer's pool, because it is transferred to another thread. */
export const newMemory = (bytes: number): Buffer => Buffer.allocUnsafeSlow(bytes);

export class CopyMemory {
  private readonly kept: Buffer[] = [];

  /** Memory of at least this many bytes, with any contents, in an ArrayBuffer of its own. */
  take(bytes: number): Buffer {
    const at = this.kept.findLastIndex(({ length }) => length >= bytes);
    const [found] = at < 0 ? [] : this.kept.splice(at, 1);
    return found ?? newMemory(Math.ceil(bytes / STEP_BYTES) * STEP_BYTES);
  }

  /** Keeps memory whose copy is no longer needed. */
  giveBack({ buffer, byteOffset, byteLength }: Uint8Array): void {
    this.kept.push(Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength));
  }

  /** Lets go of all that is kept. */
  clear(): void {
    this.kept.length = 0;
  }
}
