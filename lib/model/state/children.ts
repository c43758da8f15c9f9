// The objects below each object.

interface Child {
  readonly number: number;
}

export class Children<C extends Child> {
  private readonly byParent = new Map<number, Set<C>>();

  /** Puts a child below a parent instead of another one; null is above none. */
  move(child: C, from: number | null, to: number | null): void {
    if (from !== null) {
      const siblings = this.byParent.get(from);
      siblings?.delete(child);
      if (siblings?.size === 0) this.byParent.delete(from);
    }
    if (to === null) return;
    const known = this.byParent.get(to);
    if (known) known.add(child);
    else this.byParent.set(to, new Set([child]));
  }

  /** In the order of their numbers. */
  of(parent: number): C[] {
    return [...(this.byParent.get(parent) ?? [])].sort((one, other) => one.number - other.number);
  }
}
