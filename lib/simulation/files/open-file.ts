// A file that is written piece by piece.
import { closeSync, ftruncateSync, writeSync } from 'node:fs';
import type { DiskQuota, FileAccount } from './disk-quota.js';
import type { WriteLock } from './write-lock.js';

interface Opened {
  readonly descriptor: number;
  size: number;
  readonly quota: DiskQuota | undefined;
  readonly account: FileAccount | undefined;
  readonly lock: WriteLock;
}

/** A file being written. */
export class OpenFile {
  constructor(
    private readonly opened: Opened,
    private readonly closed: () => void,
  ) {}

  get sizeBytes(): number {
    return this.opened.size;
  }

  /**
   * Appends all of the bytes or none: bytes written before the disk was full are removed again.
   * @param isWhole never lets a reader see a part of their number; for an instant it may see zeros.
   */
  append(bytes: Buffer, isWhole = false): void {
    const { descriptor, size, quota, account } = this.opened;
    const end = size + bytes.length;
    quota?.change(size, end, account);
    try {
      // A system lengthens a file piece by piece while it writes: so it has its new length before.
      if (isWhole) ftruncateSync(descriptor, end);
      for (let done = 0; done < bytes.length; )
        done += writeSync(descriptor, bytes, done, bytes.length - done, size + done);
    } catch (error) {
      quota?.change(end, size, account);
      ftruncateSync(descriptor, size);
      throw error;
    }
    this.opened.size = end;
    this.renew();
  }

  /** Appends all pieces, or those for which there is room, each of them whole. Throws an Error when that is not all. */
  appendAll(pieces: readonly Buffer[], isWhole = false): void {
    const [only, ...others] = pieces;
    try {
      // A chunk of half a megabyte is not copied.
      this.append(only && others.length === 0 ? only : Buffer.concat(pieces), isWhole);
    } catch {
      for (const piece of pieces) this.append(piece, isWhole);
    }
  }

  /** Shortens it. */
  cutTo(bytes: number): void {
    const { descriptor, size, quota, account } = this.opened;
    ftruncateSync(descriptor, bytes);
    quota?.change(size, bytes, account);
    this.opened.size = bytes;
  }

  /** Throws an Error when the quota, or the disk, has no room for these bytes behind the others. */
  requireRoom(bytes: Buffer): void {
    const { size } = this.opened;
    this.append(bytes);
    this.cutTo(size);
  }

  /** Call it now and then while nothing is appended: other machines must see that this file is still being written. */
  renew(): void {
    this.opened.lock.renew();
  }

  close(): void {
    closeSync(this.opened.descriptor);
    this.opened.lock.release();
    this.closed();
  }
}
