// A simulation's state on the simulation's side: objects and components in an arena, typed views, mirrors.
import { Additions } from './additions.js';
import { type Allocation, Allocations } from './allocations.js';
import { Arena } from './arena.js';
import type { CallableDescription } from './callable.js';
import type { CatalogChanges, CatalogDescription } from './catalog.js';
import { Journal } from './catalog-journal.js';
import { Children } from './children.js';
import { type AnyDeclared, type Declared, inherited, type ViewOf } from './declare.js';
import { requireDeclared } from './declared.js';
import { DeclaredEvents } from './event-description.js';
import { endInitialization } from './fixed.js';
import { described, type HeldObject, memberOf, takenAlias } from './held-object.js';
import { initialValue, storeInitial } from './initial.js';
import { Mirrors, type PullPurpose } from './mirrors.js';
import { checkName } from './name.js';
import type { Mirror, ObjectHandle, ObjectOptions } from './object-handle.js';
import { clearingPointers, clearPointersInto, holdsPointers, rangeOf } from './pointers.js';
import { DeclaredPoses } from './pose.js';
import type { Value } from './read.js';
import { didYouMean, nearestNames } from './suggest.js';
import type { Member } from './type.js';
import { type TypeOptions, TypeRegistry } from './type-registry.js';
import { componentView, defineCell, isValue } from './view.js';
import { writeValue } from './write.js';

export type { ComponentView, Mirror, ObjectHandle, ObjectOptions } from './object-handle.js';

/** Which freed memory may be used again: code of the simulation that still uses a view must not change another component. */
type Reuse = 'all' | 'unseen';

export class State {
  readonly arena = new Arena();
  readonly events = new DeclaredEvents(() => ++this.versionNumber);
  readonly poses = new DeclaredPoses(() => ++this.versionNumber);
  readonly types = new TypeRegistry();
  /** What clients have added. */
  readonly additions = new Additions();
  private readonly objects = new Map<string, HeldObject>();
  private readonly byNumber = new Map<number, HeldObject>();
  private readonly children = new Children<HeldObject>();
  private readonly mirrors = new Mirrors();
  private readonly functions = new Map<string, CallableDescription>();
  /** Memory outside components. */
  readonly allocations: Allocations = new Allocations(this.arena, {
    changed: (name, isRemoved) => this.changed(name, isRemoved),
    clearPointers: (gone) => this.clearPointers(gone),
    clearingPointers: (gone) => clearingPointers([gone], this.arena.memory, this.holders),
    isObject: (name) => this.objects.has(name),
  });
  private readonly pointerHolders = new Set<Member>();
  /** Components of which simulation code has views. */
  private readonly seen = new WeakSet<Member>();
  private readonly journal = new Journal();
  private functionsVersion = 1;
  private typesVersion = 1;
  private nextNumber = 1;
  private versionNumber = 1;

  /**
   * @param placed called with each new component, and its path.
   * @param gaveWay called with a sentence when something that a client has added is removed for another of its name.
   */
  constructor(
    private readonly placed: (path: string, member: Member) => void = () => undefined,
    private readonly gaveWay: (sentence: string) => void = () => undefined,
  ) {}

  /** Increases whenever an object or component is added or removed. */
  get version(): number {
    return this.versionNumber;
  }

  addObject(name: string, options: ObjectOptions & { isAdded?: boolean } = {}): ObjectHandle {
    const { typeName = `${name[0]?.toUpperCase()}${name.slice(1)}SimObject`, isAdded = false } = options;
    const parent = options.parent ? this.held(options.parent.name, options.parent.number).number : null;
    if (!isAdded) this.makeWay(name, 'the simulation makes an object of that name');
    this.allocations.requireFree(name, 'an object');
    const held: HeldObject = { name, number: this.nextNumber++, parent, typeName, members: [], isAdded };
    this.objects.set(name, held);
    this.byNumber.set(held.number, held);
    this.children.move(held, null, parent);
    this.changed(name);
    return this.handleOf(held);
  }

  /** What a client has added under a name is removed, as if it had been deleted, and that is said with a reason. */
  makeWay(name: string, why: string): void {
    const variable = this.allocations.ofClient(name);
    if (variable) {
      this.allocations.remove(variable);
      this.gaveWay(`the variable ${name}, which a client declared, was deleted: ${why}`);
    }
    if (!this.objects.get(name)?.isAdded) return;
    this.removeObjects([name], 'unseen');
    this.gaveWay(`the object ${name}, which a client spawned, was removed: ${why}`);
  }

  /** Removes an object and its components; its children stay, without a parent. */
  removeObject(name: string): void {
    this.removeObjects([name], 'all');
  }

  /** Removes several objects; their other children lose their parent. Throws an Error that has changed nothing. */
  removeObjects(names: readonly string[], reuse: Reuse): void {
    const gone = names.map((name) => this.held(name));
    for (const held of gone) {
      for (const { name } of held.members) this.mirrors.forget(`${held.name}.${name}`);
      this.children.move(held, held.parent, null);
      this.objects.delete(held.name);
      this.changed(held.name, true);
      this.byNumber.delete(held.number);
      this.additions.removedObject(held.number);
    }
    this.giveBack(
      gone.flatMap(({ members }) => members.splice(0)),
      reuse,
    );
    for (const { number } of gone) for (const child of this.children.of(number)) this.setParent(child, null);
  }

  /** An object and all objects below it, parents first. Throws an Error for an unknown name. */
  family(name: string): Pick<HeldObject, 'name' | 'number'>[] {
    const family = [this.held(name)];
    for (const member of family) family.push(...this.children.of(member.number));
    return family;
  }

  /** Whether the object with a number is still there. */
  hasNumber(number: number): boolean {
    return this.byNumber.has(number);
  }

  /** Puts an object below another one, or at the top with null. Throws an Error when the other is below the first. */
  reparent(name: string, parent: string | null): void {
    this.move(this.held(name), parent === null ? null : this.held(parent));
  }

  /** Makes read-only what was writable until the initialization has ended. */
  endInitialization(): void {
    for (const held of this.objects.values()) if (endInitialization(held.members)) this.change(held);
  }

  get objectCount(): number {
    return this.objects.size;
  }

  hasObject(name: string): boolean {
    return this.objects.has(name);
  }

  /** Whether a client has added the object or variable of a name. */
  isOfClient(name: string): boolean {
    return this.objects.get(name)?.isAdded ?? this.allocations.ofClient(name) !== undefined;
  }

  /** The object with a name. Throws an Error when there is none. */
  object(name: string): ObjectHandle {
    return this.handleOf(this.held(name));
  }

  /** The aliases of an object's components. Throws an Error for an unknown name. */
  aliasesOf(name: string): string[] {
    return this.held(name).members.map((member) => member.name);
  }

  /** Adds a component without a view. Throws an Error, and then changes nothing. @param initial as `convertFor` returned it. */
  addComponent(object: string, alias: string, declared: AnyDeclared, initial?: Value): Member {
    const held = this.held(object);
    if (held.members.some(({ name }) => name === alias)) throw takenAlias(held, alias);
    const member = this.place(held, alias, declared);
    if (initial !== undefined) this.initialise(held, member, initial);
    return member;
  }

  /** Removes components. Throws an Error, and then changes nothing. */
  removeComponents(object: string, aliases: readonly string[], reuse: Reuse): void {
    const held = this.held(object);
    this.removeMembers(held, new Set(aliases.map((alias) => memberOf(held, alias))), reuse);
  }

  /** Registers a declared type by name. Throws an Error for a name that is missing or taken. */
  addType<D extends AnyDeclared>(declared: D, options: TypeOptions): D {
    const named = this.types.add(declared, options);
    this.typesVersion = ++this.versionNumber;
    return named;
  }

  /** Registers a function that clients may call; a later one with the same name replaces it. */
  addFunction(callable: CallableDescription): void {
    this.functions.set(callable.name, callable);
    this.functionsVersion = ++this.versionNumber;
  }

  /** What has changed since a version; undefined when that is not known, and the whole catalog must be described. */
  changesSince(from: number): CatalogChanges | undefined {
    const entries = this.journal.since(from);
    if (!entries) return undefined;
    // Ordered by their last changes, because an object that was removed and made again comes last.
    const names = [...new Set(entries.map(({ name }) => name).reverse())].reverse();
    const held = names.flatMap((name) => this.objects.get(name) ?? []);
    return {
      from,
      version: this.version,
      arenaBytes: this.arena.usedBytes,
      removed: [...new Set(entries.flatMap(({ name, isRemoved }) => (isRemoved ? [name] : [])))],
      objects: held.sort((one, other) => one.number - other.number).map(described),
      variables: names.flatMap((name) => this.allocations.described(name) ?? []),
      ...(this.functionsVersion > from && { functions: [...this.functions.values()] }),
      ...this.events.since(from),
      ...this.poses.since(from),
      ...(this.typesVersion > from && { types: this.types.describe() }),
    };
  }

  describe(): CatalogDescription {
    const { variables } = this.allocations;
    return {
      version: this.version,
      arenaBytes: this.arena.usedBytes,
      objects: [...this.objects.values()].map(described),
      functions: [...this.functions.values()],
      types: this.types.describe(),
      ...this.events.since(0),
      ...this.poses.since(0),
      ...(variables.length > 0 && { variables }),
    };
  }

  /** Reads all mirrored components into the arena, also when a getter fails: throws the first error, with the path in front. */
  pullMirrors(purpose: PullPurpose = 'frame'): void {
    this.mirrors.pullAll(purpose);
  }

  /** Reads one component into the arena if it is mirrored. */
  pullMirror(objectAndAlias: string): void {
    this.mirrors.pull(objectAndAlias);
  }

  /** Calls the setter of mirrored state after a client has written below `object.component`. */
  pushMirror(objectAndAlias: string): void {
    this.mirrors.push(objectAndAlias);
  }

  /** Names of objects with components whose setters are called after clients have written. */
  get objectsWithSetters(): ReadonlySet<string> {
    return this.mirrors.objectsWithSetters;
  }

  private handleOf(held: HeldObject): ObjectHandle {
    const add = (alias: string, declared: AnyDeclared, initial: unknown): Member => {
      const given = initialValue(declared, initial, `${held.name}.${alias}`);
      const member = this.place(held, alias, declared);
      if (given !== undefined) this.initialise(held, member, given);
      this.seen.add(member);
      return member;
    };
    return {
      name: held.name,
      number: held.number,
      component: (alias, declared, initial) => componentView(this.arena, add(alias, declared, initial)) as never,
      components: (members, initial = {}) => {
        const views = {};
        for (const [alias, declared] of Object.entries(members)) {
          const member = add(alias, declared, (initial as Record<string, unknown>)[alias]);
          defineCell(views, alias, this.arena, member);
        }
        const stray = Object.keys(initial).find((alias) => !Object.hasOwn(members, alias));
        if (stray !== undefined) throw new Error(`object ${held.name} gets no component ${stray}`);
        return Object.seal(views) as never;
      },
      mirror: (alias, declared, mirror) => this.bindMirror(held, alias, declared, mirror),
      remove: (alias) => this.removeComponent(held, alias, 'all'),
      reparent: (parent) =>
        this.move(this.held(held.name, held.number), parent && this.held(parent.name, parent.number)),
    };
  }

  /** The object with a name, and with the same number when a handle asks for it. Throws an Error when it is gone. */
  private held(name: string, number?: number): HeldObject {
    const held = this.objects.get(name);
    if (held && (number === undefined || held.number === number)) return held;
    if (number !== undefined) throw new Error(`object ${name} has been removed`);
    throw new Error(`there is no object ${name}${didYouMean(nearestNames(name, this.objects.keys()))}`);
  }

  private move(held: HeldObject, parent: HeldObject | null): void {
    if (parent === held) throw new Error(`object ${held.name} cannot be its own parent`);
    for (let above = parent; above; above = this.byNumber.get(above.parent ?? 0) ?? null) {
      if (above !== held) continue;
      throw new Error(`object ${held.name} cannot be put below ${parent?.name}, which is below it`);
    }
    this.setParent(held, parent?.number ?? null);
  }

  private setParent(held: HeldObject, parent: number | null): void {
    this.children.move(held, held.parent, parent);
    held.parent = parent;
    this.change(held);
  }

  private change(held: HeldObject): void {
    held.description = undefined;
    this.changed(held.name);
  }

  /** Notes that an object or variable was added, changed or removed; without a name, that only offsets have changed. */
  private changed(name?: string, isRemoved = false): void {
    this.versionNumber++;
    if (name !== undefined) this.journal.note(this.versionNumber, name, isRemoved);
  }

  private place(held: HeldObject, alias: string, declared: Declared): Member {
    checkName('a component', alias);
    this.held(held.name, held.number);
    const before = held.members.find((member) => member.name === alias);
    if (before) this.makeWayIn(held, before);
    const { type, typeName } = declared;
    const member: Member = {
      ...{ name: alias, type, ...inherited(declared), offsetBytes: this.arena.allocate(type) },
      ...(typeName !== undefined && { typeName }),
    };
    held.members.push(member);
    this.placed(`${held.name}.${alias}`, member);
    if (holdsPointers(type)) this.pointerHolders.add(member);
    this.change(held);
    return member;
  }

  private makeWayIn(held: HeldObject, member: Member): void {
    if (!this.additions.hasMember(member)) throw takenAlias(held, member.name);
    this.removeMembers(held, new Set([member]), 'unseen');
    const path = `${held.name}.${member.name}`;
    this.gaveWay(`the component ${path}, which a client added, was removed: the simulation makes one of that name`);
  }

  private bindMirror<D extends Declared>(held: HeldObject, alias: string, declared: D, mirror: Mirror<D>): void {
    requireDeclared(declared, `${held.name}.${alias}`);
    // Without a setter nothing can put a saved value back.
    const shown = mirror.set ? declared : ({ ...declared, access: 'read-only', checkpointIo: '*o' } as const);
    const member = this.place(held, alias, shown);
    const { set, readFor = 'frames' } = mirror;
    this.seen.add(member);
    const view = componentView(this.arena, member) as { value?: unknown };
    const current = () => (isValue(member.type) ? view.value : view) as ViewOf<D>;
    const path = `${held.name}.${alias}`;
    this.mirrors.bind(path, {
      ...{ object: held.name, readFor },
      pull: () => writeValue(this.arena.memory, member.type, member.offsetBytes, mirror.get(), path),
      push: set && (() => set(current())),
    });
  }

  private removeComponent(held: HeldObject, alias: string, reuse: Reuse): void {
    this.removeMembers(held, new Set([memberOf(held, alias)]), reuse);
  }

  private removeMembers(held: HeldObject, gone: ReadonlySet<Member>, reuse: Reuse): void {
    for (const member of held.members.splice(0)) if (!gone.has(member)) held.members.push(member);
    for (const { name } of gone) this.mirrors.forget(`${held.name}.${name}`);
    this.giveBack([...gone], reuse);
    this.change(held);
  }

  /** Frees the memory of removed components; pointers into it become null. */
  private giveBack(members: readonly Member[], reuse: Reuse): void {
    const gone = members.flatMap((member) => {
      const isFree = reuse === 'all' || !this.seen.has(member);
      const owned = this.allocations.disown(member);
      this.pointerHolders.delete(member);
      this.additions.removedMember(member);
      const { type, offsetBytes } = member;
      return [{ type, offsetBytes, count: 1 }, ...owned].map((allocation) => ({ ...allocation, isFree }));
    });
    this.clearPointers(gone);
    for (const { type, offsetBytes, count, isFree } of gone) {
      if (isFree) this.arena.release(type, offsetBytes, count);
    }
  }

  private clearPointers(gone: readonly Allocation[]): void {
    const ranges = gone.map(({ type, offsetBytes, count }) => rangeOf(type, offsetBytes, count));
    for (const some of this.holders) clearPointersInto(ranges, this.arena.memory, some);
  }

  /** All that holds pointers. */
  private get holders(): readonly ReadonlySet<Member | Allocation>[] {
    return [this.pointerHolders, this.allocations.holdersOfPointers];
  }

  /** Stores an initial value; a list for a pointer is allocated. On an error it removes the component. */
  private initialise(held: HeldObject, member: Member, initial: Value): void {
    try {
      storeInitial(this.arena.memory, this.allocations, member, initial);
    } catch (error) {
      this.removeComponent(held, member.name, 'all');
      throw error;
    }
  }
}
