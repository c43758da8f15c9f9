// A disk that has no room left.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Whatever is written meanwhile is written half, and then refused.
 * @param roomBytes there is in the last block of each file: what ends within them is written. Default: none.
 */
export function onFullDisk<T>(act: () => T, roomBytes = 0): T {
  const { writeSync } = fs;
  let isFull = false;
  const ends = new Map<number, number>();
  const half = (descriptor: number, bytes: Buffer, offset: number, length: number, position?: number): number => {
    // A lock, in the block of one that has gone.
    if (roomBytes > 0 && position === undefined) return writeSync(descriptor, bytes);
    const end = ends.get(descriptor) ?? (position ?? 0) + roomBytes;
    ends.set(descriptor, end);
    if ((position ?? 0) + length <= end) return writeSync(descriptor, bytes, offset, length, position);
    if (isFull) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    isFull = true;
    return writeSync(descriptor, bytes, offset, Math.ceil(length / 2), position);
  };
  const put = (write: typeof writeSync): void => {
    fs.writeSync = write;
    syncBuiltinESMExports();
  };
  put(half as typeof writeSync);
  try {
    return act();
  } finally {
    put(writeSync);
  }
}
