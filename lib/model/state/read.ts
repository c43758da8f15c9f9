// The value of a variable as JavaScript data, read from the arena or a frame.
import { type LeafValue, type Memory, readSingle } from './memory.js';
import { strideOf, type Type } from './type.js';
import { locate, type Variable } from './variable.js';
import { type Sink, walk } from './walk.js';

/** 64-bit integers are bigint, arrays lists, structures objects, null pointers null. */
export type Value = LeafValue | readonly Value[] | { readonly [member: string]: Value };

/** The variable's value in a memory; undefined while a pointer on its path is null or an index is too large. */
export function readVariable(variable: Variable, memory: Memory): Value | undefined {
  const offset = locate(variable, memory);
  return offset < 0 ? undefined : readValue(variable.type, memory, offset);
}

export const readValue = (type: Type, memory: Memory, offset: number): Value => walk(type, memory, offset, VALUES);

const VALUES: Sink<Value> = {
  single: readSingle,
  elements: (element, memory, offset, length) => {
    const stride = strideOf(element);
    return Array.from({ length }, (_, index) => walk(element, memory, offset + index * stride, VALUES));
  },
  members: ({ members }, memory, offset) =>
    Object.fromEntries(
      members.map(({ name, type, offsetBytes }) => [name, walk(type, memory, offset + offsetBytes, VALUES)]),
    ),
  nothing: () => null,
};
