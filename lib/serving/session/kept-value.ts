// A copy of a value's bytes, to see whether a later frame has the same; values behind pointers are part of it.
import type { Frame } from '../../model/frame/reader.js';
import { hasFixedPlace, visitRanges } from '../../model/state/reach.js';
import { sizeOf, type Type } from '../../model/state/type.js';
import { locate } from '../../model/state/variable.js';
import type { Reference } from './reference.js';

/** The length of a value that is not there. */
const MISSING = -1;
const NOTHING = Buffer.alloc(0);

/** Called with each range of bytes of a value; false when it is not as it was. */
type Visit = (from: number, bytes: number) => boolean;

/** Bytes of a value without those behind its pointers. */
export const bytesIn = (type: Type): number =>
  type.kind === 'struct' && type.sizeBytes === 0
    ? type.members.reduce((sum, member) => sum + bytesIn(member.type), 0)
    : sizeOf(type);

export class KeptValue {
  private bytes = NOTHING;
  private length = MISSING;

  constructor(private readonly reference: Pick<Reference, 'current'>) {}

  /** What is kept: equal for equal values, wherever those behind pointers lie. */
  get copy(): Uint8Array {
    return this.bytes;
  }

  /** Whether a frame has the value that is kept. */
  isIn(frame: Frame): boolean {
    let at = 0;
    const isSame = this.visitIn(frame, (from, bytes) => {
      const end = at + bytes;
      if (end > this.length) return false;
      const difference = frame.memory.bytes.compare(this.bytes, at, end, from, from + bytes);
      at = end;
      return difference === 0;
    });
    return isSame === undefined ? this.length === MISSING : isSame && at === this.length;
  }

  /** How many bytes keeping the value of a frame takes. */
  sizeIn(frame: Frame): number {
    let size = 0;
    this.visitIn(frame, (_, bytes) => {
      size += bytes;
      return true;
    });
    return size;
  }

  keep(frame: Frame): void {
    const size = this.sizeIn(frame);
    if (this.bytes.length !== size) this.bytes = Buffer.allocUnsafe(size);
    let at = 0;
    const isThere = this.visitIn(frame, (from, bytes) => {
      at += frame.memory.bytes.copy(this.bytes, at, from, from + bytes);
      return true;
    });
    this.length = isThere ? size : MISSING;
  }

  forget(): void {
    this.bytes = NOTHING;
    this.length = MISSING;
  }

  /** Undefined, and nothing is called, when the value is not there. */
  private visitIn({ memory }: Frame, visit: Visit): boolean | undefined {
    const { current } = this.reference;
    const offset = current ? locate(current, memory) : -1;
    if (!current || offset < 0) return undefined;
    const { type } = current;
    const isOneRange = hasFixedPlace(type) && sizeOf(type) > 0;
    return isOneRange ? visit(offset, sizeOf(type)) : visitRanges(type, memory, offset, visit);
  }
}
