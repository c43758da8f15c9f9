// Memory for copies of the state. Used memory is kept, because memory that is touched for the first time takes many times
// as long as the copy.

/** Memory is used for the first time in pieces of this size. */
const STEP_BYTES = 64 * 1024;
/** New memory has so much more room, as a share of the state, so that a state that grows still fits. */
const SPARE = 1 / 8;
/** Memory of more than so many times the state is not kept for it. */
const MOST_ROOM = 2;

const inSteps = (bytes: number): number => Math.ceil(bytes / STEP_BYTES) * STEP_BYTES;
const roomFor = (bytes: number): number => inSteps(bytes * (1 + SPARE));
const fits = ({ length }: Buffer, bytes: number): boolean => length >= bytes && length <= MOST_ROOM * inSteps(bytes);

/** Not from Buffer's pool, because it is transferred to another thread. */
export const newMemory = (bytes: number): Buffer => Buffer.allocUnsafeSlow(bytes);

export class CopyMemory {
  private kept: Buffer[] = [];
  private unused: { readonly memory: Buffer; usedBytes: number } | undefined;

  /** Uses new memory for the first time until `isOver`; returns whether there is used memory of at least this many bytes. */
  prepare(bytes: number, isOver: () => boolean): boolean {
    if (this.kept.some((memory) => fits(memory, bytes))) return true;
    if (!this.unused || !fits(this.unused.memory, bytes))
      this.unused = { memory: newMemory(roomFor(bytes)), usedBytes: 0 };
    const { memory } = this.unused;
    while (this.unused.usedBytes < memory.length) {
      const end = this.unused.usedBytes + STEP_BYTES;
      memory.fill(0, this.unused.usedBytes, end);
      this.unused.usedBytes = end;
      if (isOver()) break;
    }
    if (this.unused.usedBytes < memory.length) return false;
    this.unused = undefined;
    this.kept = [memory];
    return true;
  }

  /** Memory of at least this many bytes, with any contents, in an ArrayBuffer of its own. */
  take(bytes: number): Buffer {
    // Memory that does not fit goes, because the state has grown or shrunk: what is kept stays as much as was used at once.
    this.kept = this.kept.filter((memory) => fits(memory, bytes));
    return this.kept.pop() ?? newMemory(roomFor(bytes));
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
