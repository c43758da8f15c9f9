// The one directory whose files clients may read, if the operator names one.
import { closeSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';

/** Larger files are not sent. */
const LARGEST_BYTES = 30 * 1024 * 1024;
/** Reading so much takes less than a millisecond when the system has it in memory. */
const PIECE_BYTES = 512 * 1024;

export class SendDirectory {
  private readonly root: string | undefined;

  constructor(directory: string | undefined) {
    this.root = directory === undefined ? undefined : realpathSync(directory);
  }

  /**
   * Reads a file below the directory, with symbolic links followed. Undefined for any other file, and for one that becomes
   * shorter meanwhile.
   * @param take called with its bytes before memory is taken; when it throws, the file is not read.
   * @param turn awaited between the pieces of a long file; when it rejects, no more is read.
   */
  async read(name: string, take: (bytes: number) => void, turn: () => Promise<void>): Promise<Uint8Array | undefined> {
    try {
      const { path, size } = this.find(name);
      take(size);
      const bytes = Buffer.allocUnsafe(size);
      for (let at = 0; at < size; ) {
        if (at > 0) await turn();
        const count = readPiece(path, bytes, at);
        if (count === 0) return undefined;
        at += count;
      }
      return bytes;
    } catch {
      return undefined;
    }
  }

  /** Throws an Error for a file that may not be read. */
  private find(name: string): { readonly path: string; readonly size: number } {
    if (this.root === undefined) throw new Error('there is no directory');
    const path = realpathSync(resolve(this.root, name));
    const inside = relative(this.root, path);
    if (inside === '' || inside === '..' || inside.startsWith(`..${sep}`) || resolve(inside) === inside)
      throw new Error('the path leads out');
    const stat = statSync(path);
    if (!stat.isFile() || stat.size > LARGEST_BYTES) throw new Error('it is no file, or too large');
    return { path, size: stat.size };
  }
}

/** Opened anew for each piece: its client's next turn may be late. */
function readPiece(path: string, into: Buffer, at: number): number {
  const file = openSync(path, 'r');
  try {
    return readSync(file, into, at, Math.min(PIECE_BYTES, into.length - at), at);
  } finally {
    closeSync(file);
  }
}
