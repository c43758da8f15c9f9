// Who writes a file piece by piece: a small file beside it names the process, so that no other server empties it meanwhile.
import {
  closeSync,
  constants,
  fstatSync,
  futimesSync,
  linkSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join, parse } from 'node:path';
import { beginningOf } from './file-beginning.js';
import { partialName } from './partial-name.js';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
const LONGEST_BYTES = 500;
/** The process, its descriptor of the lock, when it began, and where its number means something. */
const CONTENT = /^([1-9]\d*) (\d+) (\S+) (\S+)\n$/;
/** Of a process of another container or machine nobody here can ask: its lock counts as long as it is renewed. */
const RENEW_MILLIS = 10_000;
const UNRENEWED_MILLIS = 60_000;
/** A lock without such contents is being made, or its maker was killed meanwhile. */
const MAKING_MILLIS = 5_000;
const ATTEMPTS = 3;

export const isLockName = (name: string): boolean => /^\..*\.lock$/.test(name);

/** A recording's data and its header have the same lock, whatever their form. */
const lockOf = (path: string): string => join(dirname(path), `.${parse(path).name}.lock`);

/** Throws an Error while another server writes the file, in this process or in another one. */
export function requireUnlocked(path: string): void {
  const lock = lockOf(path);
  const content = contentOf(lock);
  const owner = content === undefined ? undefined : ownerOf(lock, content);
  if (owner !== undefined) throw new Error(`${owner} is writing it; take another run directory or name`);
}

/** Undefined for a lock that is not there, or cannot be read: then none can be made in its place. */
function contentOf(lock: string): string | undefined {
  try {
    return beginningOf(lock, LONGEST_BYTES);
  } catch {
    return undefined;
  }
}

/** Held until it is released, or this process has gone, however it ends. */
export class WriteLock {
  private renewedMillis = Date.now();

  private constructor(
    private readonly path: string,
    private readonly descriptor: number,
  ) {}

  /** @param path of the file that is written; its directory is there. Throws an Error with one sentence. */
  static take(path: string): WriteLock {
    const lock = lockOf(path);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      requireUnlocked(path);
      removeLeft(lock);
      const descriptor = made(lock);
      if (descriptor !== undefined) return new WriteLock(lock, descriptor);
    }
    throw new Error('other servers begin to write it');
  }

  /** Shows those who cannot ask for this process that it is there. Call it often. */
  renew(): void {
    const now = Date.now();
    if (now - this.renewedMillis < RENEW_MILLIS) return;
    this.renewedMillis = now;
    futimesSync(this.descriptor, now / 1000, now / 1000);
  }

  release(): void {
    const { ino } = fstatSync(this.descriptor);
    closeSync(this.descriptor);
    if (statSync(this.path, { throwIfNoEntry: false })?.ino === ino) rmSync(this.path, { force: true });
  }
}

/** Makes a lock; returns its descriptor, or undefined when there is one already. */
function made(lock: string): number | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(lock, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  }
  try {
    writeSync(descriptor, `${process.pid} ${descriptor} ${beginOf(process.pid) ?? '-'} ${place()}\n`);
  } catch (error) {
    closeSync(descriptor);
    rmSync(lock, { force: true });
    throw error;
  }
  return descriptor;
}

/** Removes a lock whose owner has gone, and no other that has come meanwhile. */
function removeLeft(lock: string): void {
  const content = contentOf(lock);
  if (content === undefined || ownerOf(lock, content) !== undefined) return;
  const aside = join(dirname(lock), partialName());
  try {
    renameSync(lock, aside);
    if (contentOf(aside) !== content) linkSync(aside, lock);
  } catch {
    // Another server has removed it, or has made its own.
  }
  rmSync(aside, { force: true });
}

/** Who holds a lock, in words; undefined when that has gone. */
function ownerOf(lock: string, content: string): string | undefined {
  const age = Math.abs(Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0));
  const [, number, descriptor, begin, where] = CONTENT.exec(content) ?? [];
  if (number === undefined) return age < MAKING_MILLIS ? 'another server' : undefined;
  if (where !== place()) return age < UNRENEWED_MILLIS ? 'a server of another machine or container' : undefined;
  const process_ = Number(number);
  if (!isThere(process_) || (beginOf(process_) ?? begin) !== begin) return undefined;
  if (hasClosed(`/proc/${number}/fd/${descriptor}`, lock)) return undefined;
  return process_ === process.pid ? 'another server of this process' : `process ${number}`;
}

function isThere(processNumber: number): boolean {
  try {
    process.kill(processNumber, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** When a process began, which tells it from a later one of its number; undefined where the system does not say. */
function beginOf(processNumber: number): string | undefined {
  try {
    const fields = readFileSync(`/proc/${processNumber}/stat`, 'latin1').split(') ').at(-1)?.split(' ');
    return fields?.[19];
  } catch {
    return undefined;
  }
}

/** Whether the system shows that a process has its lock no longer open: the thread of a server may have been ended. */
function hasClosed(shown: string, lock: string): boolean {
  if (process.platform !== 'linux') return false;
  try {
    return statSync(shown).ino !== statSync(lock, { throwIfNoEntry: false })?.ino;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

/** Where process numbers mean the same: a boot of a machine and, on Linux, a container. */
function place(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    return `${boot}/${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return encodeURIComponent(hostname()) || '-';
  }
}
