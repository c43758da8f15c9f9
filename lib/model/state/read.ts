// The value of a variable as JavaScript data, read from the arena or a frame.
import { type LeafValue, type Memory, readCharacters, readLeaf } from './memory.js';
import { isCharacters, isLeaf, NULL_OFFSET, SEQUENCE_HEADER_BYTES, strideOf, type Type } from './type.js';
import { locate, type Variable } from './variable.js';

/** 64-bit integers are bigint, arrays lists, structures objects, null pointers null. */
export type Value = LeafValue | readonly Value[] | { readonly [member: string]: Value };

/** The variable's value in a memory; undefined while a pointer on its path is null or an index is too large. */
export function readVariable(variable: Variable, memory: Memory): Value | undefined {
  const offset = locate(variable, memory);
  return offset < 0 ? undefined : readValue(variable.type, memory, offset);
}

export function readValue(type: Type, memory: Memory, offset: number): Value {
  if (isLeaf(type)) return readLeaf(type, memory, offset);
  if (isCharacters(type)) return readCharacters(type, memory, offset);
  switch (type.kind) {
    case 'array':
      return readElements(type.element, memory, offset, type.length);
    case 'sequence':
      return readElements(type.element, memory, offset + SEQUENCE_HEADER_BYTES, memory.view.getUint32(offset, true));
    case 'pointer': {
      const target = memory.view.getUint32(offset, true);
      return target === NULL_OFFSET
        ? null
        : readElements(type.target, memory, target, memory.view.getUint32(offset + 4, true));
    }
    case 'struct':
      return Object.fromEntries(
        type.members.map((member) => [member.name, readValue(member.type, memory, offset + member.offsetBytes)]),
      );
  }
}

function readElements(element: Type, memory: Memory, offset: number, length: number): Value[] {
  const stride = strideOf(element);
  return Array.from({ length }, (_, index) => readValue(element, memory, offset + index * stride));
}
