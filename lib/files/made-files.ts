// Which files of a run directory this run has made, and which of them clients have caused, in this run or an earlier one:
// clients replace only the latter. What the operator and other programs have put there is not theirs.
import { closeSync, constants, openSync, readFileSync, realpathSync, writeSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { Payer } from './disk-quota.js';
import { beginningOf } from './file-beginning.js';

/** The file of the run directory that names what clients have caused: `+` and a name, or `-` when it is theirs no longer. */
export const CLIENTS_FILES = '.varwire-clients';

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/** A file that this run has made. */
interface Made {
  /** How it begins. */
  readonly head: string;
  /** Who pays for it: the client that has caused it; undefined for the operator. */
  readonly payer: Payer | undefined;
}

/** Paths are real ones. */
export class MadeFiles {
  private readonly made = new Map<string, Made>();
  /** What is being written. */
  private readonly open = new Set<string>();
  /** Names below the run directory. */
  private clients: Set<string> | undefined;
  private readonly directory: string;

  /** @param directory the run directory, which need not be there yet. */
  constructor(directory: string) {
    this.directory = resolve(directory);
  }

  payerOf(path: string): Payer | undefined {
    return this.made.get(path)?.payer;
  }

  has(path: string): boolean {
    return this.made.has(path);
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
   * Throws an Error when a file that is there may not be replaced by another one with this beginning.
   * @param payer the client that causes it; undefined for the operator, who may replace what begins alike.
   */
  requireReplaceable(path: string, head: string, payer: Payer | undefined): void {
    const made = this.made.get(path);
    if (made?.head === head && (made.payer || !payer)) return;
    const begins = beginningOf(path, Buffer.byteLength(head));
    if (begins === undefined) return;
    const isAlike = begins === head && head !== '';
    if (isAlike && (!payer || (!made && this.clientsFiles().has(this.nameOf(path))))) return;
    const why = payer ? 'no client has made, or one' : 'varwire has not made, or has made';
    throw new Error(`there is a file of this name that ${why} in another format`);
  }

  /** Notes a file that has been made. */
  note(path: string, made: Made): void {
    const name = this.nameOf(path);
    const isClients = made.payer !== undefined;
    const clients = this.clientsFiles();
    if (clients.has(name) !== isClients) {
      this.append(`${isClients ? '+' : '-'}${name}\n`);
      if (isClients) clients.add(name);
      else clients.delete(name);
    }
    this.made.set(path, made);
  }

  private nameOf(path: string): string {
    return relative(realpathSync(this.directory), path);
  }

  /** What is not written down, because the disk is full or closed to us, is not replaced in a later run. */
  private append(line: string): void {
    const flags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK;
    try {
      const descriptor = openSync(join(this.directory, CLIENTS_FILES), flags, 0o666);
      try {
        writeSync(descriptor, line);
      } finally {
        closeSync(descriptor);
      }
    } catch {}
  }

  private clientsFiles(): Set<string> {
    this.clients ??= namesIn(textOf(join(this.directory, CLIENTS_FILES)));
    return this.clients;
  }
}

function namesIn(text: string): Set<string> {
  const names = new Set<string>();
  for (const line of text.split('\n')) {
    if (line.startsWith('+')) names.add(line.slice(1));
    else names.delete(line.slice(1));
  }
  return names;
}

/** Empty when there is no such file, or one that cannot be read. */
function textOf(path: string): string {
  let descriptor: number;
  try {
    descriptor = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch {
    return '';
  }
  try {
    return readFileSync(descriptor, 'utf8');
  } catch {
    return '';
  } finally {
    closeSync(descriptor);
  }
}
