// Memory for copies of the state. Used memory is kept, because memory that is touched for the first time takes many times
// as long as the copy: docs/performance.md has the figures.

/** Sizes are rounded up to this, so that a state that grew a little still fits. */
const STEP_BYTES = 64 * 1024;
const sizeFor = (bytes: number): number => Math.ceil(bytes / STEP_BYTES) * STEP_BYTES;

/** Not from Buffer's pool, because it is transferred to another thread. */
export const newMemory = (bytes: number): Buffer => Buffer.allocUnsafeSlow(bytes);

export class CopyMemory {
  private kept: Buffer[] = [];
  private unused: { readonly memory: Buffer; usedBytes: number } | undefined;

  /** Uses new memory for the first time until `isOver`; returns whether there is used memory of at least this many bytes. */
  prepare(bytes: number, isOver: () => boolean): boolean {
    const size = sizeFor(bytes);
    if (this.kept.some(({ length }) => length === size)) return true;
    if (this.unused?.memory.length !== size) this.unused = { memory: newMemory(size), usedBytes: 0 };
    const { memory } = this.unused;
    while (this.unused.usedBytes < size) {
      const end = this.unused.usedBytes + STEP_BYTES;
      memory.fill(0, this.unused.usedBytes, end);
      this.unused.usedBytes = end;
      if (isOver()) break;
    }
    if (this.unused.usedBytes < size) return false;
    this.unused = undefined;
    this.kept = [memory];
    return true;
  }

  /** Memory of at least this many bytes, with any contents, in an ArrayBuffer of its own. */
  take(bytes: number): Buffer {
    const size = sizeFor(bytes);
    // Memory of another size goes, because the state has grown or shrunk: what is kept stays as much as was used at once.
    this.kept = this.kept.filter(({ length }) => length === size);
    return this.kept.pop() ?? newMemory(size);
  }

  /** Keeps memory whose copy is no longer needed. */
  giveBack({ buffer, byteOffset, byteLength }: Uint8Array): void {
    this.kept.push(Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength));
  }

  /** Lets go of all memory. */
  clear(): void {
    this.dropKept();
    this.unused = undefined;
  }

  /** Lets go of the memory that is ready; what is being made ready is for one who goes on with it. */
  dropKept(): void {
    this.kept = [];
  }
}
