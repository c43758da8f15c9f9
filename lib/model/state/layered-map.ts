// An immutable map of names; a new version costs time for what has changed, not for the whole map.

/** A layer keeps at least so many changes before they are merged into what is below it. */
const FEWEST_MERGED = 64;
/** The lower layer holds at most this part of all names: copying the base of 100,000 names takes 10 ms. */
const PART_IN_LOWER = 1 / 8;

/** What a layer lies on: all names, or a layer on these. */
type Below<V> = ReadonlyMap<string, V> | LayeredMap<V>;

/**
 * The base and two layers of changes. Each version copies the upper layer, of about the cube root of all names; the lower
 * one holds many more, so that the whole base is seldom copied.
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
    return LayeredMap.over(new Map(entries));
  }

  /** Takes over a map, which must not change any more. */
  static over<V>(names: ReadonlyMap<string, V>): LayeredMap<V> {
    return new LayeredMap<V>(new LayeredMap<V>(names));
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

  /** Much faster than the generators. */
  forEach(act: (value: V, name: string) => void): void {
    const { gone, changed } = this;
    this.base.forEach((value, name) => {
      if (!gone.has(name)) act(changed.get(name) ?? value, name);
    });
    this.added.forEach((value, name) => {
      act(value, name);
    });
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
    return count > this.mostChanges ? next.merged(count) : next;
  }

  private get mostChanges(): number {
    const { base } = this;
    return Math.max(FEWEST_MERGED, base instanceof LayeredMap ? Math.cbrt(base.size) : PART_IN_LOWER * base.size);
  }

  private merged(count: number): LayeredMap<V> {
    const { base, gone, changed, added } = this;
    const isUpper = base instanceof LayeredMap;
    if (isUpper && count <= base.mostChanges) return new LayeredMap(base.with(gone, [...changed, ...added]));
    const all = new Map<string, V>();
    this.forEach((value, name) => {
      all.set(name, value);
    });
    return isUpper ? LayeredMap.over(all) : new LayeredMap<V>(all);
  }
}
