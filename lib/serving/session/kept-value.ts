// A copy of a value's bytes, to see whether a later frame has the same; values behind pointers are part of it.
import type { Frame } from '../../model/frame/reader.js';
import type { Memory } from '../../model/state/memory.js';
import { holdsPointers } from '../../model/state/pointers.js';
import { NULL_OFFSET, SEQUENCE_HEADER_BYTES, sizeOf, strideOf, type Type } from '../../model/state/type.js';
import { locate } from '../../model/state/variable.js';
import type { Reference } from './reference.js';

const POINTER_BYTES = 8;
/** The length of a value that is not there. */
const MISSING = -1;

/** Called with each part of a value; false ends the walk. */
type Visit = (from: number, bytes: number) => boolean;

/** An object's components do not lie side by side, so an object has no size of its own. */
const isScattered = (type: Type): boolean => type.kind === 'struct' && (type.sizeBytes === 0 || holdsPointers(type));

/** Bytes of a value without those behind its pointers. */
export const bytesIn = (type: Type): number =>
  type.kind === 'struct' && type.sizeBytes === 0
    ? type.members.reduce((sum, member) => sum + bytesIn(member.type), 0)
    : sizeOf(type);

export class KeptValue {
  private bytes = Buffer.alloc(0);
  private length = MISSING;

  constructor(private readonly reference: Reference) {}

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
    this.bytes = Buffer.alloc(0);
    this.length = MISSING;
  }

  /** Undefined, and nothing is called, when the value is not there. */
  private visitIn({ memory }: Frame, visit: Visit): boolean | undefined {
    const { current } = this.reference;
    const offset = current ? locate(current, memory) : -1;
    return current && offset >= 0 ? visitParts(current.type, memory, offset, visit) : undefined;
  }
}

/** Visits the parts of a value in order. */
function visitParts(type: Type, memory: Memory, offset: number, visit: Visit): boolean {
  if (type.kind === 'struct' && isScattered(type))
    return type.members.every((member) => visitParts(member.type, memory, offset + member.offsetBytes, visit));
  if (!holdsPointers(type)) return visit(offset, sizeOf(type));
  if (type.kind === 'array') return visitElements(type.element, memory, offset, type.length, visit);
  if (type.kind === 'sequence') {
    if (!visit(offset, SEQUENCE_HEADER_BYTES)) return false;
    const count = memory.view.getUint32(offset, true);
    return visitElements(type.element, memory, offset + SEQUENCE_HEADER_BYTES, count, visit);
  }
  return type.kind !== 'pointer' || visitTarget(type.target, memory, offset, visit);
}

function visitTarget(target: Type, memory: Memory, offset: number, visit: Visit): boolean {
  if (!visit(offset, POINTER_BYTES)) return false;
  const start = memory.view.getUint32(offset, true);
  const count = memory.view.getUint32(offset + 4, true);
  return start === NULL_OFFSET || visitElements(target, memory, start, count, visit);
}

function visitElements(element: Type, memory: Memory, offset: number, count: number, visit: Visit): boolean {
  const stride = strideOf(element);
  if (!holdsPointers(element)) return visit(offset, stride * count);
  for (let index = 0; index < count; index++)
    if (!visitParts(element, memory, offset + index * stride, visit)) return false;
  return true;
}
