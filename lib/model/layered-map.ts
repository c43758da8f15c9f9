// An immutable map of names; a new version costs time for what has changed, not for the whole map.

/** A layer keeps at least so many changes before they are merged into what is below it. */
const FEWEST_MERGED = 64;

/** What a layer lies on: all names, or a layer on these. */
type Below<V> = ReadonlyMap<string, V> | LayeredMap<V>;

/**
 * The base and two layers of changes. Each version copies the upper layer, of about the cube root of all names; the lower
 * one holds about its square, so that the whole base is seldom copied.
 */
export class LayeredMap<V> {
  private constructor(
    private readonly base: Below<V>,
    /** Names of the base that are removed. */
    private readonly gone: ReadonlySet<string> = new Set(),
    /** New values for names of the base. */
    private readonly changed: ReadonlyMap<string, V> = new Map(),
    /** Names behind those of the base. */
    private readonly added: ReadonlyMap<string, V> = new Map(),
  ) {}

  static of<V>(entries: Iterable<readonly [string, V]>): LayeredMap<V> {
    return new LayeredMap<V>(LayeredMap.lower(entries));
  }

  private static lower<V>(entries: Iterable<readonly [string, V]>): LayeredMap<V> {
    return new LayeredMap<V>(new Map(entries));
  }

  get size(): number {
    return this.base.size - this.gone.size + this.added.size;
  }

  get(name: string): V | undefined {
    const added = this.added.get(name);
    if (added !== undefined) return added;
    return this.gone.has(name) ? undefined : (this.changed.get(name) ?? this.base.get(name));
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  *entries(): Generator<[string, V]> {
    for (const [name, value] of this.base.entries()) {
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
    const [names, values] = [[...removed].filter((name) => this.has(name)), [...set]];
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
    const count = gone.size + changed.size + added.size;
    return count > this.mostChanges ? next.merged() : next;
  }

  private get mostChanges(): number {
    const root = Math.cbrt(this.base.size);
    return Math.max(FEWEST_MERGED, this.base instanceof LayeredMap ? root : root * root);
  }

  private merged(): LayeredMap<V> {
    const { base, gone, changed, added } = this;
    if (!(base instanceof LayeredMap)) return LayeredMap.lower(this.entries());
    return new LayeredMap(base.with(gone, [...changed, ...added]));
  }
}
