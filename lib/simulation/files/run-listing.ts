// What lies in a run directory, for clients that choose a checkpoint or fetch a recording; it reads and changes nothing.

import { constants } from 'node:fs';
import { type FileHandle, lstat, open, opendir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isPartialName } from './partial-name.js';

/** Names that are looked at, of a directory that may have any number. */
const MOST_LOOKED_AT = 10_000;
/** Neither links nor pipes are opened. */
const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

export interface ListedFile {
  readonly name: string;
  readonly bytes: number;
  /** Unix milliseconds. */
  readonly modifiedMillis: number;
}

/** A listing for all who ask: one is made at a time, and who asks meanwhile gets the next one. */
export class SharedListing {
  private underway: Promise<ListedFile[]> | undefined;
  private next: Promise<ListedFile[]> | undefined;

  constructor(private readonly list: () => Promise<ListedFile[]>) {}

  ask(): Promise<ListedFile[]> {
    if (!this.underway) return this.begin();
    this.next ??= this.underway.then(
      () => this.begin(),
      () => this.begin(),
    );
    return this.next;
  }

  private begin(): Promise<ListedFile[]> {
    this.next = undefined;
    const made = this.list();
    this.underway = made;
    const over = (): void => {
      if (this.underway === made) this.underway = undefined;
    };
    made.then(over, over);
    return made;
  }
}

type IsWanted = (name: string, path: string) => boolean | Promise<boolean>;

/** The shared listing of each owner's directory, whose names are wanted. */
export function sharedListings(isWanted: IsWanted): (owner: object, directory: string) => Promise<ListedFile[]> {
  const listings = new WeakMap<object, SharedListing>();
  return (owner, directory) => {
    const known = listings.get(owner) ?? new SharedListing(() => listFiles(directory, isWanted));
    listings.set(owner, known);
    return known.ask();
  };
}

/** The files of a directory that `isWanted`, the newest first, without those in directories below; none if it is not there. */
async function listFiles(directory: string, isWanted: IsWanted): Promise<ListedFile[]> {
  const found: ListedFile[] = [];
  let lookedAt = 0;
  for await (const { name } of await opened(directory)) {
    if (++lookedAt > MOST_LOOKED_AT) break;
    if (isPartialName(name)) continue;
    const path = join(directory, name);
    const status = await lstat(path).catch(() => undefined);
    if (!status?.isFile() || !(await isWanted(name, path))) continue;
    found.push({ name, bytes: status.size, modifiedMillis: status.mtimeMs });
  }
  return found.sort((one, other) => other.modifiedMillis - one.modifiedMillis);
}

const opened = async (directory: string): Promise<AsyncIterable<{ readonly name: string }>> =>
  opendir(directory).catch(() => nothing());

async function* nothing(): AsyncGenerator<never> {}

/** Whether a file begins with a text. */
export async function beginsWith(path: string, head: string): Promise<boolean> {
  const file = await openFile(path);
  try {
    const bytes = Buffer.alloc(Buffer.byteLength(head));
    const { bytesRead = 0 } = (await file?.read(bytes, 0, bytes.length, 0)) ?? {};
    return bytes.toString('utf8', 0, bytesRead) === head;
  } catch {
    return false;
  } finally {
    await file?.close();
  }
}

/** A file of a directory, open for reading; undefined for anything that is no plain file in it. */
export async function openIn(directory: string, name: string): Promise<FileHandle | undefined> {
  const file = await openFile(resolve(directory, name));
  if ((await file?.stat())?.isFile()) return file;
  await file?.close();
  return undefined;
}

const openFile = (path: string): Promise<FileHandle | undefined> =>
  open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => undefined);
