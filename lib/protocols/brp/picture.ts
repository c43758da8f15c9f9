// What a query shows in one frame, to compare it with what it shows in another; and its watermark for clients.

import { createHash, randomBytes } from 'node:crypto';
import type { Lease } from '../../model/frame/lease.js';
import type { Frame, Shown } from '../../model/frame/reader.js';
import type { Variable } from '../../model/state/variable.js';
import { shownPart } from '../../serving/session/read.js';
import { invalidParams } from './brp-error.js';
import { hasBytes, keptBytesAt } from './component-bytes.js';
import { valuesAt } from './values-per-second.js';

/** Identifies this run of the server: a watermark of another run is not compared. */
const BOOT = randomBytes(6).toString('base64url');

export interface Watermark {
  readonly isOwn: boolean;
  readonly frame: number;
  readonly digest: string;
}

/** Throws an RpcError. */
export function readWatermark(text: string): Watermark {
  const [, boot, frame, digest] = /^([\w-]{8})\.(\d{1,15})\.([\w-]{27})$/.exec(text) ?? [];
  if (digest === undefined) throw invalidParams('this is no watermark that a poll has answered');
  return { isOwn: boot === BOOT, frame: Number(frame), digest };
}

/** One component of one row, with the bytes that it had. */
export interface Part {
  readonly variable: Variable | undefined;
  readonly bytes: Uint8Array;
}

/** Variables and bytes of a portion, unless one variable has more: comparing them takes less than a millisecond. */
const MOST_IN_PORTION = 500;
const MOST_BYTES_IN_PORTION = 1024 * 1024;

/** Some variables of a picture, with the bytes that they had. */
export class Portion {
  private readonly variables: Variable[] = [];
  private readonly shown: Shown[] = [];
  private readonly bytes: Uint8Array[] = [];
  private byteCount = 0;
  /** Bytes that copies of the variables have, and their values. */
  keptBytes = 0;
  values = 0;

  get isFull(): boolean {
    return this.variables.length >= MOST_IN_PORTION || this.byteCount >= MOST_BYTES_IN_PORTION;
  }

  /** @param frame which the bytes are of. */
  add(variable: Variable, bytes: Uint8Array, frame: Frame): void {
    this.keptBytes += keptBytesAt(frame, variable);
    this.values += valuesAt(frame, variable);
    this.variables.push(variable);
    this.shown.push(shownPart(variable));
    this.bytes.push(bytes);
    this.byteCount += bytes.length;
  }

  /**
   * Whether a frame of the same catalog shows something else.
   * @param lease of this portion alone.
   */
  differsIn(frame: Frame, lease: Lease): boolean {
    if (!lease.shows(this.shown, frame)) return false;
    return this.variables.some((variable, index) => !hasBytes(frame, variable, this.bytes[index] as Uint8Array));
  }
}

/** What a query shows in one frame; complete once it has a digest. */
export class Picture {
  readonly rows = new Map<number, readonly Part[]>();
  /** Its variables; at least one portion, also of a picture without variables. */
  readonly portions = [new Portion()];
  readonly frame: number;
  readonly catalogVersion: number;
  private readonly hash = createHash('sha1');
  private digested: string | undefined;

  constructor({ header }: Frame) {
    this.frame = header.number;
    this.catalogVersion = header.catalogVersion;
  }

  /** @param number of the object. @param frame which the parts are of. */
  add(number: number, parts: readonly Part[], frame: Frame): void {
    this.rows.set(number, parts);
    this.hash.update(`${number}:${parts.length};`);
    for (const { bytes, variable } of parts) {
      this.hash.update(`${bytes.length}:`).update(bytes);
      if (!variable) continue;
      if (this.portions.at(-1)?.isFull) this.portions.push(new Portion());
      this.portions.at(-1)?.add(variable, bytes, frame);
    }
  }

  /** Call it when all rows are there. */
  get digest(): string {
    this.digested ??= this.hash.digest('base64url');
    return this.digested;
  }

  /** Bytes that copies of its variables have. */
  get keptBytes(): number {
    return this.portions.reduce((sum, { keptBytes }) => sum + keptBytes, 0);
  }

  /** How many values its variables have. */
  get values(): number {
    return this.portions.reduce((sum, { values }) => sum + values, 0);
  }

  get watermark(): string {
    return `${BOOT}.${this.frame}.${this.digest}`;
  }

  /** Whether the same entities match in both. */
  hasSameRows(other: Picture): boolean {
    return this.rows.size === other.rows.size && [...this.rows.keys()].every((number) => other.rows.has(number));
  }

  /** Whether a row has the same bytes in both. */
  isSameRow(other: Picture, number: number): boolean {
    const [own = [], others = []] = [this.rows.get(number), other.rows.get(number)];
    return own.length === others.length && own.every(({ bytes }, index) => isSame(bytes, others[index]));
  }
}

const isSame = (bytes: Uint8Array, other: Part | undefined): boolean =>
  other !== undefined && Buffer.compare(bytes, other.bytes) === 0;
