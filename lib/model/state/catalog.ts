// Everything that a simulation has, by name: objects, their components, functions and enumeration labels.
import { formatPath, type PathStep, parsePath } from '../../../grammar/path/index.js';
import type { CallableDescription } from './callable.js';
import { ChangeHistory } from './change-history.js';
import type { EventDescription } from './event-description.js';
import { LayeredMap } from './layered-map.js';
import { listed, listedBehind, listedWithin } from './listing.js';
import type { PoseDescription } from './pose.js';
import { didYouMean, nearestNames } from './suggest.js';
import { describeType, type EnumerationType, type Member, type StructType, structType } from './type.js';
import type { TypeDescription } from './type-registry.js';
import { NewStructures, TypesInUse } from './types-in-use.js';
import { type Dead, resolve, type Variable } from './variable.js';

export interface SimObject {
  readonly name: string;
  /** Stays the same for the object's life, and is below 2^53. */
  readonly number: number;
  readonly parent: number | null;
  /** The object's components as members, at their offsets in the arena. */
  readonly type: StructType;
  /** Set when a client has added it: its name means nothing else to those who knew the name before. */
  readonly isAdded?: true;
}

/** A component and its object; the member's name is the component's alias. */
export interface ComponentPlace {
  readonly object: SimObject;
  readonly member: Member;
}

/** The catalog as plain data, so that it can be sent to another thread. */
export interface CatalogDescription {
  readonly version: number;
  /** How many bytes of the arena are used. */
  readonly arenaBytes: number;
  readonly objects: readonly SimObject[];
  readonly functions: readonly CallableDescription[];
  /** Events that the simulation makes; left out when there are none. */
  readonly events?: readonly EventDescription[];
  /** Poses that the simulation declares; left out when there are none. */
  readonly poses?: readonly PoseDescription[];
  /** Types known by name; left out when there are none. */
  readonly types?: readonly TypeDescription[];
  /** Variables of their own, at their offsets in the arena; left out when there are none. */
  readonly variables?: readonly Member[];
}

/** The changes from one version to a later one as plain data; what has not changed is left out. */
export interface CatalogChanges {
  /** The version that they apply to. */
  readonly from: number;
  readonly version: number;
  readonly arenaBytes: number;
  /** Names of objects and variables that were removed at some time; some are made again. */
  readonly removed: readonly string[];
  /** Objects that are new or have changed, in the order of their numbers. */
  readonly objects: readonly SimObject[];
  /** Variables of their own that are new. */
  readonly variables: readonly Member[];
  /** All functions, if any of them has changed. */
  readonly functions?: readonly CallableDescription[];
  readonly events?: readonly EventDescription[];
  readonly poses?: readonly PoseDescription[];
  readonly types?: readonly TypeDescription[];
}

/** How many found paths are remembered; a client that invents names must not fill the memory. */
const REMEMBERED_PATHS = 65_536;
const LONGEST_REMEMBERED = 256;
/** Most characters of a path; longer texts are not parsed. */
export const LONGEST_PATH = 4096;

/** An object or a variable of its own, as the first step of paths. */
interface Top {
  readonly object: SimObject | undefined;
  readonly member: Member;
}

/** A variable that was found, for as long as its first step is the same. */
interface FoundVariable {
  readonly top: Top;
  readonly variable: Variable;
}

/** All variables of a simulation, by path. A catalog never changes: a change makes a new one. */
export class Catalog {
  readonly version: number;
  readonly arenaBytes: number;
  readonly functions: ReadonlyMap<string, CallableDescription>;
  /** Events that the simulation makes. */
  readonly events: readonly EventDescription[];
  /** Poses that the simulation declares; a parent comes before its children. */
  readonly poses: readonly PoseDescription[];
  readonly types: readonly TypeDescription[];
  private readonly typesByName: ReadonlyMap<string, TypeDescription>;
  private readonly held: LayeredMap<Top>;
  /** Variables of their own. */
  private readonly own: LayeredMap<Top>;
  /** Shared with later versions. */
  private readonly found: Map<string, FoundVariable>;
  /** Shared with later versions. */
  private readonly history: ChangeHistory;
  private knownObjects: readonly SimObject[] | undefined;
  private knownInUse: TypesInUse | undefined;
  private knownComponents: ReadonlyMap<string, readonly ComponentPlace[]> | undefined;

  /** @param before the version that changes apply to. */
  constructor(description: CatalogDescription | CatalogChanges, before?: Catalog) {
    const isWhole = !('from' in description);
    if (!isWhole && before?.version !== description.from)
      throw new Error(`changes of version ${description.from} do not apply to version ${before?.version}`);
    const { objects, variables = [], types, functions } = description;
    this.version = description.version;
    this.arenaBytes = description.arenaBytes;
    const next = (map: LayeredMap<Top> | undefined, named: [string, Top][]): LayeredMap<Top> =>
      isWhole || !map ? LayeredMap.of(named) : map.with(description.removed, named);
    this.held = next(before?.held, objects.map(objectTop));
    this.own = next(before?.own, variables.map(variableTop));
    this.events = description.events ?? before?.events ?? [];
    this.poses = description.poses ?? before?.poses ?? [];
    this.types = types ?? before?.types ?? [];
    this.typesByName = types || !before ? new Map(this.types.map((type) => [type.name, type])) : before.typesByName;
    this.functions =
      functions || !before ? new Map(functions?.map((callable) => [callable.name, callable])) : before.functions;
    this.found = isWhole ? new Map() : (before as Catalog).found;
    this.history = isWhole ? new ChangeHistory() : (before as Catalog).history;
    if (!isWhole) {
      const names = [...description.removed, ...objects.map(({ name }) => name)];
      this.history.add(description.from, description.version, names);
      this.knownInUse = before?.knownInUse && before.typesAfter(names, objects);
    }
  }

  get objects(): readonly SimObject[] {
    if (!this.knownObjects) {
      const objects: SimObject[] = [];
      this.held.forEach(({ object }) => {
        if (object) objects.push(object);
      });
      this.knownObjects = objects;
    }
    return this.knownObjects;
  }

  get objectCount(): number {
    return this.held.size;
  }

  /** The objects one by one, without a list of all. */
  *eachObject(): Generator<SimObject> {
    for (const { object } of this.held.values()) if (object) yield object;
  }

  /**
   * The variable at a path, in which blanks around names are allowed; undefined if there is none. Trick:
   * MemoryManager::ref_attributes
   */
  find(path: string): Variable | undefined {
    const known = this.found.get(path);
    if (known && this.top(known.top.member.name) === known.top) return known.variable;
    if (path.length > LONGEST_PATH) return undefined;
    const parsed = parsePath(path);
    const result = parsed.steps && this.follow(parsed.steps);
    if (!result || 'reason' in result) return undefined;
    if (path.length <= LONGEST_REMEMBERED) {
      if (this.found.size >= REMEMBERED_PATHS) this.found.clear();
      const top = this.topOf(parsed.steps);
      if (top) this.found.set(path, { top, variable: result });
    }
    return result;
  }

  /**
   * One sentence on why there is no variable at a path, with the nearest names.
   * @param nearest the result of `nearest`, for callers that already have it.
   */
  explain(path: string, nearest = this.nearest(path)): string {
    if (path.length > LONGEST_PATH) return `a path has at most ${LONGEST_PATH} characters, this one ${path.length}`;
    const parsed = parsePath(path);
    if (parsed.error) return `"${path}" is not a variable's path: ${parsed.error.message}`;
    const result = this.follow(parsed.steps);
    if (!result) return `there is no object ${spell(parsed.steps, 1)}${didYouMean(nearest)}`;
    if (!('reason' in result)) return `${result.path} is a variable`;
    return `${spell(parsed.steps, result.stepIndex)} ${result.reason}${didYouMean(nearest)}`;
  }

  /** The existing paths that are nearest to an unknown one. */
  nearest(path: string): string[] {
    if (path.length > LONGEST_PATH) return [];
    const parsed = parsePath(path);
    if (parsed.error) return [];
    const { steps } = parsed;
    const result = this.follow(steps);
    const stepIndex = !result ? 0 : 'reason' in result ? result.stepIndex : steps.length;
    const step = steps[stepIndex];
    if (step?.kind !== 'member') return [];
    const before = stepIndex === 0 ? '' : `${spell(steps, stepIndex)}.`;
    const candidates = result && 'reason' in result ? result.candidates : this.topNames();
    const after = rest(steps, stepIndex + 1);
    return nearestNames(step.name, candidates).map((name) =>
      this.find(before + name + after) ? before + name + after : before + name,
    );
  }

  /** Whether an object or a variable of its own has a name. */
  hasName(name: string): boolean {
    return this.top(name) !== undefined;
  }

  object(name: string): SimObject | undefined {
    return this.held.get(name)?.object;
  }

  /**
   * Names of objects that came, went or changed since an earlier version; undefined when that is too long ago, or when
   * there are more than `most`.
   */
  changedSince(version: number, most?: number): ReadonlySet<string> | undefined {
    return this.history.between(version, this.version, most);
  }

  /** Variables that are no objects. */
  get ownVariables(): readonly Member[] {
    return [...this.own.values()].map(({ member }) => member);
  }

  /** The type that was registered by this name, whether or not a component has it. */
  typeOf(name: string): TypeDescription | undefined {
    return this.typesByName.get(name);
  }

  /** The components of a type, by its registered name or its own: `Body`, `double[3]`. */
  componentsOf(typeName: string): readonly ComponentPlace[] {
    this.knownComponents ??= componentsByType(this.objects);
    return this.knownComponents.get(typeName) ?? [];
  }

  /** Every enumeration label and its value; a label of two enumerations has the value of the first. */
  get labels(): ReadonlyMap<string, number> {
    return this.inUse.labels;
  }

  /** The enumerations in use, once each by name. */
  enumerations(): EnumerationType[] {
    return this.inUse.enumerations();
  }

  /** The structures in use, once each by name, without pairs; a structure comes after those that it contains. */
  structures(): StructType[] {
    const found = new NewStructures();
    return [...this.eachObject()].flatMap(({ type }) => [...found.in(type)]);
  }

  /**
   * A structure or enumeration of components. The type of an object is none that a variable can have: its members lie
   * where the object's components were allocated.
   */
  typeInUse(name: string): StructType | EnumerationType | undefined {
    return this.inUse.named(name);
  }

  /**
   * Every variable with values of its own, in order: members of structures are listed, and an array of values is one
   * variable. They are made one by one, so a listing of a million takes no memory.
   */
  variables(): Generator<Variable> {
    return listed(this.members());
  }

  /** Every object and every variable of its own, in order. */
  *tops(): Generator<Variable> {
    for (const { name, ...place } of this.members()) yield { ...place, path: name, hops: [] };
  }

  /** How many `tops` there are. */
  get topCount(): number {
    return this.held.size + this.own.size;
  }

  /** The variables after a given one, without the time that it takes to list those before it. */
  variablesBehind({ path }: Variable): Generator<Variable> {
    const members: Member[] = [];
    const add = ({ member }: Top): void => {
      members.push(member);
    };
    this.held.forEach(add);
    this.own.forEach(add);
    return listedBehind(members, parsePath(path).steps ?? []);
  }

  /** The variables below one that come after another of them. */
  *withinBehind({ path }: Variable, behind: Variable): Generator<Variable> {
    for (const variable of this.variablesBehind(behind)) {
      if (!/^[.[]/.test(variable.path.slice(path.length)) || !variable.path.startsWith(path)) return;
      yield variable;
    }
  }

  /** The variables at and below one; pointers and sequences are not followed. */
  within(variable: Variable): Generator<Variable> {
    return listedWithin(variable);
  }

  private follow(steps: readonly PathStep[]): Variable | Dead | undefined {
    const top = this.topOf(steps);
    return top && resolve(top.member, formatPath(steps), steps);
  }

  private topOf([first]: readonly PathStep[]): Top | undefined {
    return first?.kind === 'member' ? this.top(first.name) : undefined;
  }

  private top(name: string): Top | undefined {
    return this.held.get(name) ?? this.own.get(name);
  }

  private *topNames(): Generator<string> {
    yield* this.held.keys();
    yield* this.own.keys();
  }

  private *members(): Generator<Member> {
    for (const { member } of this.held.values()) yield member;
    for (const { member } of this.own.values()) yield member;
  }

  /** The types in use after objects of these names have gone, and others have come. */
  private typesAfter(names: readonly string[], come: readonly SimObject[]): TypesInUse {
    const gone = [...new Set(names)].flatMap((name) => this.object(name)?.type ?? []);
    return this.inUse.with(
      gone,
      come.map(({ type }) => type),
    );
  }

  private *eachType(): Generator<StructType> {
    for (const { type } of this.eachObject()) yield type;
  }

  private get inUse(): TypesInUse {
    this.knownInUse ??= TypesInUse.of(this.eachType());
    return this.knownInUse;
  }
}

const spell = (steps: readonly PathStep[], count: number): string => formatPath(steps.slice(0, count));

function rest(steps: readonly PathStep[], from: number): string {
  const tail = formatPath(steps.slice(from));
  return tail && !tail.startsWith('[') ? `.${tail}` : tail;
}

const variableTop = (member: Member): [string, Top] => [member.name, { object: undefined, member }];

function objectTop(object: SimObject): [string, Top] {
  const { name, type } = object;
  return [name, { object, member: { name, type, offsetBytes: 0, units: '1', about: '', access: 'read-write' } }];
}

/** All components by the name of their type, in the order of the objects. */
function componentsByType(objects: readonly SimObject[]): ReadonlyMap<string, readonly ComponentPlace[]> {
  const byType = new Map<string, ComponentPlace[]>();
  for (const object of objects) {
    for (const member of object.type.members) {
      const name = member.typeName ?? describeType(member.type);
      const places = byType.get(name);
      if (places) places.push({ object, member });
      else byType.set(name, [{ object, member }]);
    }
  }
  return byType;
}

/** A catalog without contents, for a source that has not started yet. */
export const emptyCatalog = (): Catalog => new Catalog({ version: 0, arenaBytes: 0, objects: [], functions: [] });

/** The struct of an object; its components lie where they were allocated. */
export const objectType = (name: string, members: readonly Member[]): StructType => ({
  ...structType(name, []),
  members,
});
