// A catalog as Bevy's world: objects are entities, components have type paths, and names can be looked up.
import type { Catalog, SimObject } from '../../model/state/catalog.js';
import { isOverlayObject } from '../../model/state/reserved-names.js';
import type { Source } from '../../source/source.js';
import { tooManyChanges } from './brp-error.js';
import { BUILT_IN, builtInOf, isBuiltIn } from './built-in.js';
import { type Component, componentsOf, type KnownType, pathOfType, segment } from './component.js';
import { Names } from './names.js';
import { emptyTables, nextTables, type Tables } from './world-tables.js';

const sortedPaths = new WeakMap<Tables['others'], readonly string[]>();

export class World {
  constructor(
    readonly catalog: Catalog,
    readonly simulation: string,
    readonly names: Names,
    private readonly tables: Tables,
  ) {}

  /** The object with a number. */
  object(number: number | undefined): SimObject | undefined {
    return number === undefined ? undefined : this.tables.numbers.get(`${number}`);
  }

  /** In the order of their numbers. */
  children({ number }: SimObject): readonly SimObject[] {
    return this.tables.families.get(`${number}`) ?? [];
  }

  /** The components of an object by their type paths; without those of Bevy. */
  componentsOf(object: SimObject): ReadonlyMap<string, Component> {
    return componentsOf(object, this.simulation);
  }

  /** The type path that a client's name means: a path, or a short name that only one path has. */
  resolve(name: string): string | undefined {
    const own = builtInOf(name);
    if (own !== undefined) return own;
    return this.type(name) ? name : this.pathOfShort(name);
  }

  /** Names of overlays' objects take no name from the source. */
  private pathOfShort(name: string): string | undefined {
    const paths = this.tables.shortNames.get(name) ?? [];
    const own = paths.length > 1 ? paths.filter((path) => !isOverlayObject(path.split('::')[1] as string)) : paths;
    return own.length === 1 ? own[0] : undefined;
  }

  /** Undefined for Bevy's own. */
  type(path: string): KnownType | undefined {
    return this.tables.registered.get(path) ?? (isBuiltIn(path) ? undefined : this.tables.others.get(path));
  }

  /** All type paths, sorted; Bevy's own among them. The same list as long as no type comes or goes. */
  get paths(): readonly string[] {
    const { others, registered } = this.tables;
    const known = sortedPaths.get(others) ?? [...BUILT_IN, ...registered.keys(), ...others.keys()].sort();
    sortedPaths.set(others, known);
    return known;
  }

  /** The objects that have a component, in order; undefined for Bevy's own, which each object tells by itself. */
  ownersOf(path: string): readonly SimObject[] | undefined {
    return isBuiltIn(path) ? undefined : (this.tables.owners.get(path) ?? []);
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
}

/** So many changes are entered at once, more in turns. */
const MOST_AT_ONCE = 64;
/** So often changes that came meanwhile are entered in turns; then up to so many in one piece. */
const PATIENT_ROUNDS = 3;
const MOST_IN_ONE_PIECE = 500;
/** So many tables are outdated before they are made; then who waits is refused. */
const MOST_ROUNDS = 20;

/** The world of a source: looking at all objects takes long, so the next one begins with the tables of the one before. */
class Worlds {
  readonly names = new Names();
  private readonly simulation: string;
  /** The latest one, and its tables. */
  private base: { readonly world: World; readonly catalog: Catalog; readonly tables: Tables } | undefined;
  /** Tables that are being made; all who wait for them share the work. */
  private making: { readonly catalog: Catalog; seen: Catalog; readonly steps: Generator<void, Tables> } | undefined;
  /** How many were made, or were outdated before. */
  made = 0;

  constructor(private readonly source: Source) {
    this.simulation = segment(source.info.name);
  }

  /** The world of the current catalog, which is made at once of few changes; undefined when it must be made in turns. */
  get current(): World | undefined {
    const { catalog } = this.source;
    if (this.base?.catalog !== catalog && !this.making && this.hasFew(MOST_AT_ONCE)) while (this.goOn());
    return this.base?.catalog === catalog ? this.base.world : undefined;
  }

  /** Whether so few objects have changed since the latest tables. */
  private hasFew(most: number): boolean {
    const { base } = this;
    return base !== undefined && this.changedSince(base.catalog, most) !== undefined;
  }

  /** Whether so few objects have changed that they can be entered in one piece. */
  get isNear(): boolean {
    return !this.making && this.hasFew(MOST_IN_ONE_PIECE);
  }

  /** Enters some objects; false when nothing is left to do, or all must begin anew. After a fault it begins anew. */
  goOn(): boolean {
    const { catalog } = this.source;
    if (this.base?.catalog === catalog) return false;
    this.making ??= { catalog, seen: catalog, steps: this.steps(catalog) };
    const { making } = this;
    try {
      // Nobody could go on with tables of a catalog that the history has forgotten.
      if (making.seen !== catalog && !this.changedSince(making.catalog)) return this.end();
      making.seen = catalog;
      const { done, value } = making.steps.next();
      if (!done) return true;
      const world = new World(making.catalog, this.simulation, this.names, value);
      this.base = { world, catalog: making.catalog, tables: value };
      return this.end();
    } catch (error) {
      this.end();
      throw error;
    }
  }

  private end(): false {
    this.making = undefined;
    this.made++;
    return false;
  }

  private steps(catalog: Catalog): Generator<void, Tables> {
    const { base, simulation } = this;
    const names = base && this.changedSince(base.catalog);
    if (base && names)
      return nextTables(base.tables, objectsNamed(names, base.catalog), objectsNamed(names, catalog), simulation);
    return nextTables(emptyTables(this.registeredIn(catalog)), [], catalog.eachObject(), simulation);
  }

  /** The names of changed objects; undefined when they are not known, most have changed, or the types have. */
  private changedSince(
    { version, types }: Catalog,
    most = Math.max(MOST_AT_ONCE, this.source.catalog.objectCount / 2),
  ): ReadonlySet<string> | undefined {
    const { catalog } = this.source;
    return types === catalog.types ? catalog.changedSince(version, most) : undefined;
  }

  private registeredIn({ types }: Catalog): ReadonlyMap<string, KnownType> {
    return new Map(
      types.map((registered) => {
        const { name, type, units, about } = registered;
        const path = pathOfType(name, this.simulation);
        return [path, { path, type, units, about, registered }];
      }),
    );
  }
}

function* objectsNamed(names: Iterable<string>, catalog: Catalog): Iterable<SimObject> {
  for (const name of names) {
    const object = catalog.object(name);
    if (object) yield object;
  }
}

const worlds = new WeakMap<Source, Worlds>();

function worldsOf(source: Source): Worlds {
  const known = worlds.get(source) ?? new Worlds(source);
  worlds.set(source, known);
  return known;
}

/** The world of the source's current catalog; undefined while it must be made in turns. */
export const worldOf = (source: Source): World | undefined => worldsOf(source).current;

export const namesOf = (source: Source): Names => worldsOf(source).names;

/**
 * The world of the catalog that is the source's current one at the end. Throws an RpcError when more changes each
 * time than can be followed.
 */
export async function madeWorldOf(source: Source, turn: () => Promise<void>): Promise<World> {
  const all = worldsOf(source);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const world = all.current;
    if (world) return world;
    const isAtOnce = round >= PATIENT_ROUNDS && all.isNear;
    const { made } = all;
    while (all.made === made && all.goOn()) if (!isAtOnce) await turn();
  }
  const world = all.current;
  if (world) return world;
  throw tooManyChanges();
}
