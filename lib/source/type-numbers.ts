// Types of components on their way between two threads: the other side knows a type that it has had, so its number is
// enough. Objects of one type then share it there as they do here, and a new object sends only what is new.

import type { SimObject } from '../model/state/catalog.js';
import type { Member, Type } from '../model/state/type.js';
import type { Layout } from '../simulation/executive/publisher.js';

/** A layout on its way: instead of a type that is known there, its number. */
export interface PackedLayout extends Omit<Layout, 'catalog'> {
  readonly catalog:
    | Layout['catalog']
    | { readonly changes: Changes; readonly types: readonly (readonly (Type | number)[])[] };
}

type Changes = Extract<Layout['catalog'], { readonly from: number }>;

const isWhole = (catalog: Layout['catalog']): catalog is Exclude<Layout['catalog'], Changes> => !('from' in catalog);

/** The types of components, each once, in an order that is the same for a copy. */
function* typesIn(objects: readonly SimObject[]): Generator<Type> {
  for (const { type } of objects) for (const member of type.members) yield member.type;
}

/** The sending side. */
export class TypePacker {
  private numbers = new WeakMap<Type, number>();
  private count = 0;

  pack(layout: PackedLayout): PackedLayout {
    const { catalog } = layout;
    if ('changes' in catalog) return layout;
    if (isWhole(catalog)) {
      this.numbers = new WeakMap();
      this.count = 0;
      for (const type of catalog.types ?? []) this.number(type.type);
      for (const type of typesIn(catalog.objects)) this.number(type);
      return layout;
    }
    const types = catalog.objects.map(({ type }) => type.members.map((member) => this.known(member.type)));
    return { ...layout, catalog: { changes: { ...catalog, objects: catalog.objects.map(bare) }, types } };
  }

  /** The number of a type that has been sent, otherwise the type. */
  private known(type: Type): Type | number {
    const number = this.numbers.get(type);
    if (number !== undefined) return number;
    this.number(type);
    return type;
  }

  private number(type: Type): void {
    if (!this.numbers.has(type)) this.numbers.set(type, this.count++);
  }
}

/** The receiving side. */
export class TypeUnpacker {
  private types: Type[] = [];

  /** A layout that was never packed stays as it is. */
  unpack(layout: PackedLayout): Layout {
    const { catalog } = layout;
    if (!('changes' in catalog)) {
      if (isWhole(catalog)) {
        const registered = (catalog.types ?? []).map(({ type }) => type);
        this.types = [...new Set([...registered, ...typesIn(catalog.objects)])];
      }
      return { ...layout, catalog };
    }
    const { changes, types } = catalog;
    const objects = changes.objects.map((object, at) => {
      const members = object.type.members.map((member, k) => {
        const type = (types[at] as readonly (Type | number)[])[k] as Type | number;
        if (typeof type === 'number') return { ...member, type: this.types[type] as Type };
        this.types.push(type);
        return { ...member, type };
      });
      return withMembers(object, members);
    });
    return { ...layout, catalog: { ...changes, objects } };
  }
}

const withMembers = (object: SimObject, members: readonly Member[]): SimObject => ({
  ...object,
  type: { ...object.type, members },
});

/** Stands for a type that is sent beside the members. */
const NO_TYPE: Type = { kind: 'number', name: 'bool' };

const bare = (object: SimObject): SimObject =>
  withMembers(
    object,
    object.type.members.map((member) => ({ ...member, type: NO_TYPE })),
  );
