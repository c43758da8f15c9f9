// Containers of a simulation elsewhere in the memory of the state.
import type { Memory } from '../../model/state/memory.js';
import { SEQUENCE_HEADER_BYTES } from '../../model/state/type.js';
import { elementsOf, isMeasured } from './catalog.js';
import { MOST_ELEMENTS } from './lengths.js';
import { type Placed, placed, store } from './placed.js';
import type { TrickEnd } from './trick-end.js';

/** What containers hold. */
export interface HeldElements {
  /** Stores all of it at once. */
  store(memory: Memory): void;
  /** Whether one of them has outgrown its place. */
  readonly isOutgrown: boolean;
}

export async function elementsHeld(end: TrickEnd, containers: readonly Placed[]): Promise<HeldElements> {
  const sizes = await end.sizes(containers.map(({ path }) => path));
  const held = containers.flatMap((container, index) => {
    const told = sizes[index];
    if (told === undefined || !isMeasured(container) || container.type.kind !== 'sequence') return [];
    const { capacity } = container.type;
    const size = Math.min(told, MOST_ELEMENTS);
    return [{ container, capacity, size, count: Math.min(size, capacity) }];
  });
  const parts = held.flatMap(({ container, count }) => [
    ...elementsOf(container, count, container.offsetBytes + SEQUENCE_HEADER_BYTES),
  ]);
  const values = await end.elements(parts.map(({ path }) => path));
  return {
    isOutgrown: held.some(({ size, capacity }) => size > capacity),
    store(memory) {
      for (const { container, count } of held) memory.view.setUint32(container.offsetBytes, count, true);
      for (const [index, part] of parts.entries())
        if (values[index] !== undefined) store(placed(part, 0), memory, values[index]);
    },
  };
}
