// Limits the disk space of files that clients cause, for all threads that write such files.

/** A file system allocates whole blocks: many small files use more than their bytes. */
const BLOCK_BYTES = 4096;

const blocksOf = (bytes: number): number => Math.ceil(bytes / BLOCK_BYTES);

export const DEFAULT_DISK_QUOTA_BYTES = 10e9;

export class DiskQuota {
  private readonly usedBlocks: Int32Array;

  /** @param used the counter of the same quota on another thread. */
  constructor(
    readonly limitBytes = DEFAULT_DISK_QUOTA_BYTES,
    readonly used = new SharedArrayBuffer(4),
  ) {
    this.usedBlocks = new Int32Array(used);
  }

  get usedBytes(): number {
    return Atomics.load(this.usedBlocks, 0) * BLOCK_BYTES;
  }

  /**
   * Takes the bytes by which a file grows, or gives back those by which it shrinks. Throws an Error, and takes nothing,
   * when the quota does not have that many left.
   */
  change(fromBytes: number, toBytes: number): void {
    const more = blocksOf(toBytes) - blocksOf(fromBytes);
    const before = Atomics.add(this.usedBlocks, 0, more);
    if (more <= 0 || (before + more) * BLOCK_BYTES <= this.limitBytes) return;
    Atomics.sub(this.usedBlocks, 0, more);
    throw new Error(`the ${spell(this.limitBytes)} that clients may have written are used up`);
  }
}

function spell(bytes: number): string {
  const units: [string, number][] = [
    ['GB', 1e9],
    ['MB', 1e6],
    ['kB', 1e3],
  ];
  const [unit, size] = units.find(([, unitBytes]) => bytes >= unitBytes) ?? ['bytes', 1];
  return `${+(bytes / size).toFixed(3)} ${unit}`;
}
