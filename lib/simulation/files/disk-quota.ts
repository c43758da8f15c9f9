// Limits the disk space of files that clients cause, for all threads that write such files.
import { LIMITS } from '../../model/bounds/limits.js';
import { type Client, type Figures, mostOf } from '../../model/state/fair-share.js';
import { CounterSlots } from './counter-slots.js';

/** A file system allocates whole blocks: many small files use more than their bytes. */
const BLOCK_BYTES = 4096;
/** No quota has room for more files, because their names are kept. */
const MOST_FILES = 100_000;

export const DEFAULT_DISK_QUOTA_BYTES = LIMITS.diskBytes.all;

/** Counters of addresses, and of clients, each with the number of its client; others count together in the last one. */
const ADDRESSES = 256;
const CLIENTS = 1024;
const REFUSALS_AT = 1;
const BLOCK_AT = 2;
const ADDRESSES_AT = 3;
const CLIENTS_AT = ADDRESSES_AT + ADDRESSES;
/** How many words the counters take. */
export const DISK_QUOTA_WORDS = CLIENTS_AT + 2 * CLIENTS;

/** The counters for the files of one client, as plain data. */
export interface FileAccount {
  readonly address: number;
  readonly counter: number;
  readonly session: number;
}

export class DiskQuota {
  private readonly blockBytes: number;
  private readonly addresses = new CounterSlots(ADDRESSES, (slot) => this.words[ADDRESSES_AT + slot] === 0, 'kept');
  private readonly clients = new CounterSlots(CLIENTS, (slot) => this.words[CLIENTS_AT + 2 * slot + 1] === 0, 'reused');

  /** @param words of the same quota on another thread. */
  constructor(
    readonly limitBytes = DEFAULT_DISK_QUOTA_BYTES,
    readonly words: Int32Array = new Int32Array(new SharedArrayBuffer(DISK_QUOTA_WORDS * 4)),
  ) {
    this.blockBytes = Math.max(BLOCK_BYTES, Math.ceil(limitBytes / MOST_FILES));
    Atomics.store(this.words, BLOCK_AT, this.blockBytes);
  }

  /** The counters of a client. Only one thread may ask for them. */
  accountOf({ address, session }: Client): FileAccount {
    const counter = this.clients.of(session);
    const at = CLIENTS_AT + 2 * counter;
    if (Atomics.load(this.words, at) !== session) {
      Atomics.store(this.words, at + 1, 0);
      Atomics.store(this.words, at, session);
    }
    return { address: this.addresses.of(address), counter, session };
  }

  /**
   * Takes the bytes by which a file grows, or gives back those by which it shrinks. Throws an Error, and takes nothing,
   * when the quota, or the share of the client, does not have that many left.
   */
  change(fromBytes: number, toBytes: number, account?: FileAccount): void {
    const more = this.blocksOf(toBytes) - this.blocksOf(fromBytes);
    const before = Atomics.add(this.words, 0, more);
    const share = account ? this.count(account, more) : undefined;
    if (more <= 0) return;
    const all = Math.floor(this.limitBytes / this.blockBytes);
    const most = share && mostOf(all, { sum: before, ...share });
    if (before + more <= all && (!share || share.has + more <= (most as number))) return;
    Atomics.sub(this.words, 0, more);
    if (account) this.count(account, -more);
    Atomics.add(this.words, REFUSALS_AT, 1);
    if (before + more > all) throw new Error(`the ${spell(this.limitBytes)} that clients may have written are used up`);
    const shareBytes = (most as number) * this.blockBytes;
    throw new Error(`a client's files may take ${spell(shareBytes)} now, of ${spell(this.limitBytes)} for all`);
  }

  /** Counts a file again that there was before, whatever is left. */
  restore(bytes: number, account: FileAccount | undefined): void {
    const blocks = this.blocksOf(bytes);
    Atomics.add(this.words, 0, blocks);
    if (account) this.count(account, blocks);
  }

  private blocksOf(bytes: number): number {
    return Math.ceil(bytes / this.blockBytes);
  }

  /** Adds blocks to an account; returns what they were before. A counter may be another client's by now. */
  private count(
    { address, counter, session }: FileAccount,
    blocks: number,
  ): { readonly ofAddress: number; has: number } {
    const ofAddress = Atomics.add(this.words, ADDRESSES_AT + address, blocks);
    const at = CLIENTS_AT + 2 * counter;
    const isOwn = Atomics.load(this.words, at) === session;
    return { ofAddress, has: isOwn ? Atomics.add(this.words, at + 1, blocks) : 0 };
  }
}

/** The bytes that files take, each counted as whole blocks, and how often a client was refused more. */
export const quotaFigures = (words: Int32Array): Figures => ({
  held: Atomics.load(words, 0) * Atomics.load(words, BLOCK_AT),
  refusals: Atomics.load(words, REFUSALS_AT),
});

function spell(bytes: number): string {
  const units: [string, number][] = [
    ['GB', 1e9],
    ['MB', 1e6],
    ['kB', 1e3],
  ];
  const [unit, size] = units.find(([, unitBytes]) => bytes >= unitBytes) ?? ['bytes', 1];
  return `${+(bytes / size).toFixed(3)} ${unit}`;
}
