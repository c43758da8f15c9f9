// Initial values of components: whole and exact, and a function makes each element of an array from its index.
import type { Allocations } from './allocations.js';
import type { Declared } from './declare.js';
import { requireDeclared } from './declared.js';
import { fit } from './fit-value.js';
import type { Memory } from './memory.js';
import type { Value } from './read.js';
import { type Member, strideOf } from './type.js';
import { INITIAL, type PointAt, storeValue } from './write.js';

/**
 * The initial value of a component as it is stored; undefined for none. Throws a TypeError for anything but a declaration, and
 * a TypeError or RangeError that begins with the path for what does not fit: a fraction for an integer, or NaN.
 */
export function initialValue(declared: Declared, initial: unknown, path: string): Value | undefined {
  requireDeclared(declared, path);
  return initial === undefined ? undefined : fit(declared.type, initial, { path: () => path, rule: INITIAL });
}

/** Stores it. A list for a pointer is allocated, as memory of the component. */
export function storeInitial(memory: Memory, allocations: Allocations, member: Member, initial: Value): void {
  const pointAt: PointAt = (type, offset, values) => {
    const { offsetBytes } = allocations.add(type.target, values.length, { owner: member });
    for (const [index, value] of values.entries())
      storeValue(memory, type.target, offsetBytes + index * strideOf(type.target), value, pointAt);
    memory.view.setUint32(offset, offsetBytes, true);
    memory.view.setUint32(offset + 4, values.length, true);
  };
  storeValue(memory, member.type, member.offsetBytes, initial, pointAt);
}
