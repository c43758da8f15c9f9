// The objects of a feed, by the names that its data have: names with dots become structures, and an object may be asked for again.
import { Arena } from '../model/arena.js';
import { componentView } from '../model/component-view.js';
import { type AnyDeclared, type Declared, describe, struct } from '../model/declare.js';
import { initialValue } from '../model/initial.js';
import { checkName } from '../model/name.js';
import type { ComponentView, Mirror, ObjectHandle, ObjectOptions } from '../model/object-handle.js';
import { holdsPointers } from '../model/pointers.js';
import type { State } from '../model/state.js';
import { isValue } from '../model/view.js';
import { writeValue } from '../model/write.js';

/** A variable behind a name with dots. Its structure is declared once all of its members are known. */
interface Leaf {
  readonly declared: AnyDeclared;
  readonly read: () => unknown;
  readonly write: ((value: unknown) => void) | undefined;
}
type Group = Map<string, Leaf | Group>;

export class FeedObjectTree {
  /** The values of variables with dots in their names, until they are read into the state. */
  private readonly arena = new Arena();
  /** The structures of each object that are not declared yet, by component. */
  private readonly groups = new Map<ObjectHandle, Group>();
  private readonly handles = new Map<string, ObjectHandle>();
  private isBuilt = false;

  constructor(private readonly state: State) {}

  /** The object of a name, made when it is asked for first; `a.b` is the structure `b` of the object `a`. */
  object(name: string, options?: ObjectOptions): ObjectHandle {
    const [first = '', ...below] = name.split('.');
    const known = this.handles.get(first);
    const made = known ?? this.state.addObject(first, options);
    if (!known) this.handles.set(first, made);
    return this.handleOf(made, name, below.map((step) => `${step}.`).join(''));
  }

  removeObject(name: string): void {
    this.state.removeObject(name);
    const gone = this.handles.get(name);
    if (gone) this.groups.delete(gone);
    this.handles.delete(name);
  }

  /** Declares the structures, whose members are all known now. */
  build(): void {
    this.isBuilt = true;
    for (const [object, group] of this.groups) for (const [alias, member] of group) this.bind(object, alias, member);
    this.groups.clear();
  }

  private handleOf(object: ObjectHandle, name: string, prefix: string): ObjectHandle {
    const isDotted = (alias: string): boolean => prefix !== '' || alias.includes('.');
    const component = <D extends Declared>(alias: string, declared: D, initial?: D['initial']): ComponentView<D> =>
      (isDotted(alias)
        ? this.place(object, prefix + alias, declared, initial)
        : object.component(alias, declared, initial as never)) as ComponentView<D>;
    return {
      ...object,
      name,
      component,
      components: (members, initial) => {
        if (!Object.keys(members).some(isDotted)) return object.components(members, initial);
        throw new Error(`${name}: names with dots are added one by one, with component`);
      },
      mirror: (alias, declared, mirror) =>
        isDotted(alias)
          ? this.add(object, prefix + alias, mirrored(declared, mirror as never))
          : object.mirror(alias, declared, mirror),
      remove: (alias) => {
        if (isDotted(alias)) throw new Error(`${name}.${alias} is part of a structure, which is removed as a whole`);
        object.remove(alias);
      },
    };
  }

  private place(object: ObjectHandle, path: string, declared: AnyDeclared, initial: unknown): object {
    const where = `${object.name}.${path}`;
    const given = initialValue(declared, initial, where);
    if (holdsPointers(declared.type)) throw new Error(`${where}: a name with dots stands for no pointer`);
    const { type } = declared;
    const offsetBytes = this.arena.allocate(type);
    if (given !== undefined) writeValue(this.arena.memory, type, offsetBytes, given, where);
    const view = componentView(this.arena, { ...declared, name: path, offsetBytes }) as { value?: unknown };
    this.add(object, path, {
      declared,
      read: () => (isValue(type) ? view.value : view),
      write: (value) => writeValue(this.arena.memory, type, offsetBytes, value, where),
    });
    return view;
  }

  private add(object: ObjectHandle, path: string, leaf: Leaf): void {
    const steps = path.split('.');
    for (const step of steps) checkName('a component', step);
    const last = steps.pop() as string;
    let group = this.groups.get(object) ?? new Map();
    if (!this.isBuilt) this.groups.set(object, group);
    const outermost = group;
    for (const step of steps) {
      const inner = group.get(step) ?? new Map();
      if (!(inner instanceof Map)) throw new Error(`${object.name}.${path}: ${step} is a variable already`);
      group.set(step, inner);
      group = inner;
    }
    if (group.has(last)) throw new Error(`there is a variable ${object.name}.${path} already`);
    group.set(last, leaf);
    if (this.isBuilt) for (const [alias, member] of outermost) this.bind(object, alias, member);
  }

  private bind(object: ObjectHandle, alias: string, member: Leaf | Group): void {
    const { declared, read, write } = wholeOf(`${object.name}_${alias}`, member);
    object.mirror(alias, declared, { get: read as never, ...(write && { set: write as never }) });
  }
}

const mirrored = (declared: AnyDeclared, { get, set }: Mirror<AnyDeclared>): Leaf => ({
  declared,
  read: get,
  write: set,
});

/** A structure as one variable. */
function wholeOf(name: string, member: Leaf | Group): Leaf {
  if (!(member instanceof Map)) return member;
  const parts = [...member].map(([step, inner]) => [step, wholeOf(`${name}_${step}`, inner)] as const);
  const members = parts.map(([step, { declared, write }]) => [
    step,
    write ? declared : describe(declared, { access: 'read-only' }),
  ]);
  return {
    declared: struct(name, Object.fromEntries(members)),
    read: () => Object.fromEntries(parts.map(([step, { read }]) => [step, read()])),
    write: (value) => {
      for (const [step, { write }] of parts) write?.((value as Readonly<Record<string, unknown>>)[step]);
    },
  };
}
