// What a query shows in one frame, to compare it with what it shows in another; and its watermark for clients.
import { createHash, randomBytes } from 'node:crypto';
import type { Frame, Shown } from '../frame/reader.js';
import type { Variable } from '../model/variable.js';
import type { Slice, Sliced } from '../scheduling/turns.js';
import { invalidParams } from './brp-error.js';
import { hasBytes } from './component-bytes.js';

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

/** Adding a row to the digest takes some microseconds. */
const STEPS_PER_ROW = 8;

/** What a query shows in one frame. */
export class Picture {
  readonly digest: string;
  readonly frame: number;
  readonly catalogVersion: number;

  private constructor(
    readonly rows: ReadonlyMap<number, readonly Part[]>,
    readonly variables: readonly Variable[],
    { header }: Frame,
    digest: string,
  ) {
    this.frame = header.number;
    this.catalogVersion = header.catalogVersion;
    this.digest = digest;
  }

  static *of(rows: ReadonlyMap<number, readonly Part[]>, frame: Frame, slice: Slice): Sliced<Picture> {
    const hash = createHash('sha1');
    const variables: Variable[] = [];
    for (const [number, parts] of rows) {
      hash.update(`${number}:${parts.length};`);
      for (const { bytes, variable } of parts) {
        hash.update(`${bytes.length}:`).update(bytes);
        if (variable) variables.push(variable);
      }
      if (slice.isOver(STEPS_PER_ROW)) yield;
    }
    return new Picture(rows, variables, frame, hash.digest('base64url'));
  }

  /** The variables of the picture, for which frames can be asked. */
  get shown(): readonly Shown[] {
    return this.variables.map(shownAs);
  }

  get watermark(): string {
    return `${BOOT}.${this.frame}.${this.digest}`;
  }

  /** Whether a frame of the same catalog shows the same. */
  isShownIn(frame: Frame): boolean {
    for (const parts of this.rows.values()) {
      for (const { variable, bytes } of parts) if (variable && !hasBytes(frame, variable, bytes)) return false;
    }
    return true;
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

export const shownAs = (variable: Variable): Shown => ({ isShownIn: (frame) => frame.shows(variable) });
