// The memory of a state outside its components: what pointers point at, and variables of their own.
import type { Arena } from './arena.js';
import { type Member, strideOf, type Type } from './type.js';

export interface Allocation {
  readonly type: Type;
  readonly offsetBytes: number;
  readonly count: number;
  /** Whether it is one value and no list. */
  readonly isSingle?: boolean;
  /** Of a variable of its own. */
  readonly name?: string;
}

interface Room {
  readonly isSingle?: boolean;
  /** Whether it must lie behind all other memory. */
  readonly isBehind?: boolean;
  /** The component that it goes with. */
  readonly owner?: Member;
}

type Kept = { -readonly [K in keyof Allocation]: Allocation[K] };

export class Allocations {
  /** In the order of allocation. */
  private readonly kept = new Set<Kept>();
  private readonly byOwner = new Map<Member, Kept[]>();
  private readonly free = new Set<Kept>();
  private readonly byName = new Map<string, Kept>();

  constructor(private readonly arena: Arena) {}

  get all(): readonly Allocation[] {
    return [...this.kept];
  }

  /** Those that belong to no component. */
  get ofTheirOwn(): Iterable<Allocation> {
    return this.free;
  }

  /** As members of nothing, at their offsets in the arena. */
  get variables(): Member[] {
    return [...this.byName].map(([name, { type, count, isSingle, offsetBytes }]) => {
      const whole: Type = isSingle ? type : { kind: 'array', element: type, length: count, isContainer: false };
      return { name, type: whole, offsetBytes, units: '--', about: '', access: 'read-write' };
    });
  }

  /** Adds zeroed memory. */
  add(type: Type, count: number, { isSingle = false, isBehind = false, owner }: Room): Allocation {
    const offsetBytes = isBehind ? this.arena.append(type, count) : this.arena.allocate(type, count);
    const made: Kept = { type, offsetBytes, count, ...(isSingle && { isSingle }) };
    this.kept.add(made);
    if (!owner) this.free.add(made);
    else if (this.byOwner.has(owner)) this.byOwner.get(owner)?.push(made);
    else this.byOwner.set(owner, [made]);
    return made;
  }

  /** Forgets the memory of a component, which is returned; it is not free yet. */
  disown(owner: Member): readonly Allocation[] {
    const owned = this.byOwner.get(owner) ?? [];
    this.byOwner.delete(owner);
    for (const one of owned) this.kept.delete(one);
    return owned;
  }

  has(name: string): boolean {
    return this.byName.has(name);
  }

  /** Throws an Error for a name that is none of a variable. */
  named(name: string): Allocation {
    const found = this.byName.get(name);
    if (!found) throw new Error(`there is no variable ${name} that was declared`);
    return found;
  }

  /** Throws an Error for a name that is taken. */
  name(allocation: Allocation, name: string): void {
    if (this.byName.has(name)) throw new Error(`there is a variable ${name} already`);
    const kept = allocation as Kept;
    kept.name = name;
    this.byName.set(name, kept);
  }

  /** Frees memory that belongs to no component. */
  release(allocation: Allocation): void {
    const { type, offsetBytes, count, name } = allocation;
    if (!this.free.delete(allocation as Kept)) return;
    this.kept.delete(allocation as Kept);
    if (name !== undefined) this.byName.delete(name);
    this.arena.release(type, offsetBytes, count);
  }

  /** Bytes of memory that belongs to no component. */
  get ownBytes(): number {
    let bytes = 0;
    for (const { type, count } of this.free) bytes += strideOf(type) * count;
    return bytes;
  }
}
