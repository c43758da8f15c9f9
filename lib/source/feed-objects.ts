// The objects of a feed, by the names that its data have: names with dots become structures, those with indices arrays.
import { isDeepStrictEqual } from 'node:util';
import { Arena } from '../model/state/arena.js';
import type { Catalog } from '../model/state/catalog.js';
import { type AnyDeclared, array, type Declared, describe, struct } from '../model/state/declare.js';
import { initialValue } from '../model/state/initial.js';
import type { Memory } from '../model/state/memory.js';
import { checkName } from '../model/state/name.js';
import type { ComponentView, Mirror, ObjectHandle, ObjectOptions } from '../model/state/object-handle.js';
import { holdsPointers } from '../model/state/pointers.js';
import type { State } from '../model/state/state.js';
import { isCharacters, type Type } from '../model/state/type.js';
import type { Variable } from '../model/state/variable.js';
import { componentView, isValue } from '../model/state/view.js';
import { storeValue, writeValue } from '../model/state/write.js';

/** A variable behind a name with dots or indices. Its structure is declared once all of its members are known. */
interface Leaf {
  readonly declared: AnyDeclared;
  readonly read: () => unknown;
  readonly write: ((value: unknown) => void) | undefined;
}
/** By the names of members, or by the indices of elements. */
type Group = Map<string, Leaf | Group>;

/** An array has an element for each index up to the largest. */
const LARGEST_INDEX = 9999;

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

  /** Makes objects after `build`; the members of their structures are known when `make` returns. */
  later<Made>(make: () => Made): Made {
    this.isBuilt = false;
    try {
      return make();
    } finally {
      this.build();
    }
  }

  /** Declares the structures, whose members are all known now. */
  build(): void {
    this.isBuilt = true;
    for (const [object, group] of this.groups) for (const [alias, member] of group) this.bind(object, alias, member);
    this.groups.clear();
  }

  private handleOf(object: ObjectHandle, name: string, prefix: string): ObjectHandle {
    const isDotted = (alias: string): boolean => prefix !== '' || /[.[]/.test(alias);
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
        throw new Error(`${name}: names with dots or indices are added one by one, with component`);
      },
      mirror: (alias, declared, mirror) =>
        isDotted(alias)
          ? this.add(object, prefix + alias, mirrored(declared, mirror as never))
          : object.mirror(alias, declared, mirror),
      remove: (alias) => {
        if (isDotted(alias)) throw new Error(`${name}.${alias} is part of a component, which is removed as a whole`);
        object.remove(alias);
      },
    };
  }

  private place(object: ObjectHandle, path: string, declared: AnyDeclared, initial: unknown): object {
    const where = `${object.name}.${path}`;
    const given = initialValue(declared, initial, where);
    if (holdsPointers(declared.type)) throw new Error(`${where}: a name with dots or indices stands for no pointer`);
    const { type } = declared;
    const offsetBytes = this.arena.allocate(type);
    if (given !== undefined) storeValue(this.arena.memory, type, offsetBytes, given);
    const view = componentView(this.arena, { ...declared, name: path, offsetBytes }) as { value?: unknown };
    this.add(object, path, {
      declared,
      read: () => (isValue(type) ? view.value : view),
      write: (value) => writeValue(this.arena.memory, type, offsetBytes, value, where),
    });
    return view;
  }

  private add(object: ObjectHandle, path: string, leaf: Leaf): void {
    const group = this.groups.get(object) ?? new Map();
    if (!this.isBuilt) this.groups.set(object, group);
    place(group, object.name, path, leaf);
    if (this.isBuilt) for (const [alias, member] of group) this.bind(object, alias, member);
  }

  private bind(object: ObjectHandle, alias: string, member: Leaf | Group): void {
    const { declared, read, write } = wholeOf(`${object.name}.${alias}`, member, member);
    object.mirror(alias, declared, { get: read as never, ...(write && { set: write as never }) });
  }
}

/** A component of an object, with what it has where nobody stores a value, such as NaN. */
export interface WholeComponent {
  readonly alias: string;
  readonly declared: AnyDeclared;
  readonly nothing: unknown;
}

/** Stores what components have before there are values. */
export function storeNothing(memory: Memory, catalog: Catalog, object: string, all: readonly WholeComponent[]): void {
  for (const { alias, nothing } of all) {
    const { type, offsetBytes } = catalog.find(`${object}.${alias}`) as Variable;
    storeValue(memory, type, offsetBytes, nothing);
  }
}

/**
 * The components of an object whose variables have these names, below it: structures and arrays where names have dots and
 * indices. Throws an Error for names that do not go together.
 */
export function componentsOf(object: string, variables: ReadonlyMap<string, AnyDeclared>): readonly WholeComponent[] {
  const group: Group = new Map();
  for (const [path, declared] of variables) place(group, object, path, standIn(declared));
  return [...group].map(([alias, member]) => {
    const { declared, read } = wholeOf(`${object}.${alias}`, member, member);
    return { alias, declared, nothing: read() };
  });
}

function place(outermost: Group, object: string, path: string, leaf: Leaf): void {
  const steps = stepsOf(path, `${object}.${path}`);
  const last = steps.pop() as string;
  let group = outermost;
  for (const step of steps) {
    const inner = group.get(step) ?? new Map();
    if (!(inner instanceof Map)) throw new Error(`${object}.${path}: ${step} is a variable already`);
    group.set(step, inner);
    group = inner;
  }
  if (group.has(last)) throw new Error(`there is a variable ${object}.${path} already`);
  group.set(last, leaf);
}

const mirrored = (declared: AnyDeclared, { get, set }: Mirror<AnyDeclared>): Leaf => ({
  declared,
  read: get,
  write: set,
});

/** `b.c[0]` is b, c and 0. Throws an Error for a step that is no name and an index that is too large. */
function stepsOf(path: string, where: string): string[] {
  return path.split('.').flatMap((step) => {
    const [, name = step, indices = ''] = /^([^[]*)((?:\[\d{1,9}\])+)$/.exec(step) ?? [];
    checkName('a component', name);
    const numbers = indices.split(/[[\]]+/).filter(Boolean);
    if (numbers.some((index) => Number(index) > LARGEST_INDEX))
      throw new RangeError(`${where}: indices of a feed's names go up to ${LARGEST_INDEX}`);
    return [name, ...numbers.map((index) => String(Number(index)))];
  });
}

/**
 * A structure or an array as one variable.
 * @param shape what it has; of an element, what any element of its array has.
 * @param own what there is of it; the rest is NaN, 0 or empty text, and takes no writes.
 */
function wholeOf(name: string, shape: Leaf | Group, own: Leaf | Group | undefined): Leaf {
  if (!(shape instanceof Map)) return own === undefined ? standIn(shape.declared) : (own as Leaf);
  const ownParts = own as Group | undefined;
  const isArray = [...shape.keys()].some((step) => /^\d/.test(step));
  return isArray ? arrayOf(name, shape, ownParts) : structureOf(name, shape, ownParts);
}

function structureOf(name: string, shape: Group, own: Group | undefined): Leaf {
  const parts = [...shape].map(([step, inner]) => [step, wholeOf(`${name}.${step}`, inner, own?.get(step))] as const);
  const members = parts.map(([step, { declared, write }]) => [
    step,
    write ? declared : describe(declared, { access: 'read-only' }),
  ]);
  return {
    declared: struct(name.replaceAll('.', '_'), Object.fromEntries(members)),
    read: () => Object.fromEntries(parts.map(([step, { read }]) => [step, read()])),
    write: (value) => {
      for (const [step, { write }] of parts) write?.((value as Readonly<Record<string, unknown>>)[step]);
    },
  };
}

function arrayOf(name: string, shape: Group, own: Group | undefined): Leaf {
  const length = 1 + Math.max(...[...shape.keys()].map(Number));
  const ofAny = merged(name, [...shape.values()]);
  const elements = Array.from({ length }, (_, index) => wholeOf(name, ofAny, own?.get(String(index))));
  return {
    declared: array((elements[0] as Leaf).declared, length),
    read: () => elements.map(({ read }) => read()),
    write: (value) => {
      for (const [index, item] of [...(value as Iterable<unknown>)].entries()) elements[index]?.write?.(item);
    },
  };
}

/** What any of the elements has. Throws an Error for elements of different types. */
function merged(name: string, elements: readonly (Leaf | Group)[]): Leaf | Group {
  const [first] = elements as [Leaf | Group];
  const groups = elements.filter((element) => element instanceof Map);
  const isAlike = (element: Leaf | Group): boolean =>
    !(element instanceof Map || first instanceof Map) && isDeepStrictEqual(element.declared.type, first.declared.type);
  if (groups.length === 0 && elements.every(isAlike)) return first;
  if (groups.length < elements.length) throw new Error(`the elements of ${name} are of several types`);
  const steps = [...new Set(groups.flatMap((group) => [...group.keys()]))];
  return new Map(
    steps.map((step) => [
      step,
      merged(
        `${name}.${step}`,
        groups.flatMap((group) => group.get(step) ?? []),
      ),
    ]),
  );
}

function standIn(declared: AnyDeclared): Leaf {
  const value = standInValue(declared.type);
  return { declared, read: () => value, write: () => undefined };
}

function standInValue(type: Type): unknown {
  if (isCharacters(type) || type.kind === 'text') return '';
  if (type.kind === 'array') return Array.from({ length: type.length }, () => standInValue(type.element));
  if (type.kind === 'sequence') return [];
  if (type.kind === 'struct') return {};
  return type.kind === 'number' && (type.name === 'double' || type.name === 'float') ? Number.NaN : 0;
}
