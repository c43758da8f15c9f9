// A disk that has no room left.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Whatever is written meanwhile is written half, and then refused. */
export function onFullDisk<T>(act: () => T): T {
  const { writeSync } = fs;
  let isFull = false;
  const half = (descriptor: number, bytes: Buffer, offset: number, length: number, position: number): number => {
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
