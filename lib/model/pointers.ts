// Finds pointers into memory that is about to be freed, and sets them to null.
import type { Memory } from './memory.js';
import { NULL_OFFSET, SEQUENCE_HEADER_BYTES, sizeOf, strideOf, type Type } from './type.js';

/** A part of the arena, in bytes from its start. */
export interface Range {
  readonly startBytes: number;
  readonly endBytes: number;
}

export const rangeOf = (type: Type, offsetBytes: number, count = 1): Range => ({
  startBytes: offsetBytes,
  endBytes: offsetBytes + strideOf(type) * (count - 1) + sizeOf(type),
});

const known = new WeakMap<Type, boolean>();

/** Whether a type contains pointers at any depth. */
export function holdsPointers(type: Type): boolean {
  if (type.kind === 'pointer') return true;
  if (type.kind === 'array' || type.kind === 'sequence') return holdsPointers(type.element);
  if (type.kind !== 'struct') return false;
  const answer = known.get(type) ?? type.members.some((member) => holdsPointers(member.type));
  known.set(type, answer);
  return answer;
}

/** Sets to null every pointer in a value that points into one of the ranges. */
export function clearPointersInto(ranges: readonly Range[], memory: Memory, type: Type, offset: number): void {
  if (!holdsPointers(type)) return;
  const { view } = memory;
  const clearEach = (element: Type, base: number, count: number): void => {
    for (let i = 0; i < count; i++) clearPointersInto(ranges, memory, element, base + i * strideOf(element));
  };
  if (type.kind === 'struct') {
    for (const member of type.members) clearPointersInto(ranges, memory, member.type, offset + member.offsetBytes);
  } else if (type.kind === 'array') clearEach(type.element, offset, type.length);
  else if (type.kind === 'sequence') {
    clearEach(type.element, offset + SEQUENCE_HEADER_BYTES, view.getUint32(offset, true));
  } else if (type.kind === 'pointer') {
    const target = view.getUint32(offset, true);
    if (target === NULL_OFFSET) return;
    if (ranges.some(({ startBytes, endBytes }) => target >= startBytes && target < endBytes)) {
      view.setUint32(offset, NULL_OFFSET, true);
      view.setUint32(offset + 4, 0, true);
    } else clearEach(type.target, target, view.getUint32(offset + 4, true));
  }
}
