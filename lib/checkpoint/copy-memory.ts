// Memory for copies of the state. Used memory is kept, because memory that is touched for the first time takes many times
// as long as the copy: docs/performance.md has the figures.

/** Sizes are rounded up to this, so that a state that grew a little still fits. */
const STEP_BYTES = 64 * 1024;

/** Not from Buffer's pool, because it is transferred to another thread. */
export const newMemory = (bytes: number): Buffer => Buffer.allocUnsafeSlow(bytes);

export class CopyMemory {
  private kept: Buffer[] = [];

  /** Memory of at least this many bytes, with any contents, in an ArrayBuffer of its own. */
  take(bytes: number): Buffer {
    const size = Math.ceil(bytes / STEP_BYTES) * STEP_BYTES;
    // Memory of another size goes, because the state has grown or shrunk: what is kept stays as much as was used at once.
    this.kept = this.kept.filter(({ length }) => length === size);
    return this.kept.pop() ?? newMemory(size);
  }

  /** Keeps memory whose copy is no longer needed. */
  giveBack({ buffer, byteOffset, byteLength }: Uint8Array): void {
    this.kept.push(Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength));
  }

  /** Lets go of all that is kept. */
  clear(): void {
    this.kept = [];
  }
}
