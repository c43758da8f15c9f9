// How a file begins; neither links are followed nor pipes waited for.
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/** The first bytes of a file as text; undefined when there is no file. */
export function beginningOf(path: string, lengthBytes: number): string | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    requireFile(descriptor);
    const bytes = Buffer.alloc(lengthBytes);
    return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, lengthBytes, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** Throws an Error for a pipe or a device, which would block the simulation. */
export function requireFile(descriptor: number): Pick<Stats, 'size' | 'ino' | 'mtimeMs'> {
  const status = fstatSync(descriptor);
  if (!status.isFile()) throw new Error('it is not a file');
  return status;
}
