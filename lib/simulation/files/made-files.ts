// Which files of a run directory this run has made, and which of them clients have caused, in this run or an earlier one:
// clients replace only the latter. What the operator and other programs have put there is not theirs.
import { fchmodSync, fstatSync, lstatSync } from 'node:fs';
import type { FileAccount } from './disk-quota.js';
import { beginningOf } from './file-beginning.js';

/**
 * The mark of a file that a client has caused: the sticky bit, which means nothing else for a file. It goes where the file
 * goes: what is moved to its name has none, and what is copied into it has it.
 */
const OF_CLIENTS = 0o1000;
const MODE = 0o7777;

/** A file that this run has made. */
interface Made {
  /** How it begins. */
  readonly head: string;
  /** Of the client that has caused it; undefined for the operator. */
  readonly account: FileAccount | undefined;
}

/** Paths are real ones. */
export class MadeFiles {
  private readonly made = new Map<string, Made>();
  /** What is being written. */
  private readonly open = new Set<string>();

  accountOf(path: string): FileAccount | undefined {
    return this.made.get(path)?.account;
  }

  has(path: string): boolean {
    return this.made.has(path);
  }

  note(path: string, made: Made): void {
    this.made.set(path, made);
  }

  forget(path: string): void {
    this.made.delete(path);
  }

  opened(path: string): void {
    this.open.add(path);
  }
  closed(path: string): void {
    this.open.delete(path);
  }
  /** Throws an Error while a file is written piece by piece. */
  requireClosed(path: string): void {
    if (this.open.has(path)) throw new Error('it is being written');
  }

  /**
   * Throws an Error when a file that is there may not be removed, or replaced by another one, with this beginning.
   * @param account of the client that causes it; undefined for the operator, who may replace what begins alike.
   */
  requireReplaceable(path: string, head: string, account: FileAccount | undefined): void {
    const begins = beginningOf(path, Buffer.byteLength(head));
    if (begins === undefined) return;
    if (account && !isOfClients(path)) throw new Error('there is a file of this name that no client has made');
    if (this.made.get(path)?.head === head || (begins === head && head !== '')) return;
    const what = account ? 'has another format' : 'varwire has not made, or has made in another format';
    throw new Error(`there is a file of this name that ${what}`);
  }
}

const isOfClients = (path: string): boolean =>
  ((lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OF_CLIENTS) !== 0;

/** Marks a file that was opened for writing as a client's, or as the operator's. */
export function markFor(descriptor: number, account: FileAccount | undefined): void {
  const mode = fstatSync(descriptor).mode & MODE;
  const marked = account ? mode | OF_CLIENTS : mode & ~OF_CLIENTS;
  if (marked === mode) return;
  try {
    fchmodSync(descriptor, marked);
  } catch {
    // Of a file that belongs to somebody else, or where there are no such marks, no client replaces what is there.
  }
}
