// A catalog as Bevy's world: objects are entities, components have type paths, and names can be looked up.
import type { Catalog, SimObject } from '../model/catalog.js';
import type { Member, Type } from '../model/type.js';
import type { TypeDescription } from '../model/type-registry.js';
import type { Variable } from '../model/variable.js';
import type { Slice, Sliced } from '../session/turns.js';
import type { Source } from '../source/source.js';
import { BUILT_IN, builtInOf, isBuiltIn } from './built-in.js';

/** A component of one object. */
export interface Component {
  readonly object: SimObject;
  readonly member: Member;
  /** Its type path: one component of an object has it. */
  readonly path: string;
}

/** What is known of a type path. */
export interface KnownType {
  readonly path: string;
  readonly type: Type;
  /** UDUNITS text; `--` or `1` for none. */
  readonly units: string;
  readonly about: string;
  /** The registered type that clients may make components of. */
  readonly registered: TypeDescription | undefined;
}

const shortOf = (path: string): string => path.slice(path.lastIndexOf('::') + 2);

/** A name as it may stand in a type path. */
const segment = (name: string): string => name.replace(/\W+/g, '_');

/** Thrown by a world that is not complete when it would have to look at all objects. */
export class IncompleteError extends Error {
  override readonly name = 'IncompleteError';
}

/**
 * Objects, registered types and Bevy's own can be looked up at once. All else needs the complete world: looking at
 * all objects takes milliseconds, and each spawned object makes a new catalog.
 */
export class World {
  private readonly registered: ReadonlyMap<string, KnownType>;
  private tables: Tables | undefined;

  constructor(
    readonly catalog: Catalog,
    readonly simulation: string,
  ) {
    this.registered = new Map(
      catalog.types.map((registered) => {
        const { name, type, units, about } = registered;
        const path = this.pathOf(name);
        return [path, { path, type, units, about, registered }];
      }),
    );
  }

  /** Looks at all objects. */
  *complete(slice?: Slice): Sliced<void> {
    if (this.tables) return;
    const tables = new Tables(this.registered);
    for (const object of this.catalog.objects) {
      tables.add(object, componentsOf(object, this.simulation));
      if (slice?.isOver(STEPS_PER_OBJECT)) yield;
    }
    tables.addShortNames();
    this.tables = tables;
  }

  /** The object with a number. */
  object(number: number | undefined): SimObject | undefined {
    if (number === undefined) return undefined;
    if (this.tables) return this.tables.numbers.get(number);
    return this.catalog.objects.find((object) => object.number === number);
  }

  children({ number }: SimObject): readonly SimObject[] {
    if (this.tables) return this.tables.families.get(number) ?? [];
    return this.catalog.objects.filter(({ parent }) => parent === number);
  }

  /** The components of an object by their type paths; without those of Bevy. */
  componentsOf(object: SimObject): ReadonlyMap<string, Component> {
    return this.tables?.parts.get(object) ?? componentsOf(object, this.simulation);
  }

  /** The type path that a client's name means: a path, or a short name that only one path has. */
  resolve(name: string): string | undefined {
    const own = builtInOf(name);
    if (own !== undefined) return own;
    if (this.registered.has(name)) return name;
    const { types, shortNames } = this.all;
    return types.has(name) ? name : shortNames.get(name);
  }

  /** Undefined for Bevy's own. */
  type(path: string): KnownType | undefined {
    return this.registered.get(path) ?? (isBuiltIn(path) ? undefined : this.all.types.get(path));
  }

  /** All type paths, sorted; Bevy's own among them. */
  get paths(): string[] {
    return [...BUILT_IN, ...this.all.types.keys()].sort();
  }

  /** The objects that have a component; undefined where that is told by the objects themselves. */
  ownersOf(path: string): readonly SimObject[] | undefined {
    const { owners } = this.all;
    return isBuiltIn(path) ? undefined : (owners.get(path) ?? []);
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

/** What is known when all objects have been looked at. */
class Tables {
  readonly numbers = new Map<number, SimObject>();
  readonly families = new Map<number, SimObject[]>();
  readonly types: Map<string, KnownType>;
  readonly owners = new Map<string, SimObject[]>();
  readonly parts = new Map<SimObject, ReadonlyMap<string, Component>>();
  /** The path of a short name; undefined for a name that several paths share. */
  readonly shortNames = new Map<string, string | undefined>();

  constructor(registered: ReadonlyMap<string, KnownType>) {
    this.types = new Map(registered);
  }

  add(object: SimObject, parts: ReadonlyMap<string, Component>): void {
    this.numbers.set(object.number, object);
    if (object.parent !== null) listIn(this.families, object.parent).push(object);
    this.parts.set(object, parts);
    for (const { path, member } of parts.values()) {
      listIn(this.owners, path).push(object);
      if (this.types.has(path)) continue;
      const { type, units, about } = member;
      this.types.set(path, { path, type, units, about, registered: undefined });
    }
  }

  addShortNames(): void {
    for (const path of [...BUILT_IN, ...this.types.keys()]) {
      const name = shortOf(path);
      this.shortNames.set(name, this.shortNames.has(name) ? undefined : path);
    }
  }
}

/** Entering an object takes some microseconds. */
const STEPS_PER_OBJECT = 8;

function listIn<Key, Item>(lists: Map<Key, Item[]>, key: Key): Item[] {
  const known = lists.get(key);
  if (known) return known;
  const list: Item[] = [];
  lists.set(key, list);
  return list;
}

const pathOfType = (name: string, simulation: string): string =>
  name.includes('::') ? name : `${simulation}::${segment(name)}`;

function ownNameOf({ type, typeName }: Member): string | undefined {
  return typeName ?? (type.kind === 'struct' || type.kind === 'enumeration' ? type.name : undefined);
}

/**
 * The first component of a type has the type's path. Every other one has its own, `simulation::object::alias`: Bevy
 * allows one component of a type.
 */
export function componentsOf(object: SimObject, simulation: string): ReadonlyMap<string, Component> {
  const parts = new Map<string, Component>();
  for (const member of object.type.members) {
    const name = ownNameOf(member);
    const shared = name === undefined ? undefined : pathOfType(name, segment(simulation));
    const isTaken = shared === undefined || parts.has(shared);
    const path = isTaken ? `${segment(simulation)}::${object.name}::${member.name}` : shared;
    parts.set(path, { object, member, path });
  }
  return parts;
}

/** A component as a variable, found without its path. */
export function variableOf({ object, member }: Component): Variable {
  const { type, units, about, access, offsetBytes } = member;
  return { path: `${object.name}.${member.name}`, type, units, about, access, offsetBytes, hops: [] };
}

const worlds = new WeakMap<Catalog, World>();

/** The world of the source's current catalog, which may not be complete. */
export function worldOf({ catalog, info }: Source): World {
  const known = worlds.get(catalog);
  if (known) return known;
  const world = new World(catalog, segment(info.name));
  worlds.set(catalog, world);
  return world;
}
