// What a query shows in one frame, to compare it with what it shows in another; and its watermark for clients.
import { createHash, randomBytes } from 'node:crypto';
import type { Lease } from '../../model/frame/lease.js';
import type { Frame } from '../../model/frame/reader.js';
import { invalidParams } from './brp-error.js';
import { costOf, type KeptComponent } from './kept-component.js';

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

/** Components and bytes of a portion, unless one has more: comparing them takes less than a millisecond. */
const MOST_IN_PORTION = 500;
const MOST_BYTES_IN_PORTION = 1024 * 1024;

/** Some components of a picture. */
export class Portion {
  private readonly components: KeptComponent[] = [];
  private bytes = 0;

  get isFull(): boolean {
    return this.components.length >= MOST_IN_PORTION || this.bytes >= MOST_BYTES_IN_PORTION;
  }

  add(component: KeptComponent): void {
    this.components.push(component);
    this.bytes += component.bytes.length;
  }

  /**
   * Whether a frame of the same catalog shows something else.
   * @param lease of this portion alone.
   */
  differsIn(frame: Frame, lease: Lease): boolean {
    return lease.ask(this.components, frame) && !this.components.every((one) => one.isIn(frame));
  }
}

/** What a query shows in one frame; complete once it has a digest. */
export class Picture {
  /** The components in which a difference counts, by the number of the object. */
  readonly rows = new Map<number, readonly KeptComponent[]>();
  /** Its variables; at least one portion, also of a picture without variables. */
  readonly portions = [new Portion()];
  readonly frame: number;
  readonly catalogVersion: number;
  /** What following it takes. */
  readonly cost = { keptBytes: 0, valuesPerSecond: 0 };
  private readonly hash = createHash('sha1');
  private digested: string | undefined;

  constructor(
    { header }: Frame,
    readonly simTime: object,
  ) {
    this.frame = header.number;
    this.catalogVersion = header.catalogVersion;
  }

  /** Keeps what an object's components are in the frame. */
  add(number: number, parts: readonly KeptComponent[], frame: Frame): void {
    this.rows.set(number, parts);
    this.hash.update(`${number}:${parts.length};`);
    const { keptBytes, valuesPerSecond } = costOf(parts, frame);
    this.cost.keptBytes += keptBytes;
    this.cost.valuesPerSecond += valuesPerSecond;
    for (const part of parts) {
      part.keep(frame);
      this.hash.update(`${part.bytes.length}:`).update(part.bytes);
      if (!part.current) continue;
      if (this.portions.at(-1)?.isFull) this.portions.push(new Portion());
      this.portions.at(-1)?.add(part);
    }
  }

  /** Call it when all rows are there. */
  get digest(): string {
    this.digested ??= this.hash.digest('base64url');
    return this.digested;
  }

  get watermark(): string {
    return `${BOOT}.${this.frame}.${this.digest}`;
  }

  /** The objects that match here and not in another picture. */
  without(other: Picture): number[] {
    return [...this.rows.keys()].filter((number) => !other.rows.has(number));
  }

  /** Whether a row has the same bytes in both. */
  isSameRow(other: Picture, number: number): boolean {
    const [own = [], others = []] = [this.rows.get(number), other.rows.get(number)];
    return (
      own.length === others.length &&
      own.every(({ bytes }, index) => Buffer.compare(bytes, (others[index] as KeptComponent).bytes) === 0)
    );
  }
}
