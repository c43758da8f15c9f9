// Stores the initial value of a component.
import type { Allocations } from './allocations.js';
import type { Memory } from './memory.js';
import { type Member, strideOf } from './type.js';
import { type PointAt, writeValue } from './write.js';

/** A list for a pointer is allocated, as memory of the component. Throws an Error that begins with the path. */
export function storeInitial(
  memory: Memory,
  allocations: Allocations,
  member: Member,
  initial: unknown,
  path: string,
): void {
  const pointAt: PointAt = (type, offset, values) => {
    const { offsetBytes } = allocations.add(type.target, values.length, { owner: member });
    for (const [index, value] of values.entries()) {
      writeValue(memory, type.target, offsetBytes + index * strideOf(type.target), value, undefined, pointAt);
    }
    memory.view.setUint32(offset, offsetBytes, true);
    memory.view.setUint32(offset + 4, values.length, true);
  };
  writeValue(memory, member.type, member.offsetBytes, initial, path, pointAt);
}
