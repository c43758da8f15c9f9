// The memory of a state outside its objects that a checkpoint has not claimed yet.
import type { Allocation } from '../../model/state/allocations.js';
import { isSameType, type Type } from '../../model/state/type.js';
import { blocksOf } from './memory-map.js';
import { declared } from './writer.js';

export class UnusedMemory {
  private readonly byName = new Map<string, Allocation>();
  /** Allocations without a name, by type. */
  private readonly byType = new Map<Type, Set<Allocation>>();
  private readonly unused: Set<Allocation>;

  constructor(allocated: readonly Allocation[]) {
    this.unused = new Set(allocated);
    for (const [index, { name }] of blocksOf(allocated).entries())
      this.byName.set(name, allocated[index] as Allocation);
    for (const allocation of allocated) {
      if (allocation.name !== undefined) continue;
      const same = this.byType.get(allocation.type) ?? new Set();
      this.byType.set(allocation.type, same.add(allocation));
    }
  }

  take(allocation: Allocation): void {
    this.unused.delete(allocation);
    this.byType.get(allocation.type)?.delete(allocation);
  }

  /** The variable of this name. */
  named(name: string): Allocation | undefined {
    const found = this.byName.get(name);
    return found && this.unused.has(found) ? found : undefined;
  }

  /** The allocation of the same name, or another one; both must have the same type and size. */
  fitting(name: string, type: Type, count: number, isSingle: boolean): Allocation | undefined {
    const fits = (one: Allocation): boolean => one.count === count && (one.isSingle ?? false) === isSingle;
    const same = this.named(name);
    if (same && isSameType(same.type, type) && fits(same)) return same;
    for (const one of this.byType.get(type) ?? []) if (fits(one)) return one;
    return undefined;
  }

  /** The allocation of this name if its declaration is spelled so. */
  spelled(name: string, declaration: string): Allocation | undefined {
    const found = this.named(name);
    return found && declared({ ...found, element: found.type, name }) === declaration ? found : undefined;
  }

  unnamed(): Allocation[] {
    return [...this.unused].filter(({ name }) => name === undefined);
  }

  /** The names of the variables that are left. */
  names(): string[] {
    return [...this.unused].flatMap(({ name }) => name ?? []);
  }
}
