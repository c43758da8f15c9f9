// A simulation's state as the simulation holds it: objects and components in an arena, typed views, mirrors.
import { Arena } from './arena.js';
import { type CallableDescription, type CatalogDescription, objectType, type SimObject } from './catalog.js';
import type { Declared, InitialOf, ViewOf } from './declare.js';
import { didYouMean, nearestNames } from './suggest.js';
import { isLeaf, type Member, type StructType, strideOf, type Type } from './type.js';
import { defineCell, viewOf } from './view.js';
import { writeValue } from './write.js';

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** State that lives in ordinary objects: read into the arena before a frame, written back after a client's write. */
export interface Mirror<D extends Declared> {
  readonly get: () => InitialOf<D>;
  /** Without it the component is read-only. */
  readonly set?: (value: ViewOf<D>) => void;
}

interface BoundMirror {
  readonly member: Member;
  readonly pull: () => void;
  readonly push: (() => void) | undefined;
}

export interface ObjectOptions {
  /** The class name that resource files show. Default: the name with a capital and `SimObject`. */
  readonly typeName?: string;
  readonly parent?: ObjectHandle;
}

/** A simulation object as the simulation holds it. */
export interface ObjectHandle {
  readonly name: string;
  readonly number: number;
  /** Adds a component and gives its view; a plain value's view is a `{ value }` cell. */
  component<D extends Declared>(alias: string, declared: D, initial?: InitialOf<D>): ComponentView<D>;
  /** Adds a component whose state lives elsewhere. */
  mirror<D extends Declared>(alias: string, declared: D, mirror: Mirror<D>): void;
  /** Removes a component; references to it become BAD_REF. */
  remove(alias: string): void;
}

export type ComponentView<D extends Declared> = ViewOf<D> extends object ? ViewOf<D> : { value: ViewOf<D> };

interface HeldObject {
  readonly name: string;
  readonly number: number;
  readonly parent: number | null;
  readonly typeName: string;
  readonly members: Member[];
}

export class State {
  readonly arena = new Arena();
  private readonly objects = new Map<string, HeldObject>();
  private readonly mirrors = new Map<string, BoundMirror>();
  private readonly functions = new Map<string, CallableDescription>();
  private nextNumber = 1;
  private versionNumber = 1;

  /** Goes up whenever an object or component comes or goes. */
  get version(): number {
    return this.versionNumber;
  }

  addObject(name: string, options: ObjectOptions = {}): ObjectHandle {
    checkName('an object', name);
    if (this.objects.has(name)) throw new Error(`there is an object ${name} already`);
    const typeName = options.typeName ?? `${name[0]?.toUpperCase()}${name.slice(1)}SimObject`;
    const held: HeldObject = {
      name,
      number: this.nextNumber++,
      parent: options.parent?.number ?? null,
      typeName,
      members: [],
    };
    this.objects.set(name, held);
    this.versionNumber++;
    return this.handleOf(held);
  }

  removeObject(name: string): void {
    const held = this.objects.get(name);
    if (!held) throw new Error(`there is no object ${name}${didYouMean(nearestNames(name, this.objects.keys()))}`);
    for (const member of [...held.members]) this.removeComponent(held, member.name);
    this.objects.delete(name);
    this.versionNumber++;
  }

  /** Lists a function as callable; a later one of the same name replaces it. */
  addFunction(callable: CallableDescription): void {
    this.functions.set(callable.name, callable);
    this.versionNumber++;
  }

  describe(): CatalogDescription {
    const objects: SimObject[] = [...this.objects.values()].map(({ name, number, parent, typeName, members }) => ({
      name,
      number,
      parent,
      type: objectType(typeName, [...members]),
    }));
    return { version: this.version, arenaBytes: this.arena.usedBytes, objects, functions: [...this.functions.values()] };
  }

  /** Runs the getters of mirrored components into the arena. */
  pullMirrors(): void {
    for (const mirror of this.mirrors.values()) mirror.pull();
  }

  /** Tells the owner of mirrored state that a client has written below `object.component`. */
  pushMirror(objectAndAlias: string): void {
    this.mirrors.get(objectAndAlias)?.push?.();
  }

  private handleOf(held: HeldObject): ObjectHandle {
    return {
      name: held.name,
      number: held.number,
      component: (alias, declared, initial) => {
        const member = this.place(held, alias, declared);
        if (initial !== undefined) this.initialise(member.type, member.offsetBytes, initial);
        return this.componentView(member) as never;
      },
      mirror: (alias, declared, mirror) => this.bindMirror(held, alias, declared, mirror),
      remove: (alias) => this.removeComponent(held, alias),
    };
  }

  private place(held: HeldObject, alias: string, declared: Declared): Member {
    checkName('a component', alias);
    if (held.members.some((member) => member.name === alias)) {
      throw new Error(`object ${held.name} has a component ${alias} already`);
    }
    const { type, units, about, access } = declared;
    const member: Member = { name: alias, type, units, about, access, offsetBytes: this.arena.allocate(type) };
    held.members.push(member);
    this.versionNumber++;
    return member;
  }

  private componentView(member: Member): object {
    const cell: { value?: object } = {};
    if (!isObjectType(member.type)) {
      defineCell(cell, 'value', this.arena, member.type, member.offsetBytes);
      return Object.seal(cell);
    }
    return viewOf(this.arena, member.type, member.offsetBytes);
  }

  private bindMirror<D extends Declared>(held: HeldObject, alias: string, declared: D, mirror: Mirror<D>): void {
    const access = mirror.set ? declared.access : 'read-only';
    const member = this.place(held, alias, { ...declared, access });
    const { set } = mirror;
    const view = this.componentView(member) as { value?: unknown };
    const current = () => (isObjectType(member.type) ? view : view.value) as ViewOf<D>;
    this.mirrors.set(`${held.name}.${alias}`, {
      member,
      pull: () => writeValue(this.arena.memory, member.type, member.offsetBytes, mirror.get()),
      push: set && (() => set(current())),
    });
  }

  private removeComponent(held: HeldObject, alias: string): void {
    const index = held.members.findIndex((member) => member.name === alias);
    const [member] = index < 0 ? [] : held.members.splice(index, 1);
    if (!member) throw new Error(`object ${held.name} has no component ${alias}`);
    this.mirrors.delete(`${held.name}.${alias}`);
    this.arena.release(member.type, member.offsetBytes);
    this.versionNumber++;
  }

  /** Stores initial values; a list given for a pointer is allocated and pointed at. */
  private initialise(type: Type, offset: number, initial: unknown): void {
    if (type.kind === 'pointer') this.initialisePointer(type.target, offset, initial);
    else if (type.kind === 'struct') this.initialiseMembers(type, offset, initial);
    else if (type.kind === 'array' && typeof initial !== 'string') {
      const stride = strideOf(type.element);
      const values = [...(initial as Iterable<unknown>)];
      if (values.length !== type.length)
        throw new RangeError(`${type.length} initial values expected, not ${values.length}`);
      for (const [i, value] of values.entries()) this.initialise(type.element, offset + i * stride, value);
    } else writeValue(this.arena.memory, type, offset, initial);
  }

  private initialisePointer(target: Type, offset: number, initial: unknown): void {
    const values = [...(initial as Iterable<unknown>)];
    const base = this.arena.allocate(target, values.length);
    for (const [i, value] of values.entries()) this.initialise(target, base + i * strideOf(target), value);
    this.arena.memory.view.setUint32(offset, base, true);
    this.arena.memory.view.setUint32(offset + 4, values.length, true);
  }

  private initialiseMembers(type: StructType, offset: number, initial: unknown): void {
    for (const [name, value] of Object.entries(initial as object)) {
      const member = type.members.find((candidate) => candidate.name === name);
      if (!member) throw new TypeError(`${type.name} has no member ${name}`);
      if (value !== undefined) this.initialise(member.type, offset + member.offsetBytes, value);
    }
  }
}

const isObjectType = (type: Type): boolean =>
  !isLeaf(type) && !(type.kind === 'array' && type.element.kind === 'number' && type.element.name === 'char');

function checkName(what: string, name: string): void {
  if (!NAME.test(name)) {
    throw new Error(
      `${what} is named with letters, digits and _, and starts with no digit: not ${JSON.stringify(name)}`,
    );
  }
}
