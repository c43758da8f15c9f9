// A catalog as Bevy's world: objects are entities, components have type paths, and names can be looked up.
import type { Catalog, SimObject } from '../model/catalog.js';
import type { Slice, Sliced } from '../scheduling/turns.js';
import type { Source } from '../source/source.js';
import { BUILT_IN, builtInOf, isBuiltIn } from './built-in.js';
import { type Component, componentsOf, type KnownType, pathOfType, segment } from './component.js';
import { Names } from './names.js';
import { Tables, TablesChange } from './world-tables.js';

/** A world that is not complete throws it when it would have to look at all objects. */
export class IncompleteError extends Error {
  override readonly name = 'IncompleteError';
}

/**
 * Objects, registered types and Bevy's own can be looked up at once. All else needs the complete world. Looking at all
 * objects takes milliseconds, so the world of the next catalog begins with the tables of the one before.
 */
export class World {
  private readonly registered: ReadonlyMap<string, KnownType>;
  private tables: Tables | undefined;

  constructor(
    readonly catalog: Catalog,
    readonly simulation: string,
    readonly names = new Names(),
  ) {
    this.registered = new Map(
      catalog.types.map((registered) => {
        const { name, type, units, about } = registered;
        const path = this.pathOf(name);
        return [path, { path, type, units, about, registered }];
      }),
    );
  }

  /** Takes over the tables of an earlier world, unless much has changed or too long ago. */
  follow(before: World): void {
    const { tables, catalog } = before;
    if (this.tables || !tables || catalog.types !== this.catalog.types) return;
    const names = this.catalog.changedSince(catalog.version);
    if (!names || names.size > MOST_FOLLOWED) return;
    const change = new TablesChange(tables, this.simulation);
    const both = [...names].map((name) => [catalog.object(name), this.catalog.object(name)] as const);
    for (const [was] of both) if (was) change.remove(was);
    for (const [, is] of both) if (is) change.add(is);
    this.tables = change.done();
  }

  /** Looks at all objects. */
  *complete(slice?: Slice): Sliced<void> {
    if (this.tables) return;
    const change = new TablesChange(Tables.empty(this.registered), this.simulation);
    for (const object of this.catalog.objects) {
      change.add(object);
      if (slice?.isOver(STEPS_PER_OBJECT)) yield;
    }
    this.tables = change.done();
  }

  get isComplete(): boolean {
    return this.tables !== undefined;
  }

  /** The object with a number. */
  object(number: number | undefined): SimObject | undefined {
    if (number === undefined) return undefined;
    if (this.tables) return this.tables.object(number);
    return this.catalog.objects.find((object) => object.number === number);
  }

  children(object: SimObject): readonly SimObject[] {
    if (this.tables) return this.tables.children(object);
    return this.catalog.objects.filter(({ parent }) => parent === object.number);
  }

  /** The components of an object by their type paths; without those of Bevy. */
  componentsOf(object: SimObject): ReadonlyMap<string, Component> {
    return componentsOf(object, this.simulation);
  }

  /** The type path that a client's name means: a path, or a short name that only one path has. */
  resolve(name: string): string | undefined {
    const own = builtInOf(name);
    if (own !== undefined) return own;
    if (this.registered.has(name)) return name;
    return this.all.type(name) ? name : this.all.pathOf(name);
  }

  /** Undefined for Bevy's own. */
  type(path: string): KnownType | undefined {
    return this.registered.get(path) ?? (isBuiltIn(path) ? undefined : this.all.type(path));
  }

  /** All type paths, sorted; Bevy's own among them. */
  get paths(): string[] {
    return [...BUILT_IN, ...this.all.paths].sort();
  }

  /** The objects that have a component; undefined for Bevy's own components, which each object tells by itself. */
  ownersOf(path: string): readonly SimObject[] | undefined {
    return isBuiltIn(path) ? undefined : this.all.ownersOf(path);
  }

  has(object: SimObject, path: string): boolean {
    if (path === BUILT_IN[0]) return true;
    if (path === BUILT_IN[1]) return object.parent !== null;
    if (path === BUILT_IN[2]) return this.children(object).length > 0;
    return this.componentsOf(object).has(path);
  }

  /** The type paths of an object's components, sorted. */
  pathsOf(object: SimObject): string[] {
    return [...BUILT_IN.filter((path) => this.has(object, path)), ...this.componentsOf(object).keys()].sort();
  }

  /** The type path of a type by its name in the simulation. */
  pathOf(name: string): string {
    return pathOfType(name, this.simulation);
  }

  private get all(): Tables {
    if (!this.tables) throw new IncompleteError('the world is not complete');
    return this.tables;
  }
}

/** Entering an object takes some microseconds. */
const STEPS_PER_OBJECT = 8;
/** With more changes than this, all objects are looked at again, in slices. */
const MOST_FOLLOWED = 200;

/** The latest worlds of each source. */
interface Known {
  readonly names: Names;
  latest: World;
  /** The latest one that is complete. */
  complete: World | undefined;
}

const worlds = new WeakMap<Source, Known>();

/** The world of the source's current catalog, which may not be complete. */
export function worldOf(source: Source): World {
  const { catalog, info } = source;
  const known = worlds.get(source);
  if (known?.latest.catalog === catalog) return known.latest;
  const names = known?.names ?? new Names();
  const latest = new World(catalog, segment(info.name), names);
  const complete = known?.latest.isComplete ? known.latest : known?.complete;
  if (complete) latest.follow(complete);
  worlds.set(source, { names, latest, complete });
  return latest;
}
