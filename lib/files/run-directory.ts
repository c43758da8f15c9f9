// The one directory that a simulation's files are written to and read from.
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

const LONGEST_NAME_BYTES = 255;
/** No checkpoint of a state that fits its arena is larger by much. */
const LARGEST_FILE_BYTES = 2 ** 28;

/** A file that cannot be used, in one sentence. */
export class RunFileError extends Error {
  override readonly name = 'RunFileError';
}

export class RunDirectory {
  private readonly path: string;

  constructor(path: string) {
    this.path = resolve(path);
  }

  /** Replaces a file as a whole: whoever reads it sees the old one or the new one. Throws a RunFileError. */
  replace(name: string, content: Buffer): void {
    const path = this.pathOf(name);
    const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.partial`);
    attempt(`${name} cannot be written`, () => {
      mkdirSync(dirname(path), { recursive: true });
      try {
        writeFileSync(temporary, content, { flush: true });
        renameSync(temporary, path);
      } catch (error) {
        rmSync(temporary, { force: true });
        throw error;
      }
    });
  }

  /** A whole file. Throws a RunFileError. */
  read(name: string): Buffer {
    const path = this.pathOf(name);
    return attempt(`${name} cannot be read`, () => {
      const { size } = requireFile(path);
      if (size > LARGEST_FILE_BYTES) throw new Error(`it has more than ${LARGEST_FILE_BYTES} bytes`);
      return readFileSync(path);
    });
  }

  /** Starts a file anew, to be written piece by piece. Throws a RunFileError. */
  create(name: string): OpenFile {
    const path = this.pathOf(name);
    return attempt(`${name} cannot be written`, () => {
      mkdirSync(dirname(path), { recursive: true });
      return new OpenFile(openSync(path, 'w'));
    });
  }

  /** Throws a RunFileError for what lies outside, whatever the spelling. */
  private pathOf(name: string): string {
    const path = resolve(this.path, name);
    const inside = relative(this.path, path);
    const isOutside = inside === '' || inside.startsWith(`..${sep}`) || inside === '..' || isAbsolute(inside);
    if (isOutside || name.split(/[\\/]/).includes('..')) {
      throw new RunFileError(`${JSON.stringify(name)} is not a file in the run directory ${this.path}`);
    }
    if (name.includes('\0') || Buffer.byteLength(basename(path)) > LONGEST_NAME_BYTES - 32) {
      throw new RunFileError(`${JSON.stringify(name.slice(0, 40))} is not a file's name`);
    }
    return path;
  }
}

/** A file being written. */
export class OpenFile {
  constructor(private readonly descriptor: number) {}

  append(bytes: Buffer): void {
    for (let done = 0; done < bytes.length; ) done += writeSync(this.descriptor, bytes, done);
  }

  close(): void {
    closeSync(this.descriptor);
  }
}

/** A pipe or a device would hold the simulation up. */
function requireFile(path: string): { readonly size: number } {
  const status = statSync(path);
  if (!status.isFile()) throw new Error('it is not a file');
  return status;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it is not permitted',
  EISDIR: 'it is a directory',
  ENOSPC: 'there is no room left',
  ENOTDIR: 'a part of its path is not a directory',
};

function attempt<T>(what: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new RunFileError(`${what}: ${REASONS[code ?? ''] ?? message}`, { cause: error });
  }
}
