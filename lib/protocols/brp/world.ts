// A catalog as Bevy's world: objects are entities, components have type paths, and names can be looked up.
import type { Catalog, SimObject } from '../../model/state/catalog.js';
import { RANGE } from '../../serving/scheduling/ranges.js';
import type { Source } from '../../source/source.js';
import { tooManyChanges } from './brp-error.js';
import { BUILT_IN, builtInOf, isBuiltIn } from './built-in.js';
import { type Component, componentsOf, type KnownType, pathOfType, segment } from './component.js';
import { Names } from './names.js';
import { Tables, TablesChange } from './world-tables.js';

/** A world that is not complete throws it when it would have to look at objects one by one. */
export class IncompleteError extends Error {
  override readonly name = 'IncompleteError';
}

/** Who keeps the worlds of a source. */
interface Keeper {
  /** Called once a world is complete. */
  completed(world: World): void;
  /** Whether it is of the current catalog. */
  isCurrent(world: World): boolean;
}

const NOBODY: Keeper = { completed: () => undefined, isCurrent: () => true };

/**
 * Registered types and Bevy's own can be looked up at once. All else needs the complete world. Looking at all objects
 * takes long, so the world of the next catalog begins with the tables of the one before.
 */
export class World {
  private readonly registered: ReadonlyMap<string, KnownType>;
  private tables: Tables | undefined;
  /** An earlier world, complete or not, whose tables this one takes over. */
  private before: World | undefined;
  private hasBegun = false;
  private entering: Entering | undefined;

  constructor(
    readonly catalog: Catalog,
    readonly simulation: string,
    readonly names = new Names(),
    private readonly keeper = NOBODY,
  ) {
    this.registered = new Map(
      catalog.types.map((registered) => {
        const { name, type, units, about } = registered;
        const path = this.pathOf(name);
        return [path, { path, type, units, about, registered }];
      }),
    );
  }

  /** Takes over the tables of an earlier world: now if that is complete and few objects have changed, otherwise later. */
  follow(before: World): void {
    const { catalog } = this;
    if (this.tables || this.hasBegun || before.catalog.types !== catalog.types) return;
    this.before = before;
    if (before.tables && catalog.changedSince(before.catalog.version, MOST_AT_ONCE)) while (this.enterSome());
  }

  /**
   * Enters the objects that have changed since an earlier world, or all, some in each turn. All who wait for it share the
   * work. An outdated world that would have to begin to look at all stays incomplete.
   * @param turn default: none is needed.
   */
  async complete(turn?: () => Promise<void>): Promise<void> {
    while (this.enterSome()) if (turn) await turn();
  }

  /** Whether it has begun to look at all objects, because it can follow no other world. */
  get looksAtAll(): boolean {
    return this.hasBegun && !this.tables && !this.before;
  }

  get isComplete(): boolean {
    return this.tables !== undefined;
  }

  /** Whether so few objects have changed that they can be entered in one piece. */
  get isNear(): boolean {
    const { before, catalog } = this;
    if (!before?.isComplete) return this.isComplete;
    return catalog.changedSince(before.catalog.version, MOST_IN_ONE_PIECE) !== undefined;
  }

  /** Enters some objects; false when none is left. After a fault it begins anew. */
  private enterSome(): boolean {
    try {
      return this.goOn();
    } catch (error) {
      this.entering = undefined;
      this.hasBegun = false;
      throw error;
    }
  }

  private goOn(): boolean {
    if (this.tables) return false;
    if (this.entering) return this.enter(this.entering);
    const { before } = this;
    if (before && !this.hasBegun && !this.changedSince(before)) this.before = undefined;
    this.hasBegun = true;
    if (this.before?.enterSome()) return true;
    this.entering = this.begun();
    this.hasBegun = this.entering !== undefined;
    return this.hasBegun;
  }

  private enter(entering: Entering): boolean {
    this.tables = entering.some();
    if (!this.tables) return true;
    this.entering = undefined;
    this.before = undefined;
    this.keeper.completed(this);
    return false;
  }

  /** Undefined for a world that nobody would follow: those who wait for it go on with the latest one. */
  private begun(): Entering | undefined {
    const { before, catalog, simulation } = this;
    // Meanwhile the history may have forgotten some.
    const names = before && this.changedSince(before);
    if (before?.tables && names) {
      const change = new TablesChange(before.tables, simulation);
      return new Entering(change, objectsNamed(names, before.catalog), objectsNamed(names, catalog));
    }
    this.before = undefined;
    if (!this.keeper.isCurrent(this)) return undefined;
    const change = new TablesChange(Tables.empty(this.registered), simulation);
    return new Entering(change, [], catalog.eachObject());
  }

  /** The names of changed objects; undefined when they are not known, or most have changed. */
  private changedSince({ catalog: { version } }: World): ReadonlySet<string> | undefined {
    const { catalog } = this;
    return catalog.changedSince(version, Math.max(MOST_AT_ONCE, catalog.objectCount / 2));
  }

  /** The object with a number. */
  object(number: number | undefined): SimObject | undefined {
    return number === undefined ? undefined : this.all.object(number);
  }

  children(object: SimObject): readonly SimObject[] {
    return this.all.children(object);
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

  /** All type paths, sorted; Bevy's own among them. The same list as long as no type comes or goes. */
  get paths(): readonly string[] {
    return this.all.paths;
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

/** Objects that tables are made of, entered some at a time. */
class Entering {
  private readonly removed: Iterator<SimObject>;
  private readonly added: Iterator<SimObject>;

  /** @param removed goes first: an object may have the number or the type path that another one had. */
  constructor(
    private readonly change: TablesChange,
    removed: Iterable<SimObject>,
    added: Iterable<SimObject>,
  ) {
    this.removed = removed[Symbol.iterator]();
    this.added = added[Symbol.iterator]();
  }

  /** The tables, when all are entered. */
  some(): Tables | undefined {
    for (let count = 0; count < RANGE; count++) {
      const gone = this.removed.next();
      if (!gone.done) this.change.remove(gone.value);
      else {
        const { done, value } = this.added.next();
        if (done) return this.change.finish();
        this.change.add(value);
      }
    }
    return undefined;
  }
}

function* objectsNamed(names: Iterable<string>, catalog: Catalog): Iterable<SimObject> {
  for (const name of names) {
    const object = catalog.object(name);
    if (object) yield object;
  }
}

/** More changes than this are entered in turns. */
const MOST_AT_ONCE = 64;
/** So often changes that came meanwhile are entered in turns; then up to so many in one piece. */
const PATIENT_ROUNDS = 3;
const MOST_IN_ONE_PIECE = 500;
/** So many catalogs are outdated before their worlds are complete; then who waits is refused. */
const MOST_ROUNDS = 20;

/** The latest worlds of a source. */
class Worlds implements Keeper {
  private latest: World | undefined;
  /** What the next one follows: the latest one that is complete, or one that looks at all objects. */
  private base: World | undefined;
  private readonly names = new Names();

  constructor(private readonly source: Source) {}

  get current(): World {
    const { latest } = this;
    const { catalog, info } = this.source;
    if (latest?.catalog === catalog) return latest;
    if (latest?.looksAtAll) this.base = latest;
    const next = new World(catalog, segment(info.name), this.names, this);
    this.latest = next;
    if (this.base) next.follow(this.base);
    return next;
  }

  /** One that was begun earlier may be complete later. */
  completed(world: World): void {
    if (world === this.latest || !this.base || world.catalog.version > this.base.catalog.version) this.base = world;
  }

  isCurrent(world: World): boolean {
    return world.catalog === this.source.catalog;
  }
}

const worlds = new WeakMap<Source, Worlds>();

/** The world of the source's current catalog, which may not be complete. */
export function worldOf(source: Source): World {
  const known = worlds.get(source) ?? new Worlds(source);
  worlds.set(source, known);
  return known.current;
}

/**
 * The complete world of the catalog that is the source's current one at the end. Throws an RpcError when more changes each
 * time than can be followed.
 */
export async function completeWorldOf(source: Source, turn: () => Promise<void>): Promise<World> {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const world = worldOf(source);
    const isAtOnce = round >= PATIENT_ROUNDS && world.isNear;
    await world.complete(isAtOnce ? undefined : turn);
    if (world.isComplete && world.catalog === source.catalog) return world;
  }
  throw tooManyChanges();
}
