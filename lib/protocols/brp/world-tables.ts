// What is known of a world once all objects have been looked at: who has which component, and what names mean.
import type { SimObject } from '../../model/state/catalog.js';
import { LayeredMap } from '../../model/state/layered-map.js';
import { isOverlayObject } from '../../model/state/reserved-names.js';
import { BUILT_IN, MEANT } from './built-in.js';
import { type Component, componentsOf, type KnownType } from './component.js';

interface Parts {
  /** By type path. */
  readonly registered: ReadonlyMap<string, KnownType>;
  /** By number. */
  readonly numbers: LayeredMap<SimObject>;
  /** By the number of the parent. */
  readonly families: LayeredMap<readonly SimObject[]>;
  /** By type path. */
  readonly owners: LayeredMap<readonly SimObject[]>;
  /** Types that are not registered, by type path. */
  readonly others: LayeredMap<KnownType>;
  /** Type paths by their last part. */
  readonly shortNames: LayeredMap<readonly string[]>;
}

const sortedPaths = new WeakMap<Parts['others'], readonly string[]>();

/** The tables of one version of a world; making those of the next version costs time only for what has changed. */
export class Tables {
  constructor(readonly parts: Parts) {}

  /** The tables of a world without objects. */
  static empty(registered: ReadonlyMap<string, KnownType>): Tables {
    const shortNames = new Map<string, string[]>();
    for (const path of registered.keys()) listIn(shortNames, shortOf(path)).push(path);
    // Older releases call ChildOf Parent.
    for (const [spelling, path] of MEANT) {
      const known = listIn(shortNames, shortOf(spelling));
      if (!known.includes(path)) known.push(path);
    }
    return new Tables({
      registered,
      numbers: LayeredMap.of<SimObject>([]),
      families: LayeredMap.of<readonly SimObject[]>([]),
      owners: LayeredMap.of<readonly SimObject[]>([]),
      others: LayeredMap.of<KnownType>([]),
      shortNames: LayeredMap.of<readonly string[]>(shortNames),
    });
  }

  object(number: number): SimObject | undefined {
    return this.parts.numbers.get(`${number}`);
  }

  /** In the order of their numbers. */
  children({ number }: SimObject): readonly SimObject[] {
    return this.parts.families.get(`${number}`) ?? [];
  }

  /** In the order of their numbers. */
  ownersOf(path: string): readonly SimObject[] {
    return this.parts.owners.get(path) ?? [];
  }

  type(path: string): KnownType | undefined {
    return this.parts.registered.get(path) ?? this.parts.others.get(path);
  }

  /** The path that a short name means, if it is the only one; those of overlays' objects take no name from the source. */
  pathOf(shortName: string): string | undefined {
    const paths = this.parts.shortNames.get(shortName) ?? [];
    const own = paths.length > 1 ? paths.filter((path) => !isOverlayObject(path.split('::')[1] as string)) : paths;
    return own.length === 1 ? own[0] : undefined;
  }

  /** All type paths, sorted; Bevy's own among them. The same list as long as no type comes or goes. */
  get paths(): readonly string[] {
    const { registered, others } = this.parts;
    const known = sortedPaths.get(others) ?? [...BUILT_IN, ...registered.keys(), ...others.keys()].sort();
    sortedPaths.set(others, known);
    return known;
  }
}

/** Makes the tables of the next version: objects that have changed are removed as they were and added as they are. */
export class TablesChange {
  private readonly numbers: MapChange<SimObject>;
  private readonly families: ListsChange<SimObject>;
  private readonly owners: ListsChange<SimObject>;
  private readonly others: MapChange<KnownType>;
  private readonly shortNames: ListsChange<string>;

  constructor(
    private readonly before: Tables,
    private readonly simulation: string,
  ) {
    const { numbers, families, owners, others, shortNames } = before.parts;
    this.numbers = new MapChange(numbers);
    this.families = new ListsChange(families, byNumber);
    this.owners = new ListsChange(owners, byNumber);
    this.others = new MapChange(others);
    this.shortNames = new ListsChange(shortNames, () => 0);
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
    if (this.before.parts.registered.has(path) || this.others.get(path)) return;
    const { type, units, about } = member;
    this.others.set(path, { path, type, units, about, registered: undefined });
    this.shortNames.add(shortOf(path), path);
  }

  remove(object: SimObject): void {
    this.numbers.delete(`${object.number}`);
    if (object.parent !== null) this.families.remove(`${object.parent}`, object);
    for (const path of componentsOf(object, this.simulation).keys()) {
      this.owners.remove(path, object);
      if (this.owners.get(path) || !this.others.get(path)) continue;
      this.others.delete(path);
      this.shortNames.remove(shortOf(path), path);
    }
  }

  /** Finishes one map a call, because many changes take milliseconds in each; then gives the tables. */
  finish(): Tables | undefined {
    const { numbers, families, owners, others, shortNames } = this;
    const next = [numbers, families, owners, others, shortNames].find(({ isDone }) => !isDone);
    if (next) {
      next.done();
      return undefined;
    }
    return new Tables({
      registered: this.before.parts.registered,
      numbers: numbers.done(),
      families: families.done(),
      owners: owners.done(),
      others: others.done(),
      shortNames: shortNames.done(),
    });
  }
}

const byNumber = (one: SimObject, other: SimObject): number => one.number - other.number;

const shortOf = (path: string): string => path.slice(path.lastIndexOf('::') + 2);

class MapChange<V> {
  /** New values by key; undefined for keys that are removed. */
  private readonly changed = new Map<string, V | undefined>();
  private made: LayeredMap<V> | undefined;

  constructor(private readonly base: LayeredMap<V>) {}

  get(key: string): V | undefined {
    return this.changed.has(key) ? this.changed.get(key) : this.base.get(key);
  }

  set(key: string, value: V): void {
    this.changed.set(key, value);
  }

  delete(key: string): void {
    if (this.base.has(key)) this.changed.set(key, undefined);
    else this.changed.delete(key);
  }

  get isDone(): boolean {
    return this.made !== undefined;
  }

  done(): LayeredMap<V> {
    this.made ??= this.changedMap();
    return this.made;
  }

  private changedMap(): LayeredMap<V> {
    // Then nothing of it is removed.
    if (this.base.size === 0) return LayeredMap.over(this.changed as ReadonlyMap<string, V>);
    const [removed, set]: [string[], [string, V][]] = [[], []];
    for (const [key, value] of this.changed) {
      if (value === undefined) removed.push(key);
      else set.push([key, value]);
    }
    return this.base.with(removed, set);
  }
}

/** Lists by key, each in an order; a list without items is removed. */
class ListsChange<Item> {
  private readonly lists: MapChange<readonly Item[]>;
  /** The lists that are changed in place, because no earlier version has them. */
  private readonly own = new Map<string, Item[]>();

  constructor(
    base: LayeredMap<readonly Item[]>,
    private readonly compare: (one: Item, other: Item) => number,
  ) {
    this.lists = new MapChange(base);
  }

  get(key: string): readonly Item[] | undefined {
    return this.lists.get(key);
  }

  add(key: string, item: Item): void {
    const list = this.ownOf(key);
    list.splice(this.placeBehind(list, item), 0, item);
    this.lists.set(key, list);
  }

  remove(key: string, item: Item): void {
    const list = this.ownOf(key);
    const last = this.placeBehind(list, item) - 1;
    const place = list[last] === item ? last : list.lastIndexOf(item);
    if (place >= 0) list.splice(place, 1);
    if (list.length > 0) this.lists.set(key, list);
    else this.lists.delete(key);
  }

  get isDone(): boolean {
    return this.lists.isDone;
  }

  done(): LayeredMap<readonly Item[]> {
    return this.lists.done();
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

  private ownOf(key: string): Item[] {
    const known = this.own.get(key);
    if (known) return known;
    const list = [...(this.lists.get(key) ?? [])];
    this.own.set(key, list);
    return list;
  }
}

function listIn<Item>(lists: Map<string, Item[]>, key: string): Item[] {
  const known = lists.get(key);
  if (known) return known;
  const list: Item[] = [];
  lists.set(key, list);
  return list;
}
