// The one directory that a simulation's files are written to and read from.
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  opendirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Client } from '../../model/state/fair-share.js';
import type { DiskQuota, FileAccount } from './disk-quota.js';
import { beginningOf, requireFile } from './file-beginning.js';
import { MadeFiles, markFor } from './made-files.js';
import { makeDirectory } from './make-directory.js';
import { OpenFile } from './open-file.js';
import { partialName } from './partial-name.js';
import { isLockName, requireUnlocked, WriteLock } from './write-lock.js';

const LONGEST_NAME_BYTES = 255;
/** What a terminal obeys, what turns the order of letters around, and what nobody sees: a listing would show another name. */
const UNSEEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\u200b\ufeff]/u;
/** No checkpoint of a state that fits its arena is much larger. */
const LARGEST_FILE_BYTES = 2 ** 28;
/** Opening a file must neither follow a link nor wait for the other end of a pipe. */
const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_TRUNC, O_WRONLY } = constants;

/** A file cannot be used; the message is one sentence. */
export class RunFileError extends Error {
  override readonly name = 'RunFileError';
}

export class RunDirectory {
  private readonly path: string;
  /** The accounts of files that another thread writes. */
  private readonly elsewhere = new Map<string, FileAccount>();
  /**
   * @param quota limits files that clients cause, which may replace only files that varwire has made. Without it every
   * write is allowed.
   * @param account of the client for which files count.
   * @param made which files clients may replace.
   */
  constructor(
    path: string,
    private readonly quota?: DiskQuota,
    private readonly account?: FileAccount,
    private readonly made = new MadeFiles(),
  ) {
    this.path = resolve(path);
  }

  /** The same directory, for files that clients cause. */
  limitedBy(quota: DiskQuota): RunDirectory {
    return new RunDirectory(this.path, quota, undefined, this.made);
  }

  /** The same directory, for files that count for a client. */
  countedFor(account: FileAccount | undefined): RunDirectory {
    return new RunDirectory(this.path, this.quota, account, this.made);
  }

  /** The account of a client; undefined without a quota. */
  accountOf(client: Client | undefined): FileAccount | undefined {
    return client && this.quota?.accountOf(client);
  }

  /** The account of a file that another thread has written. */
  accountElsewhere(name: string): FileAccount | undefined {
    return this.elsewhere.get(resolve(this.path, name));
  }

  /** Notes the account of a file that another thread has written. */
  writtenElsewhere(name: string, account: FileAccount | undefined): void {
    const path = resolve(this.path, name);
    if (account) this.elsewhere.set(path, account);
    else this.elsewhere.delete(path);
  }

  /**
   * Replaces a whole file: a reader sees the old file or the new one. Throws a RunFileError.
   * @param head how a file begins that varwire has made before.
   * @param earlier for whom the old file has counted, if it was written before this thread began.
   * @param isLasting whether it waits until the disk has it, which may take long.
   */
  replace(name: string, content: Buffer, head = '', earlier?: FileAccount, isLasting = false): void {
    const asked = this.pathOf(name);
    attempt(`${name} cannot be written`, () => {
      const directory = this.makeDirectory(asked);
      const path = join(directory, basename(asked));
      this.made.requireClosed(path);
      requireUnlocked(path);
      if (this.quota) this.made.requireReplaceable(path, head, this.account);
      const sizeBytes = sizeOf(path);
      const former = this.made.has(path) ? this.made.accountOf(path) : earlier;
      const takeBack = this.takeFor(former, sizeBytes, content.length);
      try {
        writeWhole(directory, path, content, isLasting, this.account);
      } catch (error) {
        takeBack();
        throw error;
      }
      this.made.note(path, { head, account: this.account });
    });
  }

  /**
   * Removes a file; for a client only one that clients have caused. Throws a RunFileError.
   * @param head how the file begins.
   */
  remove(name: string, head: string): void {
    const asked = this.pathOf(name);
    attempt(`${name} cannot be removed`, () => {
      // Also where there is none: then no directory is made for it.
      if (beginningOf(asked, head.length) === undefined) throw new Error(NO_FILE);
      const path = join(this.makeDirectory(asked), basename(asked));
      this.made.requireClosed(path);
      requireUnlocked(path);
      if (this.quota) this.made.requireReplaceable(path, head, this.account);
      const sizeBytes = sizeOf(path);
      rmSync(path);
      this.quota?.change(sizeBytes, 0, this.made.accountOf(path));
      this.made.forget(path);
    });
  }

  has(name: string): boolean {
    return existsSync(this.pathOf(name));
  }

  /** Whether a directory below this one has so many files or more; it looks at no more than these. */
  hasAtLeast(name: string, count: number): boolean {
    const path = this.pathOf(name);
    if (!existsSync(path)) return false;
    return attempt(`${name} cannot be read`, () => {
      const directory = opendirSync(path);
      try {
        let found = 0;
        while (found < count && directory.readSync()) found++;
        return found >= count;
      } finally {
        directory.closeSync();
      }
    });
  }

  /** Throws a RunFileError while another server writes the file. */
  requireFree(name: string): void {
    attempt(`${name} cannot be written`, () => requireUnlocked(this.pathOf(name)));
  }

  /** The first parts of a file's path below the directory, each with those before it: `a` and `a/b` of `a/b/c`. */
  beginningsOf(name: string, most: number): readonly string[] {
    const parts = relative(this.path, resolve(this.path, name)).split(sep, most);
    return parts.map((_, index) => parts.slice(0, index + 1).join(sep));
  }

  /** Whether two names, however they are spelled, are those of one file. */
  isSame(name: string, other: string): boolean {
    return resolve(this.path, name) === resolve(this.path, other);
  }

  /**
   * Reads a whole file, its name relative to the working directory, as Trick opens it, or to the run directory. Throws a
   * RunFileError.
   * @param head how a file must begin that lies in the working directory and not in the run directory; without it there
   * is none.
   */
  read(name: string, head?: string): Buffer {
    const fromHere = resolve(name);
    if (!hasOddParts(name) && isStrictlyBelow(this.path, fromHere) && existsSync(fromHere))
      return this.readFrom(this.path, fromHere, name);
    if (head !== undefined && this.isElsewhere(name, head)) return this.readFrom(resolve(), fromHere, name);
    if (head !== undefined) this.requireFound(name);
    return this.readFrom(this.path, this.pathOf(name), name);
  }

  /**
   * Throws a RunFileError when the run directory has no such file. The sentence never says whether another file of that
   * name lies in the working directory.
   */
  private requireFound(name: string): void {
    const path = resolve(this.path, name);
    const isOutside = hasOddParts(name) || !isStrictlyBelow(this.path, path);
    if (!isOutside && existsSync(path)) return;
    const what = isOutside
      ? `${JSON.stringify(name.slice(0, LONGEST_NAME_BYTES))} is not a file`
      : `${name} cannot be read: there is no such file`;
    throw new RunFileError(`${what} in the run directory, and no checkpoint in the working directory`);
  }

  /** Whether the working directory has the file, with such a beginning, and the run directory has none of its name. */
  private isElsewhere(name: string, head: string): boolean {
    const path = resolve(name);
    if (hasOddParts(name) || !isStrictlyBelow(resolve(), path)) return false;
    const isInBoth = !isAbsolute(name) && existsSync(resolve(this.path, name));
    return !isInBoth && begins(path, head);
  }

  private readFrom(root: string, path: string, name: string): Buffer {
    return attempt(`${name} cannot be read`, () => {
      const descriptor = openSync(path, O_RDONLY | O_NONBLOCK);
      try {
        const { size, ino } = requireFile(descriptor);
        // Checked after it was opened, so that the checked file is the opened one.
        const real = realpathSync(path);
        if (!isBelow(realpathSync(root), real) || statSync(real).ino !== ino) throw new Error(LEADS_OUT);
        if (size > LARGEST_FILE_BYTES) throw new Error(`it has more than ${LARGEST_FILE_BYTES} bytes`);
        return readFileSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
    });
  }

  /**
   * Starts a new file, to be written piece by piece; no other server writes it until it is closed. Throws a RunFileError.
   * @param head how a file begins that varwire has made before.
   * @param keptBytes goes on with a file of this size, which this run has made; without it the file is emptied.
   */
  create(name: string, head = '', keptBytes = 0): OpenFile {
    const asked = this.pathOf(name);
    return attempt(`${name} cannot be written`, () => {
      const directory = this.makeDirectory(asked);
      const path = join(directory, basename(asked));
      this.made.requireClosed(path);
      if (this.quota) this.made.requireReplaceable(path, head, this.account);
      const lock = WriteLock.take(path);
      try {
        return this.opened(directory, path, head, keptBytes, lock);
      } catch (error) {
        lock.release();
        throw error;
      }
    });
  }

  private opened(directory: string, path: string, head: string, keptBytes: number, lock: WriteLock): OpenFile {
    const sizeBytes = sizeOf(path);
    if (keptBytes > 0 && sizeBytes !== keptBytes) throw new Error('it is no longer as it was left');
    // Another name of a client's file, which the operator may have made, keeps what is in it.
    if (this.quota && this.account && keptBytes === 0) rmSync(path, { force: true });
    const descriptor = openInside(directory, path, keptBytes > 0 ? 0 : O_TRUNC);
    this.takeFor(this.made.accountOf(path), sizeBytes, keptBytes);
    this.made.note(path, { head, account: this.account });
    markFor(descriptor, this.account);
    this.made.opened(path);
    return new OpenFile({ descriptor, size: keptBytes, quota: this.quota, account: this.account, lock }, () =>
      this.made.closed(path),
    );
  }

  /** Counts the new size of a file in place of the old one, and for whom; returns a call that undoes it. */
  private takeFor(former: FileAccount | undefined, fromBytes: number, toBytes: number): () => void {
    const { quota, account } = this;
    quota?.change(fromBytes, 0, former);
    try {
      quota?.change(0, toBytes, account);
    } catch (error) {
      quota?.restore(fromBytes, former);
      throw error;
    }
    return () => {
      quota?.change(toBytes, 0, account);
      quota?.restore(fromBytes, former);
    };
  }

  /** Makes the directory of a file; returns its real path. Throws when that is outside the run directory. */
  private makeDirectory(path: string): string {
    try {
      makeDirectory(this.path);
    } catch (error) {
      throw new Error(`the run directory cannot be made: ${reasonOf(error)}`, { cause: error });
    }
    const root = realpathSync(this.path);
    let at = root;
    for (const part of relative(this.path, dirname(path)).split(sep).filter(Boolean)) {
      if (!existsSync(join(at, part))) this.makePart(join(at, part));
      at = realpathSync(join(at, part));
      if (!isBelow(root, at)) throw new Error(LEADS_OUT);
    }
    return at;
  }

  /** A directory takes room on the disk too, and stays when no file comes into it. */
  private makePart(path: string): void {
    this.quota?.change(0, 1, this.account);
    try {
      makeDirectory(path);
    } catch (error) {
      this.quota?.change(1, 0, this.account);
      throw error;
    }
  }

  /** Throws a RunFileError for a path outside the run directory, in any spelling. */
  private pathOf(name: string): string {
    const path = resolve(this.path, name);
    if (!isStrictlyBelow(this.path, path) || name.split(/[\\/]/).includes('..')) {
      throw new RunFileError(`${JSON.stringify(name)} is not a file in the run directory`);
    }
    if (name.split(/[\\/]/).some(isLockName))
      throw new RunFileError(`${JSON.stringify(name)} is not a file's name: it would be taken for a lock`);
    if (UNSEEN.test(name)) {
      throw new RunFileError(
        `${JSON.stringify(name.slice(0, 40))} is not a file's name: it has signs that nobody sees`,
      );
    }
    if (Buffer.byteLength(basename(path)) > LONGEST_NAME_BYTES - 32) {
      const shown = JSON.stringify(`${name.slice(0, 40)}…`);
      throw new RunFileError(`${shown} is not a file's name: it has more than ${LONGEST_NAME_BYTES - 32} bytes`);
    }
    return path;
  }
}

const NO_FILE = 'there is no such file';
const LEADS_OUT = 'a symbolic link leads out of the run directory';

function isBelow(root: string, path: string): boolean {
  const inside = relative(root, path);
  return inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}

const isStrictlyBelow = (root: string, path: string): boolean => path !== root && isBelow(root, path);

/** Whether a name may not be looked for at all. */
const hasOddParts = (name: string): boolean => name.includes('\0') || name.split(/[\\/]/).includes('..');

/** Whether there is a file that begins so; a link is none. */
function begins(path: string, head: string): boolean {
  try {
    return beginningOf(path, Buffer.byteLength(head)) === head;
  } catch {
    return false;
  }
}

function writeWhole(directory: string, path: string, content: Buffer, isLasting: boolean, account?: FileAccount) {
  const temporary = join(directory, partialName());
  try {
    const descriptor = openInside(directory, temporary, O_EXCL);
    try {
      markFor(descriptor, account);
      writeFileSync(descriptor, content, { flush: isLasting });
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Opens for writing; throws, before anything is written, when the directory has been replaced by a link. */
function openInside(directory: string, path: string, flags: number): number {
  const descriptor = openSync(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | flags, 0o666);
  if (realpathSync(directory) === directory && fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw new Error(LEADS_OUT);
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: NO_FILE,
  EACCES: 'it is not permitted',
  EISDIR: 'it is a directory',
  ENOSPC: 'there is no room left',
  EDQUOT: 'there is no room left for this user',
  EROFS: 'it is on a disk that is only read',
  ELOOP: 'it is a symbolic link',
  ENOTDIR: 'a part of its path is not a directory',
};

function attempt<T>(what: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new RunFileError(`${what}: ${reasonOf(error)}`, { cause: error });
  }
}

/** An error of the system in words. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return REASONS[code ?? ''] ?? message;
}
