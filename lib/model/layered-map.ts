// An immutable map of names; a new version costs time for what has changed, not for the whole map.

/** Fewer changes than this are kept beside the base; more are merged into a new base. */
const FEWEST_MERGED = 64;

export class LayeredMap<V> {
  private constructor(
    private readonly base: ReadonlyMap<string, V>,
    /** Names of the base that are removed. */
    private readonly gone: ReadonlySet<string>,
    /** New values for names of the base. */
    private readonly changed: ReadonlyMap<string, V>,
    /** Names behind those of the base. */
    private readonly added: ReadonlyMap<string, V>,
  ) {}

  static of<V>(entries: Iterable<readonly [string, V]>): LayeredMap<V> {
    return new LayeredMap(new Map(entries), new Set(), new Map(), new Map());
  }

  get size(): number {
    return this.base.size - this.gone.size + this.added.size;
  }

  get(name: string): V | undefined {
    const added = this.added.get(name);
    if (added !== undefined) return added;
    return this.gone.has(name) ? undefined : (this.changed.get(name) ?? this.base.get(name));
  }

  *entries(): Generator<[string, V]> {
    for (const [name, value] of this.base) {
      if (!this.gone.has(name)) yield [name, this.changed.get(name) ?? value];
    }
    yield* this.added;
  }

  *keys(): Generator<string> {
    for (const [name] of this.entries()) yield name;
  }

  *values(): Generator<V> {
    for (const [, value] of this.entries()) yield value;
  }

  /**
   * Another map, or this one if nothing changes: first names are removed, then set. A name that is there keeps its place, others come behind all, as in
   * a Map.
   */
  with(removed: Iterable<string>, set: Iterable<readonly [string, V]>): LayeredMap<V> {
    const { base } = this;
    const [names, values] = [[...removed].filter((name) => this.get(name) !== undefined), [...set]];
    if (names.length === 0 && values.length === 0) return this;
    const [gone, changed, added] = [new Set(this.gone), new Map(this.changed), new Map(this.added)];
    for (const name of names) {
      if (!added.delete(name) && base.has(name)) gone.add(name);
      changed.delete(name);
    }
    for (const [name, value] of values) {
      if (base.has(name) && !gone.has(name)) changed.set(name, value);
      else added.set(name, value);
    }
    const next = new LayeredMap(base, gone, changed, added);
    const isMany = gone.size + changed.size + added.size > Math.max(FEWEST_MERGED, Math.sqrt(base.size));
    return isMany ? LayeredMap.of(next.entries()) : next;
  }
}
