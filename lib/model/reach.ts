// Which bytes are needed to read a variable: its own, and those behind the pointers on its path and in its value.
import type { Memory } from './memory.js';
import { holdsPointers } from './pointers.js';
import { isCharacters, isLeaf, NULL_OFFSET, SEQUENCE_HEADER_BYTES, sizeOf, strideOf, type Type } from './type.js';
import { follow, type Variable } from './variable.js';

/** Size of a pointer, and of the head of a sequence. */
const HOP_BYTES = 8;

/**
 * Which part of a variable: all of it, or only what tells where it lies, whether it exists and how many elements it
 * has.
 */
export type Part = 'all' | 'head';

type IsThere = (offsetBytes: number, lengthBytes: number) => boolean;

/**
 * Whether all bytes that reading the variable needs are there. `isThere` is called for every range, except ranges
 * behind a pointer that is not there itself. The head of a variable with a single value is that value.
 */
export function isReachable(variable: Variable, part: Part, memory: Memory, isThere: IsThere): boolean {
  let offset = variable.offsetBytes;
  for (const hop of variable.hops) {
    if (!isThere(offset, HOP_BYTES)) return false;
    offset = follow(hop, memory, offset);
    if (offset < 0) return true;
  }
  if (part === 'all') return isValueReachable(variable.type, memory, offset, isThere);
  return isHeadReachable(variable.type, offset, isThere);
}

function isHeadReachable(type: Type, offset: number, isThere: IsThere): boolean {
  if (type.kind === 'pointer' || type.kind === 'sequence') return isThere(offset, HOP_BYTES);
  return isLeaf(type) || isCharacters(type) ? isThere(offset, sizeOf(type)) : true;
}

function isValueReachable(type: Type, memory: Memory, offset: number, isThere: IsThere): boolean {
  switch (type.kind) {
    case 'struct':
      // An object's components do not lie side by side.
      return areAll(type.members, ({ type: own, offsetBytes }) =>
        isValueReachable(own, memory, offset + offsetBytes, isThere),
      );
    case 'pointer': {
      if (!isThere(offset, HOP_BYTES)) return false;
      const target = memory.view.getUint32(offset, true);
      if (target === NULL_OFFSET) return true;
      return areElementsReachable(type.target, memory, target, memory.view.getUint32(offset + 4, true), isThere);
    }
    case 'array':
      return areElementsReachable(type.element, memory, offset, type.length, isThere);
    case 'sequence': {
      if (!isThere(offset, HOP_BYTES)) return false;
      const length = memory.view.getUint32(offset, true);
      return areElementsReachable(type.element, memory, offset + SEQUENCE_HEADER_BYTES, length, isThere);
    }
    default:
      return isThere(offset, sizeOf(type));
  }
}

function areElementsReachable(element: Type, memory: Memory, offset: number, count: number, isThere: IsThere): boolean {
  const stride = strideOf(element);
  if (!holdsPointers(element)) return isThere(offset, stride * count);
  const places = Array.from({ length: count }, (_, index) => offset + index * stride);
  return areAll(places, (place) => isValueReachable(element, memory, place, isThere));
}

/** Calls `isOne` for every item, even after one has failed, so that all ranges are asked for. */
function areAll<T>(items: readonly T[], isOne: (item: T) => boolean): boolean {
  let all = true;
  for (const item of items) all = isOne(item) && all;
  return all;
}
