// What is known of a world once all objects have been looked at: who has which component, and what names mean.
import type { SimObject } from '../../model/state/catalog.js';
import { LayeredMap } from '../../model/state/layered-map.js';
import { RANGE } from '../../serving/scheduling/ranges.js';
import { MEANT } from './built-in.js';
import { type Component, componentsOf, type KnownType } from './component.js';

/** The tables of one version of a world; making those of the next version costs time only for what has changed. */
export interface Tables {
  /** Registered types, by type path. */
  readonly registered: ReadonlyMap<string, KnownType>;
  /** By number. */
  readonly numbers: LayeredMap<SimObject>;
  /** By the number of the parent, in the order of their numbers. */
  readonly families: LayeredMap<readonly SimObject[]>;
  /** By type path, in the order of their numbers. */
  readonly owners: LayeredMap<readonly SimObject[]>;
  /** Types that are not registered, by type path. */
  readonly others: LayeredMap<KnownType>;
  /** Type paths by their last part. */
  readonly shortNames: LayeredMap<readonly string[]>;
}

/** The tables of a world without objects. */
export function emptyTables(registered: ReadonlyMap<string, KnownType>): Tables {
  const shortNames = new Lists(LayeredMap.of<readonly string[]>([]), inOrderOfTexts);
  for (const path of registered.keys()) shortNames.add(shortOf(path), path);
  // Older releases call ChildOf Parent.
  for (const [spelling, path] of MEANT) {
    if (!shortNames.get(shortOf(spelling))?.includes(path)) shortNames.add(shortOf(spelling), path);
  }
  return {
    registered,
    numbers: LayeredMap.of<SimObject>([]),
    families: LayeredMap.of<readonly SimObject[]>([]),
    owners: LayeredMap.of<readonly SimObject[]>([]),
    others: LayeredMap.of<KnownType>([]),
    shortNames: shortNames.done(),
  };
}

/**
 * The tables of the next version; yields after every few objects.
 * @param removed objects that have changed, as they were: they go first, because another one may have their number or path.
 * @param added objects that have changed, as they are.
 */
export function* nextTables(
  before: Tables,
  removed: Iterable<SimObject>,
  added: Iterable<SimObject>,
  simulation: string,
): Generator<void, Tables> {
  const change = new TablesChange(before, simulation);
  let count = 0;
  for (const object of removed) {
    change.remove(object);
    if (++count % RANGE === 0) yield;
  }
  for (const object of added) {
    change.add(object);
    if (++count % RANGE === 0) yield;
  }
  return yield* change.done();
}

class TablesChange {
  private readonly numbers: MapChange<SimObject>;
  private readonly families: Lists<SimObject>;
  private readonly owners: Lists<SimObject>;
  private readonly others: MapChange<KnownType>;
  private readonly shortNames: Lists<string>;

  constructor(
    private readonly before: Tables,
    private readonly simulation: string,
  ) {
    this.numbers = new MapChange(before.numbers);
    this.families = new Lists(before.families, byNumber);
    this.owners = new Lists(before.owners, byNumber);
    this.others = new MapChange(before.others);
    this.shortNames = new Lists(before.shortNames, inOrderOfTexts);
  }

  add(object: SimObject): void {
    this.numbers.set(`${object.number}`, object);
    if (object.parent !== null) this.families.add(`${object.parent}`, object);
    for (const component of componentsOf(object, this.simulation).values()) {
      this.owners.add(component.path, object);
      this.addType(component);
    }
  }

  private addType({ path, member }: Component): void {
    if (this.before.registered.has(path) || this.others.get(path)) return;
    const { type, units, about } = member;
    this.others.set(path, { path, type, units, about, registered: undefined });
    this.shortNames.add(shortOf(path), path);
  }

  remove(object: SimObject): void {
    this.numbers.set(`${object.number}`, undefined);
    if (object.parent !== null) this.families.remove(`${object.parent}`, object);
    for (const path of componentsOf(object, this.simulation).keys()) {
      this.owners.remove(path, object);
      if (this.owners.get(path) || !this.others.get(path)) continue;
      this.others.set(path, undefined);
      this.shortNames.remove(shortOf(path), path);
    }
  }

  /** Yields after each map, because many changes take milliseconds in each. */
  *done(): Generator<void, Tables> {
    const numbers = this.numbers.done();
    yield;
    const families = this.families.done();
    yield;
    const owners = this.owners.done();
    yield;
    const [others, shortNames] = [this.others.done(), this.shortNames.done()];
    yield;
    return { registered: this.before.registered, numbers, families, owners, others, shortNames };
  }
}

const byNumber = (one: SimObject, other: SimObject): number => one.number - other.number;
const inOrderOfTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

const shortOf = (path: string): string => path.slice(path.lastIndexOf('::') + 2);

class MapChange<V> {
  /** New values by key; undefined for keys that are removed. */
  protected readonly changed = new Map<string, V | undefined>();

  constructor(protected readonly base: LayeredMap<V>) {}

  get(key: string): V | undefined {
    return this.changed.has(key) ? this.changed.get(key) : this.base.get(key);
  }

  set(key: string, value: V | undefined): void {
    this.changed.set(key, value);
  }

  done(): LayeredMap<V> {
    const [removed, set]: [string[], Map<string, V>] = [[], new Map()];
    for (const [key, value] of this.changed) {
      if (value === undefined) removed.push(key);
      else set.set(key, value);
    }
    return this.base.size === 0 ? LayeredMap.over(set) : this.base.with(removed, set);
  }
}

/** Lists by key, each in an order; a list without items is removed. */
class Lists<Item> extends MapChange<readonly Item[]> {
  constructor(
    base: LayeredMap<readonly Item[]>,
    private readonly compare: (one: Item, other: Item) => number,
  ) {
    super(base);
  }

  add(key: string, item: Item): void {
    const list = this.own(key);
    list.splice(this.placeBehind(list, item), 0, item);
  }

  remove(key: string, item: Item): void {
    const list = this.own(key);
    const place = this.placeBehind(list, item) - 1;
    if (place >= 0 && this.compare(list[place] as Item, item) === 0) list.splice(place, 1);
    if (list.length === 0) this.set(key, undefined);
  }

  /** Behind all that come before an item or are equal to it. */
  private placeBehind(list: readonly Item[], item: Item): number {
    let [from, to] = [0, list.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.compare(list[middle] as Item, item) <= 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  /** A list that no earlier version has, so that it may change. */
  private own(key: string): Item[] {
    const list = (this.changed.get(key) as Item[] | undefined) ?? [...(this.get(key) ?? [])];
    this.set(key, list);
    return list;
  }
}
