// The one directory whose files clients may read, if the operator names one.
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';

/** Larger files are not sent. */
const LARGEST_BYTES = 64 * 1024 * 1024;

export class SendDirectory {
  private readonly root: string | undefined;

  constructor(directory: string | undefined) {
    this.root = directory === undefined ? undefined : realpathSync(directory);
  }

  /** The bytes of a file below the directory, with symbolic links followed; undefined for any other file. */
  read(name: string): Uint8Array | undefined {
    if (this.root === undefined || name.includes('\0')) return undefined;
    try {
      const path = realpathSync(resolve(this.root, name));
      const inside = relative(this.root, path);
      if (inside === '' || inside === '..' || inside.startsWith(`..${sep}`) || resolve(inside) === inside)
        return undefined;
      const { size } = statSync(path);
      return statSync(path).isFile() && size <= LARGEST_BYTES ? readFileSync(path) : undefined;
    } catch {
      return undefined;
    }
  }
}
